//! The language: what is read is written back, faults say where and what would do, and every evaluation ends.

use agon_core::Strategy as _;
use agon_core::toy::Pile;
use agon_core::{Family, Game, Player, collect_moves};
use agon_strategies::text::{
    At, Body, Comparison, Condition, Entry, Expression, Guard, Guarded, Name, Section, Step, Term, Text,
};
use agon_strategies::vocabulary::{FEATURES, vocabulary};
use agon_strategies::{Rules, Vocabulary, english};
use proptest::prelude::*;

fn fault(text: &str) -> String {
    let game = Pile::new(7);
    match Text::parse(text).and_then(|text| Rules::new(&game, &text)) {
        Ok(_) => "no fault".to_string(),
        Err(fault) => fault.to_string(),
    }
}

#[test]
fn faults_have_a_place_and_say_what_would_do() {
    for (text, expected) in [
        ("", "line 1, column 1: there is no rule; expected at least one"),
        ("rule a\n  on#board", "line 2, column 5: expected the name of a board"),
        ("rule a\n  on", "line 2, column 5: expected the name of a board"),
        ("only wins", "line 1, column 1: expected about, reading, rule, book, exact book, pairing or region"),
        ("rule", "line 1, column 5: expected a name here, the rest of the line"),
        (
            "rule a\n  lonely wins",
            "line 2, column 3: invalid line `lonely…`: expected when, only, prefer or on, or rule, book, exact book, \
             pairing or region",
        ),
        ("rule a\n  only winz", "line 2, column 8: no feature `winz`; did you mean `wins`?"),
        ("rule a\n  only xyzzyxyzzy", "line 2, column 8: no feature `xyzzyxyzzy`, see the list of features"),
        ("rule a\n  only wins and", "line 2, column 16: expected a feature, a number or ( here"),
        ("rule a\n  only (wins", "line 2, column 13: expected ) here"),
        (
            "rule a\n  only wins wins",
            "line 2, column 13: `wins` is one too many; expected and, or, a comparison or the end of the line",
        ),
        ("rule a\n  only replies", "line 2, column 8: `replies` is a number; expected a condition, like replies > 0"),
        ("rule a\n  only 3", "line 2, column 8: `3` is a number; expected a condition, like 3 > 0"),
        ("rule a\n  prefer max wins", "line 2, column 14: `wins` is a yes or no, not a number; use it alone"),
        (
            "rule a\n  prefer max not wins",
            "line 2, column 14: `not wins` is a condition; expected a number, like count(not wins)",
        ),
        ("rule a\n  when wins", "line 2, column 8: `wins` speaks of a move; a position can have any(wins)"),
        (
            "rule a\n  when replies > 1",
            "line 2, column 8: `replies` speaks of a move; a position can have most(replies)",
        ),
        (
            "rule a\n  only count(any(wins)) > 1",
            "line 2, column 18: any, count, most and least cannot be used inside one another",
        ),
        (
            "rule a\n  only corner",
            "line 2, column 8: `corner` means nothing in this game: it has no such cells or lines",
        ),
        ("rule a\n  only wins(3)", "line 2, column 8: `wins` takes nothing in parentheses"),
        (
            "rule a\n  only replies > 99999999",
            "line 2, column 18: invalid number `99999999`: expected -1000000..=1000000",
        ),
        ("rule a\n  on moon", "line 2, column 6: no board `moon`; this game has none"),
        ("rule a\nrule a", "line 2, column 1: `a` occurs twice; expected a new name"),
        ("[b] rule a", "line 1, column 5: no reading has the word `b`; there are none"),
        ("[b rule a", "line 1, column 4: expected a word of a reading and ], as in [rescued] or [not rescued]"),
        ("book a\n  7:first", "line 2, column 10: expected a move after the board"),
        ("book a\n  9:first 1", "line 2, column 3: invalid position `9:first`: expected 0..=7:first|second"),
        ("book a\n  7:first 5", "line 2, column 11: invalid move `5`: expected one of 1 2"),
        ("book a\n  ?7 5", "line 2, column 3: a board with ? stands for itself; expected an exact book"),
        ("region a\n  b2", "line 2, column 3: this game has no cells"),
        ("reading a b\nrule c", "line 1, column 9: expected words with commas between them, like rescued,exceptions"),
    ] {
        assert_eq!(fault(text), expected, "{text:?}");
    }
    let deep = format!("rule a\n  only {}wins{}", "(".repeat(100), ")".repeat(100));
    assert_eq!(fault(&deep), "line 2, column 41: too deep; expected at most 32 levels of parentheses");
    let sum = |terms: usize| format!("rule a\n  prefer min 0 {}", "- 1000000 ".repeat(terms - 1));
    assert_eq!(fault(&sum(1000)), "no fault");
    assert_eq!(fault(&sum(1001)), "line 2, column 10015: expected at most 1000 terms");
    assert_eq!(fault("rule a\n  only wins(\t)"), "line 2, column 14: expected a number or a word in the parentheses");
    let least = "invalid number `-2147483648`: expected -1000000..=1000000";
    assert_eq!(fault("rule a\n  only replies > -2147483648"), format!("line 2, column 18: {least}"));
    let long = format!("rule a\n# {}", "x".repeat(1 << 20));
    assert_eq!(fault(&long), "line 1, column 1: the text has 1048585 bytes; expected at most 1048576");
}

