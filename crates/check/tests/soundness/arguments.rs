//! Pairings and lifted strategies of Order and Chaos: whole certificates, on every board that is small enough.

use crate::Count;
use crate::truth::{ROWS, Row, Truth, Variant};
use agon_check::{Certificate, Claim, Rejected, Section, check_lines};
use agon_core::features::Pictured;
use agon_core::{Ctx, Notation, Player, Wdl};
use agon_games::order_chaos::{OrderChaos, lines};

fn game(variant: &Variant, order_first: bool) -> OrderChaos {
    let row = match variant.row {
        Row::AtLeast => lines::Row::AtLeast,
        Row::Exact => lines::Row::Exact,
        Row::ExactFinal => lines::Row::ExactFinal,
    };
    OrderChaos::new(variant.columns, variant.rows, variant.k, variant.marks, order_first, row)
}

fn certificate(from: &str, claim: Claim, section: Section) -> Certificate {
    Certificate {
        game: "order-chaos".into(),
        rules: None,
        from: from.into(),
        claim,
        up_to_symmetry: false,
        sections: vec![section],
    }
}

fn accepted(game: &OrderChaos, from: &str, claim: Claim, section: Section) -> bool {
    let certificate = certificate(from, claim, section);
    check_lines(game, &Pictured::new(game), &certificate, &Ctx::default()).is_ok()
}

fn empty(variant: &Variant) -> String {
    vec![".".repeat(variant.columns); variant.rows].join("/")
}

/// Every way to pair up cells, with the same mark or with different ones; cells may be left over.
fn pairings(cells: &[usize], whole: bool) -> Vec<Vec<(usize, usize, bool)>> {
    let Some((&first, rest)) = cells.split_first() else { return vec![Vec::new()] };
    let mut all = if whole { Vec::new() } else { pairings(rest, whole) };
    for &other in rest {
        let left: Vec<usize> = rest.iter().copied().filter(|&cell| cell != other).collect();
        for list in pairings(&left, whole) {
            all.extend([true, false].map(|same| [vec![(first, other, same)], list.clone()].concat()));
        }
    }
    all
}

/// Every pairing of a board as a certificate of a win for Chaos.
fn every_pairing(columns: usize, rows: usize, marks: usize, whole: bool) -> Count {
    let mut count = Count::default();
    for row in ROWS {
        for k in 1..=columns.max(rows) {
            let variant = Variant { columns, rows, k, marks, row, one_sided: false };
            let truth = Truth::new(variant);
            let name = |cell: usize| format!("{}{}", char::from(b'a' + (cell % columns) as u8), rows - cell / columns);
            for order_first in [true, false] {
                let game = game(&variant, order_first);
                let chaos_wins = !truth.get(0, order_first, false);
                let claim = Claim::Value(if order_first { Wdl::Loss } else { Wdl::Win });
                let cells: Vec<usize> = (0..columns * rows).collect();
                for list in pairings(&cells, whole) {
                    let named = list.iter().map(|&(a, b, same)| (name(a), name(b), same)).collect();
                    let accepted = accepted(&game, &empty(&variant), claim, Section::Pairing(named));
                    assert!(!accepted || chaos_wins, "{variant:?} {order_first} {list:?}");
                    // Every reply keeps to the pairs, so a pairing that covers the board holds if no full board breaks
                    // it.
                    let fits = row == Row::ExactFinal && order_first && marks == 2;
                    let covers = 2 * list.len() == columns * rows;
                    assert_eq!(accepted, fits && covers && holds(&variant, &list), "{variant:?} {list:?}");
                    count.tried += 1;
                    count.accepted += u64::from(accepted);
                }
            }
        }
    }
    count
}

/// Returns whether no full board that agrees with the pairs has a row.
fn holds(variant: &Variant, list: &[(usize, usize, bool)]) -> bool {
    let lines = variant.lines();
    (0..1u32 << list.len()).all(|choice| {
        let mut marks = vec![0; variant.cells()];
        for (i, &(a, b, same)) in list.iter().enumerate() {
            marks[a] = 1 + (choice >> i & 1) as u8;
            marks[b] = if same { marks[a] } else { 3 - marks[a] };
        }
        !lines.iter().any(|line| {
            line.wants.iter().all(|&cell| marks[cell] == line.mark)
                && line.avoids.iter().all(|&cell| marks[cell] != line.mark)
        })
    })
}

