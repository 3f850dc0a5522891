use super::*;
use crate::graph::Truth;
use crate::statement::{Statement, Verdict};
use crate::witness::{Answer, Where, Witness};
use agon_core::family::{Params, split_spelling};
use agon_core::scene::Scene;
use agon_core::{Bounds, Facts, Kind, Outcome, Param, Player, Status, Wdl};
use agon_play::learned::Settings;
use agon_registry::erased::{AnyAgent, AnyRules, AnyTrainer, View};
use agon_report::Report;
use agon_report::words::Paint;
use serde_json::json;

/// The games that come with agon, with boards from files.
fn games() -> Registry {
    Registry::standard().with_board_files()
}

fn explored(spelling: &str) -> (Box<dyn AnyGame>, Graph) {
    let game = games().game(spelling).expect("a game");
    let graph = Graph::explore(game.as_ref(), "start", 20_000, &Ctx::default()).expect("a graph");
    (game, graph)
}

fn slice(families: &[&str]) -> SelftestReport {
    let families = families.iter().map(ToString::to_string).collect();
    let options = Options { registry: games(), families, size: Size::Slice, seed: 1 };
    run(&options, &Ctx::default().with_threads(2)).expect("a report")
}

#[test]
fn the_truth_matches_published_numbers() {
    // 5,478 positions and 255,168 games: 131,184 won by X, 77,904 by O, 46,080 drawn.
    let (_, graph) = explored("tic-tac-toe");
    assert_eq!((graph.len(), graph.complete()), (5_478, true));
    assert_eq!(graph.games(), Some([131_184, 77_904, 46_080]));
    assert_eq!(graph.truth(0), Truth::Known(Wdl::Draw, Some(9)));
    assert_eq!(graph.finished(), [626, 316, 16]);
    // Grundy's game: G(5) = G(8) = 2, G(7) = 0, G(3) = 1.
    for (heaps, nimber) in [("5", 2), ("8", 2), ("7", 0), ("5+8", 0), ("3+8", 3)] {
        assert_eq!(explored(&format!("grundy:{heaps}")).1.nimber(0), Some(nimber), "{heaps}");
    }
    // Antrin on 3 × 3 is a draw, and its drawn plays never end, so that no number of plies belongs to them.
    let (_, graph) = explored("antrin:3");
    assert_eq!((graph.complete(), graph.truth(0)), (true, Truth::Known(Wdl::Draw, None)));
}

#[test]
fn what_lies_beyond_the_limit_is_open() {
    let game = games().game("tic-tac-toe").expect("a game");
    let graph = Graph::explore(game.as_ref(), "XX./OO./...", 4, &Ctx::default()).expect("a graph");
    assert!(!graph.complete());
    assert_eq!(graph.truth(0), Truth::Known(Wdl::Win, Some(1)));
    let far = Graph::explore(game.as_ref(), "start", 100, &Ctx::default()).expect("a graph");
    let Truth::Open(horizon) = far.truth(0) else { panic!("{}", far.truth(0)) };
    assert!((1..5).contains(&horizon), "a win takes five plies at least; {horizon}");
    let differs = |statement: Statement| matches!(statement.judge(&far, 0), statement::Verdict::Differs { .. });
    assert!(differs(Statement::Value(Bounds::exactly(Wdl::Win), Some(1))), "it would have been found");
    assert!(!differs(Statement::Value(Bounds::exactly(Wdl::Win), Some(9))), "the graph is too small to decide");
}

/// Take one counter, or take two and move again; the side to move loses when none is left.
struct MoveAgain;

