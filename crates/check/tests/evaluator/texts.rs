//! Strategies as text: every list of rules up to a size, over every word of a game, as a certificate of every claim.
//!
//! The values of words are computed here, on boards from pictures of positions; so is what a list of rules allows, and
//! whether that keeps a claim.

use crate::common::{Count, Written, every_choice};
use crate::pictures::{self, Picture, Put, Word};
use agon_check::{Certificate, Claim, Rejected, Section, check};
use agon_core::features::{Features, Pictured, Sort, Subject};
use agon_core::toy::{Dots, FreeGraph, Graph, Pile, Take, Tree};
use agon_core::{Ctx, Family, Notation, Outcome, Player, Rng, Symmetric, Wdl, collect_moves};
use agon_games::drop::Drop;
use agon_games::impartial::Play;
use agon_games::impartial::heaps::{Heaps, Nim};
use agon_games::mnk::Mnk;
use agon_games::order_chaos::OrderChaos;
use std::collections::HashMap;

/// A position with the opponent's last move, where the opponent moved last.
struct State {
    turn: Player,
    end: Option<[Wdl; 2]>,
    /// The position after each legal move.
    next: Vec<usize>,
    /// The value of each word for each legal move.
    values: Vec<Vec<i32>>,
}

/// A game written out, with its words.
struct Game<'a, G: Notation> {
    game: &'a G,
    features: &'a dyn Features<G>,
    words: Vec<Word>,
    states: Vec<State>,
    from: String,
    /// The lines before the rules of every text.
    head: &'static str,
}

/// Values of the words of a game for a move: position, opponent's last move and where it was made, move, word.
type Value<'a, G> = dyn Fn(&<G as agon_core::Game>::Position, Last<G>, <G as agon_core::Game>::Move, &Word) -> i32 + 'a;
type Last<G> = Option<(<G as agon_core::Game>::Position, <G as agon_core::Game>::Move)>;

impl<'a, G: Notation + Symmetric> Game<'a, G> {
    fn new(
        game: &'a G,
        features: &'a dyn Features<G>,
        from: G::Position,
        words: Vec<Word>,
        value: &Value<'_, G>,
    ) -> Self {
        let from_text = game.show(&from);
        let (mut known, mut states): (HashMap<_, usize>, Vec<State>) = (HashMap::new(), Vec::new());
        let mut todo = vec![(from, None::<(G::Position, G::Move)>)];
        known.insert(todo[0].clone(), 0);
        while let Some((pos, last)) = todo.get(states.len()).cloned() {
            let outcome = game.outcome(&pos);
            let legal = if outcome.is_some() { Vec::new() } else { collect_moves(game, &pos) };
            let of = |word: &Word| legal.iter().map(|&mv| value(&pos, last.clone(), mv, word)).collect();
            let values = words.iter().map(of).collect();
            let mut next = Vec::new();
            for &mv in &legal {
                let after = game.after(&pos, mv);
                let last = (game.turn(&after) != game.turn(&pos)).then(|| (pos.clone(), mv));
                let state = (after, last);
                next.push(*known.entry(state.clone()).or_insert_with(|| {
                    todo.push(state);
                    todo.len() - 1
                }));
            }
            let end = outcome.map(|outcome| Player::BOTH.map(|side| outcome.seen_by(side)));
            states.push(State { turn: game.turn(&pos), end, next, values });
        }
        Game { game, features, words, states, from: from_text, head: "" }
    }

    fn check(&self, text: &str, side: Player, least: Wdl, within: Option<u32>) -> Result<(), Rejected> {
        let certificate = Certificate {
            game: "a game".into(),
            rules: None,
            from: self.from.clone(),
            claim: Claim::AtLeast(side, least),
            up_to_symmetry: false,
            sections: vec![Section::Text { side, least, within, text: format!("{}{text}", self.head) }],
        };
        check(self.game, self.features, &certificate, &Ctx::default()).map(drop)
    }