#[test]
fn no_pairing_proves_a_false_claim() {
    let mut count = Count::default();
    for (columns, rows) in [(2, 1), (3, 1), (4, 1), (2, 2), (5, 1), (6, 1), (3, 2)] {
        for marks in 1..=if columns * rows < 5 { 4 } else { 2 } {
            count.add(every_pairing(columns, rows, marks, false));
        }
    }
    count.add(every_pairing(4, 2, 2, true));
    count.say("pairings, boards of up to 8 cells");
    assert!(count.tried > 40_000 && count.accepted > 100, "{count:?}");
}

#[test]
fn a_pairing_must_begin_at_the_empty_board_and_use_each_cell_once() {
    let variant = Variant { columns: 2, rows: 1, k: 1, marks: 2, row: Row::ExactFinal, one_sided: false };
    let two = Variant { k: 2, ..variant };
    let pair = |a: &str, b: &str, same| Section::Pairing(vec![(a.into(), b.into(), same)]);
    let judge =
        |variant: &Variant, from: &str, section| accepted(&game(variant, true), from, Claim::Value(Wdl::Loss), section);
    assert!(judge(&two, "..", pair("a1", "b1", false)));
    for (from, section) in [
        ("..", pair("b1", "a1", false)),
        ("..", pair("a1", "a1", false)),
        ("..", pair("a1", "c1", false)),
        ("..", pair("A1", "b1", false)),
        ("..", pair("a1", "b1", true)),
        ("XO", pair("a1", "b1", false)),
        ("..", Section::Pairing(vec![])),
        ("..", Section::Pairing(vec![("a1".into(), "b1".into(), false), ("a1".into(), "b1".into(), false)])),
    ] {
        assert!(!judge(&two, from, section.clone()), "{from} {section:?}");
    }
    assert!(!judge(&variant, "..", pair("a1", "b1", false)), "a single mark is a row of one");
}

/// A strategy for Order that wins the inner board, if there is one: every position and one winning move.
fn inner(n: usize, order_first: bool) -> Option<Vec<(String, Vec<String>)>> {
    let variant = Variant { columns: n, rows: n, k: n, marks: 2, row: Row::AtLeast, one_sided: false };
    let (truth, game) = (Truth::new(variant), game(&variant, order_first));
    if !truth.get(0, order_first, false) {
        return None;
    }
    let (mut entries, mut todo, lines) =
        (std::collections::BTreeMap::new(), vec![(0usize, order_first)], variant.lines());
    while let Some((board, maker)) = todo.pop() {
        let digits = variant.digits(board);
        let made = lines.iter().any(|line| line.wants.iter().all(|&cell| digits[cell] == line.mark));
        let text = game.show(&game.parse(&show(&variant, &digits)).expect("a position"));
        if made || entries.contains_key(&text) {
            continue;
        }
        let mut after = Vec::new();
        for cell in (0..n * n).filter(|&cell| digits[cell] == 0) {
            for mark in 1..=2usize {
                after.push((cell, mark, board + mark * variant.base().pow(cell as u32)));
            }
        }
        if maker {
            let &(cell, mark, next) = after.iter().find(|(_, _, next)| truth.get(*next, false, false))?;
            let name = format!("{}{}", char::from(b'a' + (cell % n) as u8), n - cell / n);
            entries.insert(text, vec![format!("{}@{name}", ["X", "O"][mark - 1])]);
            todo.push((next, false));
        } else {
            todo.extend(after.into_iter().map(|(_, _, next)| (next, true)));
        }
    }
    Some(entries.into_iter().collect())
}

fn show(variant: &Variant, digits: &[u8]) -> String {
    let rows = digits.chunks(variant.columns).map(|row| row.iter().map(|&d| char::from(b".XOAB"[usize::from(d)])));
    rows.map(String::from_iter).collect::<Vec<_>>().join("/")
}

/// A strategy for the inner board of n as a text for the board around it.
fn book(n: usize, entries: &[(String, Vec<String>)]) -> String {
    let border = ".".repeat(n + 2);
    let outward = |mv: &String| {
        let (mark, cell) = mv.split_once('@').expect("a mark and a cell");
        let (column, row) = cell.split_at(1);
        let column = char::from(column.as_bytes()[0] + 1);
        format!("{mark}@{column}{}", row.parse::<usize>().expect("a row") + 1)
    };
    let line = |(pos, moves): &(String, Vec<String>)| {
        let rows: Vec<String> = pos.split('/').map(|row| format!(".{row}.")).collect();
        let moves: Vec<String> = moves.iter().map(outward).collect();
        format!("  {border}/{}/{border} {}\n", rows.join("/"), moves.join(" "))
    };
    format!("exact book all\n{}", entries.iter().map(line).collect::<String>())
}