impl AnyRules for MoveAgain {
    fn facts(&self) -> &Facts {
        &agon_registry::standard().entries().next().expect("a family").facts
    }
    fn spelling(&self) -> &str {
        "move-again"
    }
    fn rules_line(&self) -> Option<&str> {
        None
    }
    fn player_name(&self, player: Player) -> String {
        player.name().into()
    }
    fn start(&self) -> String {
        "4:first".into()
    }
    fn position(&self, text: &str) -> Result<String, Failure> {
        Ok(text.replace("start", "4:first"))
    }
    fn turn(&self, pos: &str) -> Result<Player, Failure> {
        Ok(if pos.ends_with("first") { Player::First } else { Player::Second })
    }
    fn status(&self, pos: &str) -> Result<Status, Failure> {
        let turn = self.turn(pos)?;
        Ok(if pos.starts_with('0') { Status::Over(Outcome::Win(turn.other())) } else { Status::Turn(turn) })
    }
    fn moves(&self, pos: &str) -> Result<Vec<String>, Failure> {
        let most = if pos.starts_with('1') { 1 } else { 2 };
        Ok((1..=most).map(|take: u32| take.to_string()).collect())
    }
    fn count_moves(&self, pos: &str) -> Result<u64, Failure> {
        Ok(self.moves(pos)?.len() as u64)
    }
    fn look(&self, _: &str, _: usize) -> Result<View, Failure> {
        unreachable!("not asked")
    }
    fn play(&self, pos: &str, mv: &str) -> Result<(String, String), Failure> {
        let (left, turn) = (u32::from(pos.as_bytes()[0] - b'0'), self.turn(pos)?);
        let (take, next) = if mv == "1" { (1, turn.other()) } else { (2, turn) };
        Ok((mv.into(), format!("{}:{}", left - take, next.name())))
    }
    fn end_reason(&self, _: &str) -> Result<&'static str, Failure> {
        unreachable!("not asked")
    }
    fn scene(&self, _: &str) -> Result<Scene, Failure> {
        unreachable!("not asked")
    }
    fn path(&self, _: &str, _: &str) -> Result<Vec<usize>, Failure> {
        unreachable!("not asked")
    }
    fn perft(&self, _: &str, _: u32, _: Option<usize>, _: &Ctx) -> Result<Vec<u64>, Failure> {
        unreachable!("not asked")
    }
    fn divide(&self, _: &str, _: u32, _: Option<usize>, _: &Ctx) -> Result<Vec<(String, u64)>, Failure> {
        unreachable!("not asked")
    }
    fn trainer(&self, _: Settings, _: u64) -> Box<dyn AnyTrainer> {
        unreachable!("not asked")
    }
    fn learned(&self, _: (&str, &str), _: u64) -> Result<Box<dyn AnyAgent>, Failure> {
        unreachable!("not asked")
    }
}

#[test]
fn a_value_changes_sides_only_where_the_turn_does() {
    let graph = Graph::explore(&MoveAgain, "start", 100, &Ctx::default()).expect("a graph");
    for (position, value, plies) in
        [("4:first", Wdl::Loss, 3), ("3:second", Wdl::Win, 2), ("2:first", Wdl::Loss, 2), ("0:first", Wdl::Loss, 0)]
    {
        let at = graph.find(position).expect("a reachable position");
        assert_eq!(graph.truth(at), Truth::Known(value, Some(plies)), "{position}");
    }
}

#[test]
fn every_family_is_tested_at_three_sizes_or_more() {
    let files = TempDir::new().expect("a directory");
    let registry = games();
    let all: Vec<&Entry> = registry.entries().collect();
    for size in [Size::Slice, Size::Quick, Size::Whole] {
        let subjects = plan(&registry, &all, &size.extent(), 1, &files).expect("a plan");
        for entry in registry.entries() {
            let own: Vec<&str> =
                subjects.iter().filter(|s| s.family == entry.facts.family).map(|s| s.spelling.as_str()).collect();
            let different: std::collections::BTreeSet<&str> = own.iter().copied().collect();
            assert!(own.len() >= 3 && different.len() == own.len(), "{own:?}");
            own.iter().for_each(|spelling| assert!(games().game(spelling).is_ok(), "{spelling}"));
        }
    }
}

/// The values seen for each key.
type Seen = std::collections::BTreeMap<String, std::collections::BTreeSet<String>>;

/// The keys seen with one value alone.
fn never_varied(seen: &Seen) -> Vec<&str> {
    seen.iter().filter(|(_, values)| values.len() < 2).map(|(key, _)| key.as_str()).collect()
}

/// The value of a parameter in a spelling. A list with commas is read by its family alone: there it is all that stands
/// before the named parameters.
fn value_of(facts: &Facts, param: &Param, spelling: &str) -> String {
    let text = split_spelling(spelling).1;
    if let Ok(params) = Params::parse(facts, spelling, text) {
        return params.text(&param.name).to_string();
    }
    let (named, list): (Vec<&str>, Vec<&str>) = text.split(',').partition(|part| part.contains('='));
    let given = named.iter().find_map(|part| part.strip_prefix(param.name.as_str())?.strip_prefix('='));
    if param.positional { list.join(",") } else { given.unwrap_or(&param.default).to_string() }
}