    /// Tries a list of rules as a certificate of every claim, with the limit on plies that it keeps and the one that it
    /// does not.
    fn attempt(&self, list: &[Vec<Line>], count: &mut Count) {
        let text = written(list, &self.words);
        for side in Player::BOTH {
            let plays = Plays::of(self, side, list);
            for least in [Wdl::Draw, Wdl::Win] {
                let good = plays.worst.is_none_or(|worst| worst >= least);
                let mut claims = vec![(None, good && (least == Wdl::Draw || plays.longest.is_some()))];
                if let Some(longest) = plays.longest.filter(|_| good) {
                    claims.push((Some(longest), true));
                    claims.extend(longest.checked_sub(1).map(|less| (Some(less), false)));
                }
                for (within, wanted) in claims {
                    count.tried += 1;
                    match (self.check(&text, side, least, within), wanted) {
                        (Ok(()), true) => count.accepted += 1,
                        (Err(Rejected::Refuted(_)), false) => {}
                        (found, _) => panic!("{found:?}: {side:?} {least} {within:?} from {}\n{text}", self.from),
                    }
                }
            }
        }
    }
}

/// A line of a rule about one word.
#[derive(Clone, Copy, Debug)]
struct Line {
    word: usize,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// `only f`, or `only f > 0` for a number.
    Only,
    OnlyNot,
    Prefer,
    /// `prefer max f` and `prefer min f`.
    Max,
    Min,
    /// `when any(f)`, or `when any(f > 1)`.
    WhenAny,
    /// `when count(f) = 1`, or `when least(f) = most(f)`.
    WhenOne,
    /// `only f = most(f)`.
    Most,
    /// `when f`, or `when f > 1`, for a word about positions.
    When,
}

const FLAG_KINDS: [Kind; 5] = [Kind::Only, Kind::OnlyNot, Kind::Prefer, Kind::WhenAny, Kind::WhenOne];
const NUMBER_KINDS: [Kind; 8] =
    [Kind::Max, Kind::Only, Kind::OnlyNot, Kind::Prefer, Kind::Min, Kind::WhenAny, Kind::WhenOne, Kind::Most];

impl Line {
    fn written(self, words: &[Word]) -> String {
        let word = &words[self.word];
        let f = &word.text;
        let test = if word.flag { f.clone() } else { format!("{f} > 0") };
        match self.kind {
            Kind::Only => format!("only {test}"),
            Kind::OnlyNot => format!("only not {test}"),
            Kind::Prefer => format!("prefer {test}"),
            Kind::Max => format!("prefer max {f}"),
            Kind::Min => format!("prefer min {f}"),
            Kind::WhenAny if word.flag => format!("when any({f})"),
            Kind::WhenAny => format!("when any({f} > 1)"),
            Kind::WhenOne if word.flag => format!("when count({f}) = 1"),
            Kind::WhenOne => format!("when least({f}) = most({f})"),
            Kind::Most => format!("only {f} = most({f})"),
            Kind::When if word.flag => format!("when {f}"),
            Kind::When => format!("when {f} > 1"),
        }
    }

    /// The moves that the line keeps of those that are left.
    fn keep(self, words: &[Word], state: &State, left: &mut Vec<usize>) {
        let values = &state.values[self.word];
        let (flag, most, least) = (words[self.word].flag, values.iter().max(), values.iter().min());
        let unless = |holds: bool, left: &mut Vec<usize>| {
            if !holds {
                left.clear();
            }
        };
        match self.kind {
            Kind::Only => left.retain(|&at| values[at] > 0),
            Kind::OnlyNot => left.retain(|&at| values[at] <= 0),
            Kind::Prefer if left.iter().all(|&at| values[at] <= 0) => {}
            Kind::Prefer => left.retain(|&at| values[at] > 0),
            Kind::Max => {
                let best = left.iter().map(|&at| values[at]).max();
                left.retain(|&at| Some(values[at]) == best);
            }
            Kind::Min => {
                let best = left.iter().map(|&at| values[at]).min();
                left.retain(|&at| Some(values[at]) == best);
            }
            Kind::WhenAny => unless(values.iter().any(|&value| value > i32::from(!flag)), left),
            Kind::WhenOne if flag => unless(values.iter().sum::<i32>() == 1, left),
            Kind::WhenOne => unless(most == least, left),
            Kind::Most => left.retain(|&at| Some(&values[at]) == most),
            Kind::When => unless(values[0] > i32::from(!flag), left),
        }
    }
}

fn written(list: &[Vec<Line>], words: &[Word]) -> String {
    let mut text = String::new();
    for (number, rule) in list.iter().enumerate() {
        text.push_str(&format!("rule {number}\n"));
        rule.iter().for_each(|line| text.push_str(&format!("  {}\n", line.written(words))));
    }
    text
}