/// The lemma for boards of n+2, in every variant, with an inner strategy that wins.
fn lifted(n: usize) -> Count {
    let mut count = Count::default();
    for row in ROWS {
        for marks in 1..=2 {
            for k in 1..=n + 2 {
                let variant = Variant { columns: n + 2, rows: n + 2, k, marks, row, one_sided: false };
                for order_first in [true, false] {
                    let Some(entries) = inner(n, order_first) else { continue };
                    let game = game(&variant, order_first);
                    let claim = Claim::AtLeast(if order_first { Player::First } else { Player::Second }, Wdl::Win);
                    // Both kinds of section say the same.
                    let accepts = |entries: Vec<(String, Vec<String>)>| {
                        let text = Section::LiftedText(book(n, &entries));
                        let as_text = accepted(&game, &empty(&variant), claim, text);
                        let listed = accepted(&game, &empty(&variant), claim, Section::Lifted(entries));
                        assert_eq!(as_text, listed, "{variant:?} {order_first}");
                        listed
                    };
                    let by_lemma = accepts(entries.clone());
                    count.tried += 2;
                    count.accepted += u64::from(by_lemma);
                    let even = !order_first && n.is_multiple_of(2);
                    // A single cell has no two ends, so the argument needs n > 1.
                    let fits = n > 1 && marks == 2 && k == n + 1 && (row != Row::ExactFinal || even);
                    assert_eq!(by_lemma, fits, "{variant:?} {order_first}");
                    if by_lemma {
                        assert!(order_wins(&variant, order_first), "{variant:?} {order_first}");
                    }
                    for missing in 0..entries.len() {
                        let mut fewer = entries.clone();
                        fewer.remove(missing);
                        assert!(!accepts(fewer), "{variant:?}");
                        count.tried += 2;
                    }
                }
            }
        }
    }
    count
}

/// Returns whether Order wins from the empty board, by looking at moves one after the other, with what is known kept.
fn order_wins(variant: &Variant, order_first: bool) -> bool {
    fn wins(
        variant: &Variant,
        lines: &[crate::truth::Line],
        digits: &mut Vec<u8>,
        maker: bool,
        known: &mut std::collections::HashMap<(Vec<u8>, bool), bool>,
    ) -> bool {
        let complete = lines.iter().any(|line| {
            line.wants.iter().all(|&cell| digits[cell] == line.mark)
                && line.avoids.iter().all(|&cell| digits[cell] != line.mark)
        });
        let full = !digits.contains(&0);
        if full || (complete && variant.row != Row::ExactFinal) {
            return complete;
        }
        if let Some(&value) = known.get(&(digits.clone(), maker)) {
            return value;
        }
        let mut found = !maker;
        'moves: for cell in (0..digits.len()).filter(|&cell| digits[cell] == 0).collect::<Vec<_>>() {
            for mark in 1..=variant.marks as u8 {
                digits[cell] = mark;
                let value = wins(variant, lines, digits, !maker, known);
                digits[cell] = 0;
                if value == maker {
                    found = maker;
                    break 'moves;
                }
            }
        }
        known.insert((digits.clone(), maker), found);
        found
    }
    let mut digits = vec![0; variant.cells()];
    wins(variant, &variant.lines(), &mut digits, order_first, &mut std::collections::HashMap::new())
}

#[test]
fn the_lemma_is_used_where_it_holds_and_nowhere_else() {
    let mut count = lifted(1);
    count.add(lifted(2));
    count.say("lifted strategies, boards of 3x3 and 4x4");
    assert_eq!(count.accepted, 5, "{count:?}");
}

#[test]
fn the_lemma_is_about_squares_from_the_empty_board() {
    let claim = Claim::AtLeast(Player::First, Wdl::Win);
    let entries = inner(2, true).expect("order wins on 2x2");
    let square = Variant { columns: 4, rows: 4, k: 3, marks: 2, row: Row::AtLeast, one_sided: false };
    assert!(accepted(&game(&square, true), &empty(&square), claim, Section::Lifted(entries.clone())));
    let begun = "X.../..../..../....";
    assert!(!accepted(&game(&square, true), begun, claim, Section::Lifted(entries.clone())));
    assert!(!accepted(&game(&square, true), begun, claim, Section::LiftedText(book(2, &entries))));
    for (columns, rows, k) in [(4, 5, 3), (5, 4, 4), (4, 3, 3), (3, 4, 2), (2, 2, 1), (2, 3, 1)] {
        let board = Variant { columns, rows, k, ..square };
        let any_move = "rule a\n".to_string();
        for lifted in
            [Section::Lifted(entries.clone()), Section::Lifted(Vec::new()), Section::LiftedText(any_move.clone())]
        {
            assert!(!accepted(&game(&board, true), &empty(&board), claim, lifted), "{board:?}");
        }
    }
}

