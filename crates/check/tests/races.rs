//! Whole certificates of races: the true ones are accepted from every position, with every entry counted; none is
//! accepted with an entry less, an entry more, or about rules that are no race.

use agon_check::seam::{Look, RaceSteps, State};
use agon_check::{Certificate, Claim, Rejected, Section, check_lines};
use agon_core::features::Pictured;
use agon_core::lines::{LineGame, Lines};
use agon_core::{Ctx, Game, Notation, Outcome, Player, Wdl, collect_moves};
use agon_games::mnk::Mnk;
use altered::Altered;
use std::collections::{BTreeMap, BTreeSet};

#[path = "common/altered.rs"]
mod altered;

type Board = <Mnk as Game>::Position;

/// A change to the lines of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Nothing,
    NoLines,
    Decided,
    OneLineAvoids,
    OneLineOfTheOtherMark,
    OneSideDecided(Player),
}

type Changed = Altered<Mnk, Change>;

impl altered::Change<Mnk> for Change {
    fn lines(self, game: &Mnk, maker: Player) -> Option<Lines> {
        let mut lines = game.lines(maker)?;
        match self {
            Change::Nothing => {}
            Change::NoLines => return None,
            Change::Decided => lines.decides = true,
            Change::OneLineAvoids => lines.lines[1].avoid = lines.all() & !lines.lines[1].want,
            Change::OneLineOfTheOtherMark => lines.lines[1].mark = 1,
            Change::OneSideDecided(side) => lines.decides = maker == side,
        }
        Some(lines)
    }
}

/// Returns whether a side wins by force, from the rules of the game alone.
fn wins(game: &Mnk, pos: &Board, side: Player, known: &mut BTreeMap<Board, bool>) -> bool {
    if let Some(&won) = known.get(pos) {
        return won;
    }
    let won = match game.outcome(pos) {
        Some(outcome) => outcome == Outcome::Win(side),
        None => {
            let mut after =
                collect_moves(game, pos).into_iter().map(|mv| wins(game, &game.after(pos, mv), side, known));
            if game.turn(pos) == side { after.any(|won| won) } else { after.all(|won| won) }
        }
    };
    known.insert(*pos, won);
    won
}

/// Every position that play reaches, the start included.
fn reachable(game: &Mnk) -> BTreeSet<Board> {
    let (mut found, mut todo) = (BTreeSet::new(), vec![game.start()]);
    while let Some(pos) = todo.pop() {
        if found.insert(pos) && game.outcome(&pos).is_none() {
            todo.extend(collect_moves(game, &pos).into_iter().map(|mv| game.after(&pos, mv)));
        }
    }
    found
}

/// The name of a state in an entry.
fn text(state: &State) -> String {
    let cells: String = state.cells.iter().map(|&cell| char::from(cell)).collect();
    cells + if state.maker { "m" } else { "b" }
}

/// The entries below a position that its winner needs: the first reason that works, threats before single moves.
struct Prover<'a> {
    steps: RaceSteps<'a>,
    entries: BTreeMap<String, String>,
}

impl Prover<'_> {
    /// Proves a state, or leaves the entries as they were.
    fn prove(&mut self, state: &State) -> bool {
        let state = match self.steps.look(state) {
            Look::Holds => return true,
            Look::Fails => return false,
            Look::Asks(state) => state,
        };
        if self.entries.contains_key(&text(&state)) {
            return true;
        }
        let empty = || (0..state.cells.len()).filter(|&cell| state.cells[cell] == b'.');
        let two = empty().flat_map(|first| empty().map(move |second| format!("threats {first} {second}")));
        let moves = empty().map(|cell| format!("play {cell}"));
        let reasons = empty().map(|cell| format!("threats {cell}")).chain(two).chain(["all".into()]).chain(moves);
        for reason in reasons {
            let Some(asked) = self.steps.follow(&state, &reason) else { continue };
            let before = self.entries.clone();
            self.entries.insert(text(&state), reason);
            if asked.iter().all(|asked| self.prove(asked)) {
                return true;
            }
            self.entries = before;
        }
        false
    }
}