/// The plays of a side that follows a list of rules.
#[derive(Default)]
struct Plays {
    /// The worst end; a list without a move has lost.
    worst: Option<Wdl>,
    /// The most plies; nothing if play can cycle.
    longest: Option<u32>,
}

impl Plays {
    fn of<G: Notation + Symmetric>(game: &Game<'_, G>, side: Player, list: &[Vec<Line>]) -> Plays {
        let mut plays = Plays { worst: None, longest: Some(0) };
        let next: Vec<Vec<usize>> = game
            .states
            .iter()
            .map(|state| match (state.end, state.turn == side) {
                (None, true) => allowed(&game.words, state, list).into_iter().map(|at| state.next[at]).collect(),
                _ => state.next.clone(),
            })
            .collect();
        // All plays at once, ply by ply: one that is longer than there are states never ends.
        let mut now = std::collections::BTreeSet::from([0]);
        for ply in 0..=game.states.len() as u32 {
            for &at in &now {
                let state = &game.states[at];
                let end = state.end.map(|ends| ends[side as usize]).or(next[at].is_empty().then_some(Wdl::Loss));
                if let Some(end) = end {
                    plays.worst = Some(plays.worst.map_or(end, |worst| worst.min(end)));
                    plays.longest = Some(ply);
                }
            }
            now = now.iter().flat_map(|&at| next[at].iter().copied()).collect();
        }
        if !now.is_empty() {
            plays.longest = None;
        }
        plays
    }
}

/// The moves of the first rule that leaves any.
fn allowed(words: &[Word], state: &State, list: &[Vec<Line>]) -> Vec<usize> {
    for rule in list {
        let mut left: Vec<usize> = (0..state.next.len()).collect();
        rule.iter().for_each(|line| line.keep(words, state, &mut left));
        if !left.is_empty() {
            return left;
        }
    }
    Vec::new()
}

/// Every line; the first kinds only, if `kinds` is small.
fn lines(words: &[Word], kinds: usize) -> Vec<Line> {
    let of = |(word, w): (usize, &Word)| {
        let all = match (w.position, w.flag) {
            (true, _) => &[Kind::When][..],
            (false, true) => &FLAG_KINDS[..],
            (false, false) => &NUMBER_KINDS[..],
        };
        all.iter().take(kinds).map(move |&kind| Line { word, kind }).collect::<Vec<Line>>()
    };
    words.iter().enumerate().flat_map(of).collect()
}

/// Every list of one rule with one line, alone and with a rule for the rest behind it.
fn short_lists<G: Notation + Symmetric>(game: &Game<'_, G>, count: &mut Count) {
    count.states += game.states.len() as u64;
    game.attempt(&[vec![]], count);
    for line in lines(&game.words, usize::MAX) {
        game.attempt(&[vec![line]], count);
        game.attempt(&[vec![line], vec![]], count);
    }
}

/// Every list of two lines, in one rule and in two.
fn long_lists<G: Notation + Symmetric>(game: &Game<'_, G>, kinds: usize, count: &mut Count) {
    let lines = lines(&game.words, kinds);
    for &one in &lines {
        for &other in &lines {
            game.attempt(&[vec![one, other], vec![]], count);
            game.attempt(&[vec![one], vec![other]], count);
        }
    }
}

/// The words that every game has, by its rules.
fn words_of_rules() -> Vec<Word> {
    let mut words = vec![Word::new("mobility", "", false, true), Word::new("first", "", true, true)];
    words.extend(["wins", "loses", "lets-win"].map(|name| Word::new(name, "", true, false)));
    words.push(Word::new("replies", "", false, false));
    words
}

/// The value of a word of the rules.
fn by_rules<G: Notation>(game: &G, pos: &G::Position, mv: G::Move, word: &str) -> Option<i32> {
    let (mover, after) = (game.turn(pos), game.after(pos, mv));
    let won_by = |pos: &G::Position, side: Player| game.outcome(pos) == Some(Outcome::Win(side));
    let replies = if game.outcome(&after).is_some() { Vec::new() } else { collect_moves(game, &after) };
    Some(match word {
        "mobility" => collect_moves(game, pos).len() as i32,
        "first" => i32::from(mover == Player::First),
        "wins" => i32::from(won_by(&after, mover)),
        "loses" => i32::from(won_by(&after, mover.other())),
        "lets-win" => {
            let passes = game.turn(&after) != mover;
            i32::from(passes && replies.iter().any(|&reply| won_by(&game.after(&after, reply), mover.other())))
        }
        "replies" => replies.len() as i32,
        _ => return None,
    })
}