#[test]
fn a_lifted_text_must_win_in_the_middle() {
    let board = Variant { columns: 5, rows: 5, k: 4, marks: 2, row: Row::AtLeast, one_sided: false };
    let game = game(&board, true);
    for (text, why) in [
        ("rule a\n  only interior\n", "is full, and no line is complete"),
        ("rule a\n  only interior and distance(last) <= 1\n", "uses the last move"),
        ("rule a\n  only border\n", "outside the inner board"),
        ("rule a\n  only interior and border\n", "has no move"),
    ] {
        let certificate = certificate(&empty(&board), Claim::Value(Wdl::Win), Section::LiftedText(text.into()));
        match check_lines(&game, &Pictured::new(&game), &certificate, &Ctx::default()) {
            Err(Rejected::Refuted(said)) => assert!(said.contains(why), "{text}: {said}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn the_lemma_says_why_it_does_not_fit() {
    let refused = |columns: usize, order_first: bool, row| {
        let variant = Variant { columns, rows: columns, k: columns - 1, marks: 2, row, one_sided: false };
        let certificate = certificate(&empty(&variant), Claim::Value(Wdl::Win), Section::Lifted(Vec::new()));
        let game = game(&variant, order_first);
        match check_lines(&game, &Pictured::new(&game), &certificate, &Ctx::default()) {
            Err(Rejected::Refuted(why)) => why.contains("the breaker first and an even board"),
            _ => false,
        }
    };
    assert!(refused(4, true, Row::ExactFinal) && refused(5, false, Row::ExactFinal));
    assert!(!refused(4, false, Row::ExactFinal) && !refused(5, false, Row::Exact) && !refused(5, true, Row::AtLeast));
}

#[test]
fn a_pairing_is_limited_and_its_cells_are_used_once() {
    let judge = |columns: usize, rows: usize, pairs: &[(&str, &str)]| {
        let variant = Variant { columns, rows, k: 2, marks: 2, row: Row::ExactFinal, one_sided: false };
        let pairs = pairs.iter().map(|(a, b)| ((*a).to_string(), (*b).to_string(), false)).collect();
        let certificate = certificate(&empty(&variant), Claim::Value(Wdl::Loss), Section::Pairing(pairs));
        let game = game(&variant, true);
        check_lines(&game, &Pictured::new(&game), &certificate, &Ctx::default()).map(|proved| proved.positions)
    };
    assert_eq!(judge(2, 1, &[("a1", "b1")]), Ok(2));
    // The cells cover the board, and one of them is in two pairs.
    for pairs in [[("a1", "b1"), ("a1", "c1")], [("a1", "b1"), ("b1", "c1")], [("a1", "c1"), ("b1", "c1")]] {
        assert!(matches!(judge(3, 1, &pairs), Err(Rejected::Corrupt(_))), "{pairs:?}");
    }
    let why = format!("{:?}", judge(4, 1, &[("a1", "b1"), ("c1", "d1")]));
    assert!(why.contains("the pairs allow the board `OXXO`"), "{why}");
    // 2^32 boards are too many to look at.
    let names: Vec<String> = (1..=8).rev().flat_map(|y| ('a'..='h').map(move |x| format!("{x}{y}"))).collect();
    let pairs: Vec<(&str, &str)> = names.chunks(2).map(|pair| (pair[0].as_str(), pair[1].as_str())).collect();
    assert!(matches!(judge(8, 8, &pairs), Err(Rejected::Refuted(_))));
}

/// All boards that agree with 24 pairs can be examined, if there is time; those of more pairs are too many.
#[test]
fn a_pairing_has_at_most_24_pairs() {
    for (rows, examined) in [(6, true), (7, false)] {
        let variant = Variant { columns: 8, rows, k: 8, marks: 2, row: Row::ExactFinal, one_sided: false };
        let game = game(&variant, true);
        let name = |x: usize, y: usize| format!("{}{}", char::from(b'a' + x as u8), y + 1);
        // Names are listed from the top left, as cells are numbered.
        let pairs = (0..rows).rev().flat_map(|y| (0..4).map(move |x| (name(2 * x, y), name(2 * x + 1, y), false)));
        let certificate = certificate(&empty(&variant), Claim::Value(Wdl::Loss), Section::Pairing(pairs.collect()));
        let ctx = Ctx::default().with_budget(100_000);
        match check_lines(&game, &Pictured::new(&game), &certificate, &ctx) {
            Err(Rejected::Stopped(_)) => assert!(examined, "{rows}"),
            Err(Rejected::Refuted(why)) => assert!(!examined && why.contains("at most 24 pairs"), "{rows}: {why}"),
            found => panic!("{rows}: {found:?}"),
        }
    }
}