#[test]
fn every_parameter_of_every_family_is_varied_and_every_word_of_it_tried() {
    let files = TempDir::new().expect("a directory");
    let registry = games();
    let all: Vec<&Entry> = registry.entries().filter(|entry| entry.facts.family != "board").collect();
    let subjects: Vec<Subject> =
        (1..=24).flat_map(|seed| plan(&registry, &all, &Size::Whole.extent(), seed, &files).expect("a plan")).collect();
    let (mut seen, mut untried) = (Seen::new(), Vec::new());
    for entry in all {
        let facts = &entry.facts;
        for subject in subjects.iter().filter(|subject| subject.family == facts.family) {
            for param in &facts.params {
                let key = format!("{}:{}", facts.family, param.name);
                seen.entry(key).or_default().insert(value_of(facts, param, &subject.spelling));
            }
        }
        for param in &facts.params {
            let Kind::Word(words) = &param.kind else { continue };
            let tried = &seen[&format!("{}:{}", facts.family, param.name)];
            let untried_words = words.iter().filter(|word| !tried.contains(*word));
            untried.extend(untried_words.map(|word| format!("{}:{}={word}", facts.family, param.name)));
        }
    }
    assert_eq!(never_varied(&seen), Vec::<&str>::new());
    // Many men, and the boards of morris with 24 points, need tables that are too large for a subject.
    let large =
        |word: &str| word.contains(":men=") || ["nine", "morabaraba", "lasker"].iter().any(|b| word.ends_with(b));
    untried.retain(|word| !large(word));
    assert_eq!(untried, Vec::<String>::new());
}

#[test]
fn every_word_of_the_rules_of_a_board_is_varied() {
    let files = TempDir::new().expect("a directory");
    let mut seen = Seen::new();
    for seed in 1..=16 {
        for spelling in
            board_files(&games(), "board", Size::Whole.extent().random, &mut Rng::new(seed), &files).expect("boards")
        {
            let game = games().game(&spelling).expect("a game");
            for (key, value) in game.rules_line().expect("rules").split(' ').filter_map(|word| word.split_once('=')) {
                seen.entry(key.into()).or_default().insert(value.into());
            }
        }
    }
    assert_eq!(seen.len(), 12, "{seen:?}");
    assert_eq!(never_varied(&seen), Vec::<&str>::new());
    for (key, values) in [("line", 2), ("fly", 3), ("blocked", 3), ("early", 3), ("bar", 3), ("mixed", 2)] {
        assert_eq!(seen[key].len(), values, "{key}: {:?}", seen[key]);
    }
}

#[test]
fn the_methods_of_every_family_agree_with_the_rules() {
    let report = slice(&[]);
    assert!(report.holds(), "{}", report.text(Paint::PLAIN));
    assert_eq!(report.families.len(), games().entries().count());
    // In a slice many graphs are truncated, so little is known in one family; over all families every method is
    // compared.
    for family in &report.families {
        assert!(family.comparisons > 0 && family.games.len() >= 3, "{family:?}");
    }
    for method in ["auto", "brute", "strong", "certificate by auto", "values", "perfect", "count", "tables"] {
        let testimony: u64 = report.families.iter().filter_map(|family| family.methods.get(method)).sum();
        assert!(testimony > 10, "{testimony} comparisons by {method}");
    }
}

#[test]
fn the_same_seed_compares_the_same_things() {
    let compared = |report: SelftestReport| (report.comparisons, serde_json::to_value(report.families).ok());
    let alone =
        run(&Options { registry: games(), families: vec!["heap".into()], size: Size::Slice, seed: 1 }, &Ctx::default());
    assert_eq!(compared(slice(&["HEAP"])), compared(alone.expect("a report")), "threads and case make no difference");
}

