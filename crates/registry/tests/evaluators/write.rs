//! Writes random strategies: everything that the language has.

use agon_core::features::{Features, Sort, Subject};
use agon_core::{Family, Rng, collect_moves};
use agon_strategies::vocabulary::{Phrase, vocabulary};

pub(crate) struct Writer<'a, G: Family> {
    game: &'a G,
    features: &'a dyn Features<G>,
    phrases: Vec<Phrase>,
    cells: Vec<String>,
    positions: &'a [(G::Position, u16)],
    rng: &'a mut Rng,
}

/// The place of a condition.
#[derive(Clone, Copy)]
struct Scope {
    /// Features of moves can be used.
    of_moves: bool,
    /// `any`, `count`, `most` and `least` can be used.
    over: bool,
    depth: usize,
}

impl<'a, G: Family> Writer<'a, G> {
    pub(crate) fn new(
        game: &'a G,
        features: &'a dyn Features<G>,
        positions: &'a [(G::Position, u16)],
        rng: &'a mut Rng,
    ) -> Writer<'a, G> {
        let cells = features.boards().first().map_or(Vec::new(), |board| {
            let inside = (0..board.spots.len()).filter(|cell| board.inside >> cell & 1 == 1);
            inside.map(|cell| board.spots[cell].name.clone()).collect()
        });
        Writer { game, features, phrases: vocabulary(features), cells, positions, rng }
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.rng.below(n) == 0
    }

    fn pick<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.rng.below(words.len())]
    }

    fn cell(&mut self) -> String {
        let cell = self.cells[self.rng.below(self.cells.len())].clone();
        if self.one_in(4) { cell.to_uppercase() } else { cell }
    }

    /// A whole strategy.
    pub(crate) fn text(&mut self) -> String {
        let mut text = String::new();
        if self.one_in(3) {
            text.push_str("about a random # strategy\nreading a,b\nreading b\nreading c # and a comment\n");
        }
        let guarded = text.contains("reading");
        let mut declared = Vec::new();
        if !self.cells.is_empty() && self.one_in(2) {
            declared = vec!["in(here)".to_string(), "answers(these)".into(), "answers-last(these)".into()];
            let cells: Vec<String> = (0..=self.rng.below(6)).map(|_| self.cell()).collect();
            text.push_str(&format!("region here\n {}\n", cells.join("  ")));
            text.push_str("pairing these\n");
            let mut rest = self.cells.clone();
            while rest.len() > 1 && !self.one_in(6) {
                let one = rest.swap_remove(self.rng.below(rest.len()));
                let other = rest.swap_remove(self.rng.below(rest.len()));
                let same = if self.one_in(3) { " same" } else { "" };
                text.push_str(&format!("  {one} {other}{same}\n"));
            }
        }
        let parts = 1 + self.rng.below(3);
        for number in 0..parts {
            let guard = if guarded && number > 0 { self.guard() } else { "" };
            match self.rng.below(5) {
                0 => text.push_str(&self.book(number, guard)),
                _ => text.push_str(&self.rule(number, guard, guarded, &declared)),
            }
        }
        if self.one_in(2) {
            text.push_str("rule else\n");
        }
        text
    }

    fn guard(&mut self) -> &'static str {
        self.pick(&["", "", "[a] ", "[not a] ", "[b] ", "[not c]\t", "[ c ] "])
    }

    fn rule(&mut self, number: usize, guard: &str, guarded: bool, declared: &[String]) -> String {
        let mut text = format!("{guard}rule number {number}\n");
        let inner = self.features.boards().len() > 1 && self.one_in(2);
        if inner {
            text.push_str("  on inner\n");
        }
        for _ in 0..1 + self.rng.below(3) {
            let scope = Scope { of_moves: true, over: true, depth: 0 };
            let indent = self.pick(&["  ", "\t", "", "    "]);
            let guard = if guarded { self.guard() } else { "" };
            let line = match self.rng.below(7) {
                0 => format!("when {}", self.condition(Scope { of_moves: false, ..scope })),
                1 | 2 => format!("only {}", self.condition(scope)),
                3 if !declared.is_empty() => format!("only {}", declared[self.rng.below(declared.len())]),
                3 | 4 => format!("prefer {}", self.condition(scope)),
                5 => format!("prefer max {}", self.number(scope)),
                _ => format!("prefer  min {}", self.number(scope)),
            };
            let comment = if self.one_in(5) { "  # why" } else { "" };
            text.push_str(&format!("{indent}{guard}{line}{comment}\n"));
        }
        text
    }

    /// A feature with its argument.
    fn feature(&mut self, sort: Sort, scope: Scope) -> Option<String> {
        let fits = |phrase: &&Phrase| phrase.sort == sort && (scope.of_moves || phrase.subject == Subject::Position);
        let fitting: Vec<&Phrase> = self.phrases.iter().filter(fits).collect();
        let phrase = self.rng.pick(&fitting)?;
        let argument = phrase.argument.as_ref().map_or(String::new(), |argument| format!("({argument})"));
        Some(format!("{}{argument}", phrase.name))
    }

    fn condition(&mut self, scope: Scope) -> String {
        let deeper = Scope { depth: scope.depth + 1, ..scope };
        let over = Scope { of_moves: true, over: false, ..deeper };
        let kinds = if scope.depth > 3 { 2 } else { 8 };
        match self.rng.below(kinds) {
            0 => self.feature(Sort::Flag, scope).unwrap_or_else(|| "mobility > 1".to_string()),
            1 | 2 => {
                let sign = self.pick(&["=", "!=", "<", "<=", ">", ">="]);
                let space = self.pick(&[" ", ""]);
                format!("{}{space}{sign}{space}{}", self.number(deeper), self.number(deeper))
            }
            3 => format!("not {}", self.grouped(deeper)),
            4 => format!("{} and {}", self.grouped(deeper), self.grouped(deeper)),
            5 => format!("{} or {}", self.condition(deeper), self.condition(deeper)),
            6 if scope.over => format!("any({})", self.condition(over)),
            _ => format!("({})", self.condition(deeper)),
        }
    }

    /// A condition, perhaps in parentheses: the words around it may bind more or less strongly.
    fn grouped(&mut self, scope: Scope) -> String {
        let condition = self.condition(scope);
        if self.one_in(2) { format!("({condition})") } else { condition }
    }

    fn number(&mut self, scope: Scope) -> String {
        let deeper = Scope { depth: scope.depth + 1, ..scope };
        let over = Scope { of_moves: true, over: false, ..deeper };
        let kinds = if scope.depth > 3 { 4 } else { 9 };
        match self.rng.below(kinds) {
            0 => (self.rng.below(7) as i32 - 2).to_string(),
            1..=3 => self.feature(Sort::Number, scope).unwrap_or_else(|| "1".to_string()),
            4 => format!("{} + {}", self.number(deeper), self.number(deeper)),
            5 => format!("{} - {}", self.number(deeper), self.number(deeper)),
            6 => format!("({})", self.number(deeper)),
            _ if !scope.over => "mobility".to_string(),
            7 => format!("count({})", self.condition(over)),
            _ => format!("{}( {} )", self.pick(&["most", "least"]), self.number(over)),
        }
    }

    /// A book of positions from random plays, some as pictures.
    fn book(&mut self, number: usize, guard: &str) -> String {
        let exact = self.one_in(2);
        let mut text = format!("{guard}{}book number {number}\n", if exact { "exact " } else { "" });
        for _ in 0..1 + self.rng.below(12) {
            let (pos, _) = &self.positions[self.rng.below(self.positions.len())];
            let legal = collect_moves(self.game, pos);
            let mut moves: Vec<String> =
                (0..=self.rng.below(3)).map(|_| self.game.show_move(pos, legal[self.rng.below(legal.len())])).collect();
            let pictured = exact && !self.cells.is_empty() && self.one_in(2);
            let board = if pictured { self.picture(pos) } else { self.game.show(pos) };
            if pictured && self.one_in(4) {
                moves.push("nowhere".into());
            }
            text.push_str(&format!("  {board} {}\n", moves.join(" ")));
        }
        text
    }

    /// The board with some of its cells left open.
    fn picture(&mut self, pos: &G::Position) -> String {
        let board = &self.features.boards()[0];
        let marks = self.features.marks(self.game, pos);
        let mut cells: Vec<usize> = (0..board.spots.len()).filter(|cell| board.inside >> cell & 1 == 1).collect();
        cells.sort_by_key(|&cell| (-board.spots[cell].row, board.spots[cell].column));
        let (mut text, mut row, open) = (String::new(), None, self.rng.below(8));
        // At least one cell is open, or the board would be read as a position.
        let certain = self.rng.below(cells.len());
        for (at, &cell) in cells.iter().enumerate() {
            if row.replace(board.spots[cell].row).is_some_and(|before| before != board.spots[cell].row) {
                text.push('/');
            }
            let mark = marks.iter().position(|set| set >> cell & 1 == 1);
            let letter = mark.map_or(Some('.'), |mark| self.features.letters().get(mark).copied());
            let open = at == certain || self.rng.below(8) < open;
            text.push(letter.filter(|_| !open).unwrap_or('?'));
        }
        text
    }

    /// The text with one or two mistakes, which may do no harm.
    pub(crate) fn damaged(&mut self, text: &str) -> String {
        const WORDS: [&str; 40] = [
            "(",
            ")",
            "()",
            " ",
            "\t",
            "\n",
            "#",
            " # ",
            "[a] ",
            "[not",
            "not ",
            " and ",
            " or ",
            "-",
            "+",
            "- 1",
            "+ 1",
            "=",
            "<",
            ">=",
            "0",
            "9",
            "1000000",
            "1000001",
            "-1",
            "--1",
            "row",
            "mark",
            "last",
            "?",
            ",",
            "rule x\n",
            "only ",
            "when ",
            "prefer ",
            "max ",
            "any(",
            "count(first)",
            "é",
            "/",
        ];
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..1 + self.rng.below(2) {
            let at = self.rng.below(chars.len() + 1);
            match self.rng.below(4) {
                0 if at < chars.len() => drop(chars.remove(at)),
                1 if at < chars.len() => {
                    let end = (at + 1 + self.rng.below(6)).min(chars.len());
                    drop(chars.drain(at..end));
                }
                2 if at < chars.len() => {
                    let other = self.rng.below(chars.len());
                    chars.swap(at, other);
                }
                _ => {
                    let word: Vec<char> = WORDS[self.rng.below(WORDS.len())].chars().collect();
                    chars.splice(at..at, word);
                }
            }
        }
        chars.into_iter().collect()
    }
}