#[test]
fn the_first_rule_that_leaves_a_move_decides() {
    let game = Pile::new(7);
    let text =
        "rule win\n  only wins\nrule leave a multiple of three\n  only not lets-win\n  prefer max replies\nrule else";
    let rules = Rules::new(&game, &Text::parse(text).unwrap()).unwrap();
    let decided = |n: u8| rules.decide(&game, &(n, Player::First), 0);
    assert_eq!(decided(2), Some((0, vec![2])));
    assert_eq!(decided(4), Some((1, vec![1])), "leaving two would let the opponent win");
    assert_eq!(decided(3), Some((2, vec![1, 2])));
    let twice = rules.decide_twice(&game, &(2, Player::First), 0);
    assert_eq!(twice, [Some((0, vec![2])), Some((1, vec![2]))], "and without the first rule");
    assert_eq!(rules.reason(&game, &(2, Player::First), 2).as_deref(), Some("win"));
    assert_eq!(rules.without(&game, 0).unwrap().names().collect::<Vec<_>>(), ["leave a multiple of three", "else"]);
}

#[test]
fn readings_choose_lines() {
    let text = Text::parse("reading a\nreading b\n[a] rule one\n  only wins\nrule two\n  [not a] only wins\n").unwrap();
    let read = |reading: &str| text.read_as(reading).map(|text| text.to_string());
    assert_eq!(read("").unwrap(), "rule one\n  only wins\n\nrule two\n");
    assert_eq!(read("b").unwrap(), "rule two\n  only wins\n");
    assert_eq!(read("c"), None);
}

#[test]
fn rules_read_as_english() {
    let game = Pile::new(7);
    let text = Text::parse(
        "rule a\n  when mobility > 1\n  only wins or not lets-win\n  prefer max replies\nrule b\nbook c\n  3:first 1",
    );
    assert_eq!(
        english(&text.unwrap(), game.vocabulary().extras()),
        [
            "If the number of legal moves is more than 1, consider only moves for which the move wins or it is not so \
             that some reply to it wins. Of these, consider those with the largest value of the number of legal replies.",
            "Play any move.",
            "On the board of the book, or on one that is symmetric to it, play the move that it names.",
        ]
    );
}

#[test]
fn the_vocabulary_lists_what_a_game_has_with_its_cost() {
    let game = Pile::new(7);
    let (words, seen) = (Vocabulary::new(&game), vocabulary(game.vocabulary().as_ref()));
    assert_eq!(words.phrases(), seen);
    let names: Vec<&str> = seen.iter().map(|phrase| phrase.name).collect();
    assert_eq!(names, ["mobility", "first", "wins", "loses", "lets-win", "replies"]);
    assert!(seen.iter().all(|phrase| (phrase.bits - 6f64.log2()).abs() < 1e-9));
    let values = words.values(&game, &(2, Player::First), 0);
    assert_eq!(values, [(1, vec![2, 1, 0, 0, 1, 1]), (2, vec![2, 1, 1, 0, 0, 0])]);
    let mut names: Vec<&str> = FEATURES.iter().map(|feature| feature.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), FEATURES.len(), "every name once");
}

#[test]
fn longer_strategies_are_larger() {
    let game = Pile::new(7);
    let size = |text: &str| Rules::new(&game, &Text::parse(text).unwrap()).unwrap().size(&game);
    let (short, long) = (size("rule a\n  only wins"), size("rule a\n  only wins\nrule b\nbook c\n  3:first 1"));
    assert_eq!((short.rules, short.literals, short.book), (1, 1, 0));
    assert_eq!((long.rules, long.literals, long.book), (2, 1, 1));
    assert!((short.bits - (1.0 + 4.0 + 3.0 + 6f64.log2())).abs() < 1e-9 && long.bits > short.bits);
}

fn name() -> impl proptest::strategy::Strategy<Value = String> {
    "[a-z][a-z0-9-]{0,6}".prop_filter("keywords", |word| {
        !["and", "or", "not", "any", "count", "most", "least", "max", "min", "same"].contains(&word.as_str())
    })
}

fn named() -> impl proptest::strategy::Strategy<Value = Name> {
    name().prop_map(|word| Name { word, at: At::default() })
}

fn term() -> impl proptest::strategy::Strategy<Value = Term> {
    (name(), proptest::option::of(named())).prop_map(|(name, argument)| Term { name, argument, at: At::default() })
}