#[test]
fn unknown_families_are_named_with_what_would_do() {
    let options =
        Options { registry: games(), families: vec!["mnk".into(), "chess".into()], size: Size::Slice, seed: 1 };
    let failure = run(&options, &Ctx::default()).expect_err("a failure");
    assert_eq!(failure.code(), 2);
    assert!(failure.message().is_some_and(|text| text.contains("`chess`") && text.contains("order-chaos")));
}

#[test]
fn a_stopped_test_says_so() {
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let options = Options { registry: games(), families: vec!["nim".into()], size: Size::Slice, seed: 1 };
    assert!(run(&options, &Ctx::default().with_cancel(stop)).is_err());
}

/// Asks one witness everywhere, and gives what it says that is false.
fn false_statements(graph: &Graph, ask: impl Fn(&str) -> Vec<Statement>) -> Vec<False> {
    let answer = |position: &str| -> Vec<Answer> { ask(position).into_iter().map(|s| (position.into(), s)).collect() };
    let mut witnesses = [Witness {
        name: "an old fault".into(),
        command: "agon solve GAME --from POS".into(),
        place: Where::Everywhere,
        ask: Box::new(move |position, _| Ok(answer(position))),
    }];
    let limits = QueryLimits { limit: 20_000, positions: 20_000, answer_nodes: 1, witness_nodes: u64::MAX };
    let testimony = question(graph, &mut witnesses, limits, &mut Rng::new(1), &Ctx::default()).expect("an answer");
    assert!(testimony.comparisons[0].1 > 0, "nothing was compared");
    testimony.wrong
}

/// Nim-values of Grundy's game as a table that grows heap by heap of a sum. Marks are cleared below the power of two
/// above `top`, the largest value so far; a table that is taken up again once forgot it (`forgetful`).
fn nimber_of_sum(heaps: &[usize], forgetful: bool) -> u32 {
    let mut values: Vec<u32> = vec![0];
    let mut sum = 0;
    for &heap in heaps {
        let mut top = if forgetful { 1 } else { values.iter().max().map_or(1, |&most| most as usize + 1) };
        let mut seen = vec![false; 256];
        for n in values.len()..=heap {
            (1..n.div_ceil(2)).for_each(|a| seen[(values[a] ^ values[n - a]) as usize] = true);
            let mex = seen.iter().position(|seen| !seen).expect("a value");
            values.push(mex as u32);
            top = top.max(mex + 1);
            seen[..top.next_power_of_two()].fill(false);
        }
        sum ^= values[heap];
    }
    sum
}

#[test]
fn a_table_of_nim_values_that_forgets_its_marks_is_found_out() {
    let (_, graph) = explored("grundy:5+8");
    let ask = |forgetful: bool| {
        move |position: &str| {
            let heaps = position.split('@').next().unwrap_or_default();
            let heaps: Vec<usize> = heaps.split('+').filter_map(|heap| heap.parse().ok()).collect();
            vec![Statement::Nimber(nimber_of_sum(&heaps, forgetful))]
        }
    };
    let wrong = false_statements(&graph, ask(true));
    assert!(wrong.iter().any(|wrong| wrong.position == "5+8" && wrong.expected == "nimber 0"), "{wrong:?}");
    assert_eq!(false_statements(&graph, ask(false)), []);
}

/// Returns whether every line of a board in one row that Order can still fill gets two empty cells of its own.
fn private_pairs(cells: &[u8], k: usize) -> bool {
    fn place(line: usize, lines: &[Vec<usize>], owner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
        for &cell in &lines[line] {
            if !std::mem::replace(&mut seen[cell], true)
                && owner[cell].is_none_or(|other| other != line && place(other, lines, owner, seen))
            {
                owner[cell] = Some(line);
                return true;
            }
        }
        false
    }
    let live = |line: &&[u8]| {
        let mut marks = line.iter().filter(|&&cell| cell != b'.');
        marks.next().is_none_or(|first| marks.all(|mark| mark == first))
    };
    let windows = cells.windows(k).enumerate().filter(|(_, line)| live(line));
    let lines: Vec<Vec<usize>> =
        windows.map(|(from, _)| (from..from + k).filter(|&cell| cells[cell] == b'.').collect()).collect();
    let mut owner = vec![None; cells.len()];
    (0..2 * lines.len()).all(|slot| place(slot / 2, &lines, &mut owner, &mut vec![false; cells.len()]))
}