/// A game without cells.
fn plain<'a, G: Notation + Symmetric>(game: &'a G, features: &'a dyn Features<G>) -> Game<'a, G> {
    let value = |pos: &G::Position, _: Last<G>, mv: G::Move, word: &Word| {
        by_rules(game, pos, mv, word.name).expect("a word of the rules")
    };
    Game::new(game, features, game.start(), words_of_rules(), &value)
}

/// A game on heaps. Its own words are data, which the checker takes from the game too.
fn heaps<'a>(game: &'a Play<Heaps<Nim>>, features: &'a dyn Features<Play<Heaps<Nim>>>) -> Game<'a, Play<Heaps<Nim>>> {
    let mut words = words_of_rules();
    let sorts = |extra: &agon_core::features::Extra| (extra.sort == Sort::Flag, extra.subject == Subject::Position);
    words.extend(features.extras().iter().map(|extra| Word::new(extra.name, "", sorts(extra).0, sorts(extra).1)));
    let value = |pos: &_, last: Last<Play<Heaps<Nim>>>, mv, word: &Word| {
        by_rules(game, pos, mv, word.name).unwrap_or_else(|| {
            let which = features.extras().iter().position(|extra| extra.name == word.name).expect("an extra");
            let memory = last.map_or(0, |(before, mv)| features.last(game, &before, mv));
            features.extra(game, pos, mv, memory, which)
        })
    };
    Game::new(game, features, agon_core::Game::start(game), words, &value)
}

/// A game on a board, seen as a picture.
fn on_board<'a, G: Notation + Symmetric>(
    game: &'a G,
    features: &'a dyn Features<G>,
    from: &str,
    k: usize,
    letters: &[char],
    owned: bool,
) -> Game<'a, G> {
    let from = game.parse(from).unwrap_or_else(|error| panic!("{error}"));
    let board = Picture::of(&game.show(&from), k);
    let mut words = words_of_rules();
    words.extend(pictures::words(&board));
    // A move is seen as the difference of two pictures.
    let put = |pos: &G::Position, mv: G::Move| {
        let (before, after) = (Picture::of(&game.show(pos), k), Picture::of(&game.show(&game.after(pos, mv)), k));
        before.difference(&after)
    };
    let value = |pos: &G::Position, last: Last<G>, mv: G::Move, word: &Word| {
        by_rules(game, pos, mv, word.name).unwrap_or_else(|| {
            let (cell, mark) = put(pos, mv);
            let first = game.turn(pos) == Player::First;
            let sides =
                if first { (letters[0], letters[1 % letters.len()]) } else { (letters[1 % letters.len()], letters[0]) };
            let last = last.map(|(before, mv)| put(&before, mv).0);
            let put = Put { cell, mark, letters: letters.to_vec(), owned: owned.then_some(sides), last, first };
            pictures::value(&Picture::of(&game.show(pos), k), &put, word)
        })
    };
    let written = Game::new(game, features, from, words, &value);
    let diagonal: &'static str = match (board.cells().contains(&(2, 2)), board.cells().contains(&(3, 3))) {
        (false, _) => "region diagonal\n  a1\n",
        (true, false) => "region diagonal\n  a1 b2\n",
        (true, true) => "region diagonal\n  a1 b2 c3\n",
    };
    Game { head: diagonal, ..written }
}