fn expression() -> BoxedStrategy<Expression> {
    let leaf = prop_oneof![(-9..99).prop_map(Expression::Number), term().prop_map(Expression::Feature)];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|e| Expression::Most(Box::new(e))),
            inner.clone().prop_map(|e| Expression::Least(Box::new(e))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Expression::Plus(Box::new(a), Box::new(b))),
            (inner.clone(), inner).prop_map(|(a, b)| Expression::Minus(Box::new(a), Box::new(b))),
        ]
    })
    .boxed()
}

fn condition() -> BoxedStrategy<Condition> {
    let comparison = (0..6usize).prop_map(|i| Comparison::ALL[i].1);
    let leaf = prop_oneof![
        term().prop_map(Condition::Flag),
        (expression(), comparison, expression()).prop_map(|(a, sign, b)| Condition::Compare(a, sign, b)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let several = || proptest::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            inner.clone().prop_map(|c| Condition::Not(Box::new(c))),
            inner.clone().prop_map(|c| Condition::Any(Box::new(c))),
            several().prop_map(Condition::And),
            several().prop_map(Condition::Or),
        ]
    })
    .boxed()
}

fn step() -> impl proptest::strategy::Strategy<Value = Step> {
    prop_oneof![
        named().prop_map(Step::On),
        condition().prop_map(Step::When),
        condition().prop_map(Step::Only),
        condition().prop_map(Step::Prefer),
        expression().prop_map(Step::Max),
        expression().prop_map(Step::Min),
    ]
}

fn section() -> impl proptest::strategy::Strategy<Value = Section> {
    let guard = || proptest::option::of(any::<bool>().prop_map(|wanted| Guard { word: "one".into(), wanted }));
    let guarded = (guard(), step()).prop_map(|(guard, step)| Guarded { guard, at: At::default(), step });
    let board = || "[XO.?/]{3,9}".prop_map(|word| Name { word, at: At::default() });
    let entry = (board(), proptest::collection::vec(named(), 1..3)).prop_map(|(board, moves)| Entry { board, moves });
    let body = prop_oneof![
        proptest::collection::vec(guarded, 0..5).prop_map(Body::Rule),
        (any::<bool>(), proptest::collection::vec(entry, 0..4))
            .prop_map(|(exact, entries)| Body::Book { exact, entries }),
        proptest::collection::vec((named(), named(), any::<bool>()), 0..4).prop_map(Body::Pairing),
        proptest::collection::vec(named(), 0..40).prop_map(Body::Region),
    ];
    ("[a-z(][a-z:,() 0-9]{0,20}[a-z)]", guard(), body).prop_map(|(name, guard, body)| Section {
        name,
        guard,
        at: At::default(),
        body,
    })
}

#[test]
fn words_of_headings_are_printed_where_they_are_no_headings() {
    let same = |text: &str, as_text: &str| {
        let read = Text::parse(text).unwrap();
        assert_eq!(read.to_string(), as_text);
        assert_eq!(Text::parse(as_text).as_ref(), Ok(&read));
    };
    // Any white space may stand between the two words; libFuzzer found a tab.
    same("exact\tbook  a\n  .../.../... b2\n", "exact book a\n  .../.../... b2\n");
    same("book exact  book\n  exact rule\n", "book exact  book\n  exact rule\n");
    // The seventeenth cell would begin a line.
    let cells: Vec<String> = (1..=16).map(|i| format!("c{i}")).collect();
    let cells = cells.join(" ");
    same(&format!("region a\n  {cells} book d\n"), &format!("region a\n  {cells} book d\n"));
    same(&format!("region a\n  {cells} [b] d\n"), &format!("region a\n  {cells} [b] d\n"));
    same(&format!("region a\n  {cells} b d\n"), &format!("region a\n  {cells}\n  b d\n"));
}

proptest! {
    #[test]
    fn what_is_written_reads_back_as_the_same_strategy(sections in proptest::collection::vec(section(), 1..6)) {
        let text = Text { about: vec!["a text".into()], readings: vec!["one,two".into(), "two".into()], sections };
        let written = text.to_string();
        // Words that begin a line of a section must not look like a heading.
        let headings = ["rule", "book", "region", "pairing", "about", "exact"];
        prop_assume!(!written.lines().any(|line| line.starts_with("  ") && headings.iter().any(|h| line.trim().starts_with(h))));
        let again = Text::parse(&written).map_err(|fault| TestCaseError::fail(format!("{fault}\n{written}")))?;
        prop_assert_eq!(&again, &text, "{}", written);
        prop_assert_eq!(again.to_string(), written);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(rule|book|only|when|prefer|max|[ \\n()#<>=+?/-]|wins|replies|any|\\PC){0,60}") {
        if let Ok(text) = Text::parse(&text) {
            let again = Text::parse(&text.to_string());
            prop_assert_eq!(again.as_ref(), Ok(&text));
            let game = Pile::new(5);
            if let Ok(rules) = Rules::new(&game, &text) {
                let pos = game.start();
                let legal = collect_moves(&game, &pos);
                prop_assert!(rules.choices(&game, &pos).iter().all(|mv| legal.contains(mv)));
            }
        }
    }
}