#[test]
fn pairs_that_one_mark_cannot_spoil_are_found_out() {
    // Chaos answers in a pair with another mark. With one mark there is none, which was once forgotten (`forgetful`).
    let ask = |spelling: &'static str, marks: usize, forgetful: bool| {
        let game = games().game(spelling).expect("a game");
        move |position: &str| {
            let cells = position.as_bytes();
            let spoiled = (marks > 1 || forgetful) && private_pairs(cells, 3);
            let mover = game.player_name(game.turn(position).expect("a turn"));
            let value = if mover == "chaos" { Wdl::Win } else { Wdl::Loss };
            let value = if spoiled { Bounds::exactly(value) } else { Bounds::UNKNOWN };
            vec![Statement::Value(value, None), Statement::Holds(Ok(()))]
        }
    };
    for (spelling, marks) in [("order-chaos:3x1,k=3,symbols=1", 1), ("order-chaos:4x1,k=3", 2)] {
        let graph = explored(spelling).1;
        let wrong = false_statements(&graph, ask(spelling, marks, true));
        assert_eq!(wrong.is_empty(), marks > 1, "{spelling}: {wrong:?}");
        assert_eq!(false_statements(&graph, ask(spelling, marks, false)), []);
    }
}

#[test]
fn false_moves_counts_failures_and_panics_are_found_out() {
    let (_, graph) = explored("nim:1+2");
    let wrong = |statement: Statement| {
        !false_statements(&graph, |_| vec![statement.clone(), Statement::Holds(Ok(()))]).is_empty()
    };
    assert!(wrong(Statement::Keeps("1>0".into(), false)), "2>1 is the only winning move");
    let at_root = |statement: Statement| statement.judge(&graph, 0) == Verdict::Agrees;
    let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
    for (moves, right) in [("2>1", true), ("1>0", false), ("1>0 2>1", false), ("", false)] {
        assert_eq!(at_root(Statement::Best(words(moves), true)), right, "exactly 2>1 wins, not {moves}");
    }
    for (line, right) in [("2>1 1>0 1>0", true), ("2>1", true), ("1>0", false), ("2>1 2>0", false), ("2>0 1>0", false)]
    {
        assert_eq!(at_root(Statement::Line(words(line), true)), right, "{line}");
    }
    assert!(wrong(Statement::Winning(vec![])));
    assert!(wrong(Statement::Move("2>1".into(), Wdl::Loss, None)));
    assert!(wrong(Statement::Value(Bounds::exactly(Wdl::Win), Some(2))), "a win takes an odd number of plies");
    assert!(wrong(Statement::Within(1)), "1+2 is won in three plies");
    assert!(wrong(Statement::NoneWithin(3)));
    assert!(wrong(Statement::Positions(3)) && wrong(Statement::Totals([0; 3])) && wrong(Statement::Games([0; 3])));
    assert!(wrong(Statement::Holds(Err("it fails".into()))));
    let panics = false_statements(&graph, |position| {
        assert!(position != "1+2", "out of bounds");
        vec![Statement::Holds(Ok(()))]
    });
    assert!(panics.len() == 1 && panics[0].said.contains("out of bounds"), "{panics:?}");
}

#[test]
fn a_disagreement_comes_with_commands_for_a_shell() {
    let mut report = SelftestReport::new(7, true, "took part".into());
    let subject = Subject { family: "heap".into(), spelling: "heap:0.07:4".into(), seed: 1 };
    let testimony = {
        let graph = explored("heap:0.07:4").1;
        let mut testimony = Testimony::default();
        let said = vec![("4".to_string(), Statement::Nimber(9))];
        testimony.add("auto", "agon solve GAME --from POS", said, &graph);
        testimony
    };
    let tested = Tested { game: "heap:0.07:4".into(), explored: 5, testimony, brute: true };
    enter(&mut report, &subject, &tested);
    let json = serde_json::to_value(&report).expect("JSON");
    assert_eq!(json["disagreements"][0]["commands"][0], "agon solve heap:0.07:4 --from 4");
    assert_eq!((&json["comparisons"], &json["seed"], &json["quick"]), (&json!(1), &json!(7), &json!(true)));
    assert_eq!(json["families"][0]["methods"]["auto"], 1);
    assert!(!report.holds());
}