fn judge(game: &Changed, from: &Board, winner: Player, entries: &BTreeMap<String, String>) -> Result<u64, Rejected> {
    let certificate = Certificate {
        game: "rows".into(),
        rules: None,
        from: game.show(from),
        claim: Claim::AtLeast(winner, Wdl::Win),
        up_to_symmetry: true,
        sections: vec![Section::Race { winner, entries: entries.clone().into_iter().collect() }],
    };
    check_lines(game, &Pictured::new(game), &certificate, &Ctx::default()).map(|proved| proved.positions)
}

/// The entries of a proof that a side wins; `None` if there is no proof.
fn proof(game: &Mnk, pos: &Board, winner: Player) -> Option<BTreeMap<String, String>> {
    let lines = [winner, winner.other()].map(|side| game.lines(side).expect("a game of lines"));
    let mut prover = Prover { steps: RaceSteps::new([&lines[0], &lines[1]]), entries: BTreeMap::new() };
    let [own, other, ..] = game.line_marks(pos, winner);
    let letter = |cell: usize| match (own >> cell & 1, other >> cell & 1) {
        (0, 0) => b'.',
        (1, _) => b'X',
        _ => b'O',
    };
    let state =
        State { cells: (0..lines[0].cells).map(letter).collect(), maker: game.turn(pos) == winner, spare: false };
    prover.prove(&state).then_some(prover.entries)
}

#[test]
fn a_race_is_accepted_from_exactly_the_won_positions() {
    let (mut won, mut longest) = (0, 0);
    for (m, n, k) in [(3, 3, 3), (4, 2, 2), (4, 2, 3), (6, 1, 3)] {
        let game = Altered(Mnk::new(m, n, k), Change::Nothing);
        for winner in Player::BOTH {
            let mut known = BTreeMap::new();
            for pos in reachable(&game.0).into_iter().filter(|pos| game.outcome(pos).is_none()) {
                let at = format!("{m},{n},{k} at {} for {}", game.show(&pos), winner.name());
                if !wins(&game.0, &pos, winner, &mut known) {
                    let refused = matches!(judge(&game, &pos, winner, &BTreeMap::new()), Err(Rejected::Refuted(_)));
                    assert!(refused, "{at}: a false win without entries");
                    continue;
                }
                let entries = proof(&game.0, &pos, winner).unwrap_or_else(|| panic!("{at}: no proof"));
                assert_eq!(judge(&game, &pos, winner, &entries), Ok(entries.len() as u64), "{at}");
                won += 1;
                longest = longest.max(entries.len());
                for state in entries.keys() {
                    let mut fewer = entries.clone();
                    fewer.remove(state);
                    let refused = matches!(judge(&game, &pos, winner, &fewer), Err(Rejected::Refuted(_)));
                    assert!(refused, "{at}: accepted without {state}");
                }
                let mut more = entries;
                more.insert("never".into(), "all".into());
                let refused = matches!(judge(&game, &pos, winner, &more), Err(Rejected::Corrupt(_)));
                assert!(refused, "{at}: accepted with an entry that is never reached");
            }
        }
    }
    assert!(won > 2_000 && longest >= 5, "{won} wins, at most {longest} entries");
}

#[test]
fn rules_that_are_no_race_are_refused() {
    let entries = proof(&Mnk::new(4, 2, 2), &Mnk::new(4, 2, 2).start(), Player::First).expect("a win");
    for change in [
        Change::NoLines,
        Change::Decided,
        Change::OneLineAvoids,
        Change::OneLineOfTheOtherMark,
        Change::OneSideDecided(Player::First),
        Change::OneSideDecided(Player::Second),
    ] {
        let game = Altered(Mnk::new(4, 2, 2), change);
        let why = "this argument is about races to complete a line only".to_string();
        assert_eq!(judge(&game, &game.start(), Player::First, &entries), Err(Rejected::Corrupt(why)), "{change:?}");
    }
    assert!(
        judge(&Altered(Mnk::new(4, 2, 2), Change::Nothing), &Mnk::new(4, 2, 2).start(), Player::First, &entries)
            .is_ok()
    );
}