#[test]
fn every_short_list_of_rules_on_small_boards() {
    let mut count = Count::default();
    for (m, n, k, from) in [
        (2, 2, 2, "../.."),
        (3, 1, 2, "..."),
        (2, 2, 1, "../.."),
        (3, 2, 2, ".../..."),
        (3, 2, 3, ".../..."),
        (3, 3, 3, "XO./.X./..O"),
        (3, 3, 3, "..X/.O./X.."),
        (4, 2, 3, "XO../.X.O"),
    ] {
        let game = Mnk::new(m, n, k);
        let features = game.vocabulary();
        short_lists(&on_board(&game, features.as_ref(), from, k, &['X', 'O'], true), &mut count);
    }
    for (spelling, k, letters, from) in [
        ("order-chaos:2x2,k=2", 2, &['X', 'O'][..], "../.."),
        ("order-chaos:3x1,k=3,symbols=1,first=chaos", 3, &['X'][..], "..."),
        ("order-chaos:3x2,k=2,symbols=3", 2, &['X', 'O', 'A'][..], "XO./.A."),
        ("order-chaos:3x3,k=3", 3, &['X', 'O'][..], "XXO/OOX/..."),
    ] {
        let (game, _) = OrderChaos::from_spelling(spelling).unwrap();
        let features = game.vocabulary();
        short_lists(&on_board(&game, features.as_ref(), from, k, letters, false), &mut count);
    }
    for (m, n, k, from) in [(2, 2, 2, "../.."), (2, 3, 2, "../../.."), (3, 3, 3, "X.O/OXX/XOO")] {
        let game = Drop::new(m, n, k);
        let features = game.vocabulary();
        short_lists(&on_board(&game, features.as_ref(), from, k, &['X', 'O'], true), &mut count);
    }
    count.say("texts of one line on boards");
}

#[test]
fn every_list_of_two_lines_on_the_smallest_boards() {
    let mut count = Count::default();
    for (m, n, k, from) in [(2, 2, 2, "../.."), (3, 1, 2, "..."), (3, 3, 3, "XO./.X./OXO")] {
        let game = Mnk::new(m, n, k);
        let features = game.vocabulary();
        let game = on_board(&game, features.as_ref(), from, k, &['X', 'O'], true);
        count.states += game.states.len() as u64;
        long_lists(&game, 1, &mut count);
    }
    count.say("texts of two lines on boards");
}

#[test]
#[ignore = "minutes of processor time"]
fn every_list_of_two_lines_on_larger_boards() {
    let mut count = Count::default();
    for (m, n, k, from) in [(2, 2, 2, "../.."), (3, 2, 3, "X../..O"), (3, 3, 3, "XO./.X./O..")] {
        let game = Mnk::new(m, n, k);
        let features = game.vocabulary();
        let game = on_board(&game, features.as_ref(), from, k, &['X', 'O'], true);
        count.states += game.states.len() as u64;
        long_lists(&game, usize::MAX, &mut count);
    }
    let (game, _) = OrderChaos::from_spelling("order-chaos:2x2,k=2").unwrap();
    let features = game.vocabulary();
    let game = on_board(&game, features.as_ref(), "X./..", 2, &['X', 'O'], false);
    count.states += game.states.len() as u64;
    long_lists(&game, usize::MAX, &mut count);
    count.say("texts of two lines on larger boards");
}

#[test]
fn every_list_of_two_lines_in_games_without_cells() {
    let mut count = Count::default();
    for tree in ["((+ -) (= (+ -)) -)", "(*(+ -) -)", "((*+ -) *(= (*+ -)) -)", "(((+ =) (- +)) ((= -) +))"] {
        let game = Tree::new(tree);
        let features = Pictured::new(&game);
        let game = plain(&game, &features);
        count.states += game.states.len() as u64;
        long_lists(&game, usize::MAX, &mut count);
    }
    for graph in ["a:b,c b:a,+ c:-,=", "a:b,+ b:a,a", "a:a,b b:=,-", "a:b,= b:a,c c:b,+"] {
        let game = Graph::new(graph);
        let features = Pictured::new(&game);
        let game = plain(&game, &features);
        count.states += game.states.len() as u64;
        long_lists(&game, usize::MAX, &mut count);
    }
    for graph in ["a:*b,c b:a,+ c:-,*a", "a:*a,b b:*c,= c:a,*-", "a:*b,*+ b:c,- c:*a,*="] {
        let game = FreeGraph::with_turns(graph);
        let features = Pictured::new(&game);
        let game = plain(&game, &features);
        count.states += game.states.len() as u64;
        long_lists(&game, usize::MAX, &mut count);
    }
    let (pile, take, dots) = (Pile::new(5), Take(5), Dots::new(1, 1));
    let (pile_seen, take_seen, dots_seen) = (Pictured::new(&pile), Pictured::new(&take), Pictured::new(&dots));
    long_lists(&plain(&pile, &pile_seen), usize::MAX, &mut count);
    long_lists(&plain(&take, &take_seen), usize::MAX, &mut count);
    long_lists(&plain(&dots, &dots_seen), usize::MAX, &mut count);
    count.say("texts of two lines in games without cells");
}

#[test]
fn every_short_list_of_rules_on_heaps() {
    let mut count = Count::default();
    for spelling in ["nim:1+2", "nim:2+2", "nim:1+2+3", "nim:1+3,play=misere"] {
        let (game, _) = Play::<Heaps<Nim>>::from_spelling(spelling).unwrap();
        let features = game.vocabulary();
        let game = heaps(&game, features.as_ref());
        short_lists(&game, &mut count);
        if game.states.len() < 20 {
            long_lists(&game, 2, &mut count);
        }
    }
    count.say("texts on heaps");
}

/// Every strategy as a book.
fn books<G: Notation + Symmetric>(game: &G, count: &mut Count) {
    let all = Written::new(game);
    let features = Pictured::new(game);
    count.states += all.len() as u64;
    for side in Player::BOTH {
        for map in every_choice(&all, side) {
            let places =
                map.iter().map(|(&pos, list)| (pos, list.iter().map(|&i| all.moves[pos][i].1).collect())).collect();
            let entry = |(&pos, list): (&usize, &Vec<usize>)| {
                let moves: Vec<&str> = list.iter().map(|&i| all.moves[pos][i].0.as_str()).collect();
                format!("  {} {}\n", all.names[pos], moves.join(" "))
            };
            let text = format!("exact book b\n{}", map.iter().map(entry).collect::<String>());
            for (least, within) in [(Wdl::Draw, None), (Wdl::Win, None), (Wdl::Draw, Some(2)), (Wdl::Win, Some(3))] {
                let certificate = Certificate {
                    game: "a game".into(),
                    rules: None,
                    from: game.show(&game.start()),
                    claim: Claim::AtLeast(side, least),
                    up_to_symmetry: false,
                    sections: vec![Section::Text { side, least, within, text: text.clone() }],
                };
                let accepted = check(game, &features, &certificate, &Ctx::default()).is_ok();
                assert_eq!(accepted, all.keeps(side, least, within, &places), "{side:?} {least} {within:?}\n{text}");
                count.tried += 1;
                count.accepted += u64::from(accepted);
            }
        }
    }
}

#[test]
fn every_strategy_as_a_book() {
    let mut count = Count::default();
    for tree in ["((+ -) (= (+ -)) -)", "(*(+ -) -)", "((*+ -) *(= (*+ -)) -)", "((= +) (+ (- =)))"] {
        books(&Tree::new(tree), &mut count);
    }
    let ends = ["a", "b", "+", "=", "-"];
    let mut rng = Rng::new(5);
    for _ in 0..60 {
        let mut row = || format!("{},{}", ends[rng.below(5)], ends[rng.below(5)]);
        books(&Graph::new(&format!("a:{} b:{}", row(), row())), &mut count);
    }
    books(&Pile::new(4), &mut count);
    books(&Take(4), &mut count);
    count.say("books");
}

/// A book of positions stands for their images; an exact one does not.
#[test]
fn a_book_stands_for_the_images_of_its_positions() {
    let game = Mnk::new(3, 1, 2);
    let features = game.vocabulary();
    let judge = |text: &str, side, least| {
        let certificate = Certificate {
            game: "mnk:3,1,2".into(),
            rules: None,
            from: "...".into(),
            claim: Claim::AtLeast(side, least),
            up_to_symmetry: false,
            sections: vec![Section::Text { side, least, within: None, text: text.into() }],
        };
        check(&game, features.as_ref(), &certificate, &Ctx::default()).map(|proved| proved.positions)
    };
    // From the middle the first player wins on either side: `OX.` is the image of `.XO`.
    let won = "book b\n  ... b1\n  OX. c1\n";
    assert_eq!(judge(won, Player::First, Wdl::Win), Ok(6));
    assert!(matches!(judge(&won.replace("book", "exact book"), Player::First, Wdl::Win), Err(Rejected::Refuted(_))));
    let pictures = "exact book b\n  ..? b1\n  OX? c1\n  ?X? a1\n";
    assert_eq!(judge(pictures, Player::First, Wdl::Win), Ok(6));
    // The first picture that fits counts, and moves that are not legal are left out.
    let first = "exact book b\n  ..? b1\n  ?X? a1\n  OX? c1\n";
    let why = judge(first, Player::First, Wdl::Win).unwrap_err();
    assert_eq!(why, Rejected::Refuted("at `OX.`: the strategy has no move for first, after b1 a1".into()));
}
