//! Sums: several impartial games side by side; a move is made in one of them.

use super::circle::Circle;
use super::heaps::{Coded, Dawson, GrundysGame, Heaps, Kayles, Nim, Spelling, Subtraction};
use super::tiles::{Cram, Ellie, Tiles};
use super::treblecross::Treblecross;
use super::{Named, Rules, play};
use agon_core::family::split_spelling;
use agon_core::features::Extra;
use agon_core::scene::{Place, Scene};
use agon_core::{Code, Facts, GameError, Kind, Params};

/// The most games in one sum.
const MAX_GAMES: usize = 16;

/// One enum each for rules, states, moves and parts, with every call handed on.
macro_rules! components {
    ($($name:ident ( $rules:ty )),* $(,)?) => {
        /// The rules of one game of a sum.
        #[derive(Clone, Debug)]
        enum Component { $($name($rules)),* }

        /// The state of one game of a sum.
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum State { $(#[doc = stringify!($name)] $name(<$rules as Rules>::State)),* }

        /// A move in one game of a sum.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Step { $(#[doc = stringify!($name)] $name(<$rules as Rules>::Step)),* }

        /// A part of one game of a sum.
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Part { $(#[doc = stringify!($name)] $name(<$rules as Rules>::Part)),* }

        impl Component {
            fn start(&self) -> State {
                match self { $(Component::$name(rules) => State::$name(rules.start())),* }
            }

            fn steps(&self, state: &State, each: &mut dyn FnMut(Step)) {
                match (self, state) {
                    $((Component::$name(rules), State::$name(state)) => rules.steps(state, &mut |step| each(Step::$name(step))),)*
                    _ => unreachable!("a state belongs to its rules"),
                }
            }

            fn count(&self, state: &State) -> u64 {
                match (self, state) {
                    $((Component::$name(rules), State::$name(state)) => rules.count(state),)*
                    _ => unreachable!("a state belongs to its rules"),
                }
            }

            fn apply(&self, state: &mut State, step: Step) {
                match (self, state, step) {
                    $((Component::$name(rules), State::$name(state), Step::$name(step)) => rules.apply(state, step),)*
                    _ => unreachable!("a move belongs to its rules"),
                }
            }

            fn height(&self, state: &State) -> u32 {
                match (self, state) {
                    $((Component::$name(rules), State::$name(state)) => rules.height(state),)*
                    _ => unreachable!("a state belongs to its rules"),
                }
            }

            fn parts(&self, state: &State) -> Vec<Part> {
                match (self, state) {
                    $((Component::$name(rules), State::$name(state)) => rules.parts(state).into_iter().map(Part::$name).collect(),)*
                    _ => unreachable!("a state belongs to its rules"),
                }
            }

            /// The options of a part of game `i`, as long as `each` asks for more.
            fn options_while(&self, i: u8, part: &Part, each: &mut dyn FnMut(&[(u8, Part)]) -> bool) {
                match (self, part) {
                    $((Component::$name(rules), Part::$name(part)) => {
                        rules.options_while(part, &mut |parts| {
                            let parts: Vec<_> = parts.iter().map(|part| (i, Part::$name(part.clone()))).collect();
                            each(&parts)
                        });
                    })*
                    _ => unreachable!("a part belongs to its rules"),
                }
            }

            fn show_part(&self, part: &Part) -> String {
                match (self, part) {
                    $((Component::$name(rules), Part::$name(part)) => rules.show_part(part),)*
                    _ => unreachable!("a part belongs to its rules"),
                }
            }

            fn heap(&self, part: &Part) -> Option<(&Code, usize)> {
                match (self, part) {
                    $((Component::$name(rules), Part::$name(part)) => rules.heap(part),)*
                    _ => unreachable!("a part belongs to its rules"),
                }
            }

            fn work(&self, part: &Part) -> u64 {
                match (self, part) {
                    $((Component::$name(rules), Part::$name(part)) => rules.work(part),)*
                    _ => unreachable!("a part belongs to its rules"),
                }
            }

            fn static_nimber(&self, part: &Part) -> Option<u32> {
                match (self, part) {
                    $((Component::$name(rules), Part::$name(part)) => rules.static_nimber(part),)*
                    _ => unreachable!("a part belongs to its rules"),
                }
            }

            fn show(&self, state: &State) -> String {
                match (self, state) {
                    $((Component::$name(rules), State::$name(state)) => rules.show(state),)*
                    _ => unreachable!("a state belongs to its rules"),
                }
            }

            fn read(&self, text: &str) -> Result<State, String> {
                match self { $(Component::$name(rules) => rules.read(text).map(State::$name)),* }
            }

            fn show_step(&self, state: &State, step: Step) -> String {
                match (self, state, step) {
                    $((Component::$name(rules), State::$name(state), Step::$name(step)) => rules.show_step(state, step),)*
                    _ => unreachable!("a move belongs to its rules"),
                }
            }

            fn scene(&self, state: &State) -> Scene {
                match (self, state) {
                    $((Component::$name(rules), State::$name(state)) => rules.scene(state),)*
                    _ => unreachable!("a state belongs to its rules"),
                }
            }

            fn places(&self, state: &State) -> usize {
                match (self, state) {
                    $((Component::$name(rules), State::$name(state)) => rules.places(state),)*
                    _ => unreachable!("a state belongs to its rules"),
                }
            }

            fn path(&self, state: &State, step: Step) -> Vec<usize> {
                match (self, state, step) {
                    $((Component::$name(rules), State::$name(state), Step::$name(step)) => rules.path(state, step),)*
                    _ => unreachable!("a move belongs to its rules"),
                }
            }

            fn other_paths(&self, state: &State, step: Step) -> Vec<Vec<usize>> {
                match (self, state, step) {
                    $((Component::$name(rules), State::$name(state), Step::$name(step)) => {
                        rules.other_paths(state, step)
                    })*
                    _ => unreachable!("a move belongs to its rules"),
                }
            }

            fn is_board(&self) -> bool {
                match self { $(Component::$name(rules) => rules.is_board()),* }
            }

            fn extras(&self) -> &'static [Extra] {
                match self { $(Component::$name(rules) => rules.extras()),* }
            }

            fn extra(&self, state: &State, step: Step, last: u16, which: usize) -> i32 {
                match (self, state, step) {
                    $((Component::$name(rules), State::$name(state), Step::$name(step)) => {
                        rules.extra(state, step, last, which)
                    })*
                    _ => unreachable!("a move belongs to its rules"),
                }
            }

            fn last(&self, state: &State, step: Step) -> Option<u16> {
                match (self, state, step) {
                    $((Component::$name(rules), State::$name(state), Step::$name(step)) => rules.last(state, step),)*
                    _ => unreachable!("a move belongs to its rules"),
                }
            }
        }
    };
}

components! {
    Heaps(Heaps<Coded>),
    Ellie(Tiles<Ellie>),
    Cram(Tiles<Cram>),
    Treblecross(Treblecross),
    Circle(Circle),
}

/// The rules of a sum, or of one game that is written as if it were not in a sum.
#[derive(Clone, Debug)]
pub struct Sum {
    games: Vec<Component>,
    /// The spelling of each game.
    spelled: Vec<String>,
    /// True if there is one game, and nothing in a text shows that it could have been a sum.
    alone: bool,
}

impl Sum {
    /// One game. Solvers and players that are compiled for sums serve it too.
    fn alone(game: Component) -> Sum {
        Sum { games: vec![game], spelled: Vec::new(), alone: true }
    }

    /// A text about one of the games, which begins with its number.
    fn numbered(&self, i: u8, text: String) -> String {
        if self.alone { text } else { format!("{}:{text}", i + 1) }
    }
}

impl From<Heaps<Coded>> for Sum {
    fn from(rules: Heaps<Coded>) -> Sum {
        Sum::alone(Component::Heaps(rules))
    }
}

impl From<Treblecross> for Sum {
    fn from(rules: Treblecross) -> Sum {
        Sum::alone(Component::Treblecross(rules))
    }
}

impl From<Circle> for Sum {
    fn from(rules: Circle) -> Sum {
        Sum::alone(Component::Circle(rules))
    }
}

impl Component {
    /// Reads the spelling of one game; gives its canonical spelling too.
    fn from_spelling(given: &str) -> Result<(Component, String), GameError> {
        fn named<R: Named>(given: &str) -> Result<(R, String), GameError> {
            let (rules, params, spelling) = R::spelled(given)?;
            if params.text("play") != "normal" {
                return Err(params.error("`play` belongs to the whole sum"));
            }
            Ok((rules, spelling))
        }
        fn heaps<S: Spelling>(given: &str) -> Result<(Component, String), GameError> {
            let (rules, spelling) = named::<Heaps<S>>(given)?;
            Ok((Component::Heaps(rules.plain()), spelling))
        }
        match split_spelling(given).0 {
            "heap" => heaps::<Coded>(given),
            "subtract" => heaps::<Subtraction>(given),
            "nim" => heaps::<Nim>(given),
            "kayles" => heaps::<Kayles>(given),
            "dawson" => heaps::<Dawson>(given),
            "grundy" => heaps::<GrundysGame>(given),
            "ellie" => named(given).map(|(rules, spelling)| (Component::Ellie(rules), spelling)),
            "cram" => named(given).map(|(rules, spelling)| (Component::Cram(rules), spelling)),
            "treblecross" => named(given).map(|(rules, spelling)| (Component::Treblecross(rules), spelling)),
            "circular-nim" => named(given).map(|(rules, spelling)| (Component::Circle(rules), spelling)),
            _ => Err(GameError::new(given, "in a sum expected an impartial game such as heap:0.07:9 or ellie:3x4")),
        }
    }
}

/// Splits `a++b` into `a` and `b`; `(a)+(b)`, for which a shell wants quotation marks, is read too.
fn split_sum(text: &str) -> Option<Vec<&str>> {
    let text = text.trim();
    match text.strip_prefix('(') {
        Some(inside) => Some(inside.strip_suffix(')')?.split(")+(").collect()),
        None => Some(text.split("++").collect()).filter(|parts: &Vec<&str>| parts.iter().all(|part| !part.is_empty())),
    }
}

/// Hides commas inside brackets; a parameter there must not look like one of the sum's.
fn hide_in_brackets(text: &str) -> String {
    let mut depth = 0;
    let hide = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        match c {
            ',' if depth > 0 => '|',
            '=' if depth > 0 => '~',
            c => c,
        }
    };
    text.chars().map(hide).collect()
}

fn bracket(parts: impl Iterator<Item = String>) -> String {
    parts.map(|part| format!("({part})")).collect::<Vec<_>>().join("+")
}

impl Rules for Sum {
    type State = Vec<State>;
    /// The index of a game, and the move in it.
    type Step = (u8, Step);
    /// The index of a game, and the part of it.
    type Part = (u8, Part);

    /// The picture of a heap changes with its size.
    fn is_board(&self) -> bool {
        self.alone && self.games[0].is_board()
    }

    fn extras(&self) -> &'static [Extra] {
        if self.alone { self.games[0].extras() } else { &[] }
    }

    fn extra(&self, state: &Vec<State>, (i, step): (u8, Step), last: u16, which: usize) -> i32 {
        self.games[usize::from(i)].extra(&state[usize::from(i)], step, last, which)
    }

    fn last(&self, state: &Vec<State>, (i, step): (u8, Step)) -> Option<u16> {
        if self.alone { self.games[0].last(&state[usize::from(i)], step) } else { None }
    }

    fn start(&self) -> Vec<State> {
        self.games.iter().map(Component::start).collect()
    }

    fn steps(&self, state: &Vec<State>, each: &mut impl FnMut((u8, Step))) {
        for (i, (game, state)) in (0..).zip(self.games.iter().zip(state)) {
            game.steps(state, &mut |step| each((i, step)));
        }
    }

    fn count(&self, state: &Vec<State>) -> u64 {
        self.games.iter().zip(state).map(|(game, state)| game.count(state)).sum()
    }

    fn apply(&self, state: &mut Vec<State>, (i, step): (u8, Step)) {
        self.games[usize::from(i)].apply(&mut state[usize::from(i)], step);
    }

    fn height(&self, state: &Vec<State>) -> u32 {
        self.games.iter().zip(state).map(|(game, state)| game.height(state)).sum()
    }

    fn parts(&self, state: &Vec<State>) -> Vec<(u8, Part)> {
        let of = |(i, (game, state)): (u8, (&Component, &State))| {
            game.parts(state).into_iter().map(move |part| (i, part)).collect::<Vec<_>>()
        };
        (0..).zip(self.games.iter().zip(state)).flat_map(of).collect()
    }

    fn options(&self, part: &(u8, Part), each: &mut impl FnMut(&[(u8, Part)])) {
        self.options_while(part, &mut |parts| {
            each(parts);
            true
        });
    }

    fn options_while(&self, (i, part): &(u8, Part), each: &mut impl FnMut(&[(u8, Part)]) -> bool) {
        self.games[usize::from(*i)].options_while(*i, part, each);
    }

    fn show_part(&self, (i, part): &(u8, Part)) -> String {
        self.numbered(*i, self.games[usize::from(*i)].show_part(part))
    }

    fn heap<'a>(&'a self, (i, part): &(u8, Part)) -> Option<(&'a Code, usize)> {
        self.games[usize::from(*i)].heap(part)
    }

    fn work(&self, (i, part): &(u8, Part)) -> u64 {
        self.games[usize::from(*i)].work(part)
    }

    fn static_nimber(&self, (i, part): &(u8, Part)) -> Option<u32> {
        self.games[usize::from(*i)].static_nimber(part)
    }

    fn show(&self, state: &Vec<State>) -> String {
        if self.alone {
            return self.games[0].show(&state[0]);
        }
        bracket(self.games.iter().zip(state).map(|(game, state)| game.show(state)))
    }

    fn read(&self, text: &str) -> Result<Vec<State>, String> {
        if self.alone {
            return self.games[0].read(text).map(|state| vec![state]);
        }
        let parts = split_sum(text).filter(|parts| parts.len() == self.games.len());
        let parts =
            parts.ok_or_else(|| format!("expected the position of each game, like {}", self.show(&self.start())))?;
        self.games.iter().zip(parts).map(|(game, part)| game.read(part)).collect()
    }

    fn show_step(&self, state: &Vec<State>, (i, step): (u8, Step)) -> String {
        let at = usize::from(i);
        self.numbered(i, self.games[at].show_step(&state[at], step))
    }

    /// The pictures one below the other; a row is labelled as the moves in it begin.
    fn scene(&self, state: &Vec<State>) -> Scene {
        if self.alone {
            return self.games[0].scene(&state[0]);
        }
        let mut all = Scene::grid(1, 1);
        all.places.clear();
        (all.columns, all.rows) = (Vec::new(), Vec::new());
        let (mut width, mut y) = (1, 0);
        for (i, (game, state)) in self.games.iter().zip(state).enumerate() {
            let scene = game.scene(state);
            let first = all.places.len();
            let label = |row: usize| match scene.rows.get(row) {
                Some(label) if !scene.columns.is_empty() => format!("{}:{label}", i + 1),
                _ => format!("{}:", i + 1),
            };
            all.rows.resize(y as usize, String::new());
            all.rows.extend((0..scene.size.1 as usize).map(label));
            if scene.columns.len() > all.columns.len() {
                all.columns.clone_from(&scene.columns);
            }
            all.places.extend(scene.places.into_iter().map(|place| Place {
                y: place.y + y,
                label: format!("{}:{}", i + 1, place.label),
                ..place
            }));
            for mark in scene.marks {
                all.mark(mark.place + first, mark.why, mark.note);
            }
            all.caption.extend(scene.caption.into_iter().map(|line| format!("{}: {line}", i + 1)));
            width = width.max(scene.size.0);
            y += scene.size.1 + 1;
        }
        all.size = (width, (y - 1).max(1));
        all
    }

    fn places(&self, state: &Vec<State>) -> usize {
        self.games.iter().zip(state).map(|(game, state)| game.places(state)).sum()
    }

    fn path(&self, state: &Vec<State>, (i, step): (u8, Step)) -> Vec<usize> {
        let at = usize::from(i);
        let before: usize = (0..at).map(|j| self.games[j].places(&state[j])).sum();
        self.games[at].path(&state[at], step).into_iter().map(|place| place + before).collect()
    }

    fn other_paths(&self, state: &Vec<State>, (i, step): (u8, Step)) -> Vec<Vec<usize>> {
        let at = usize::from(i);
        let before: usize = (0..at).map(|j| self.games[j].places(&state[j])).sum();
        let paths = self.games[at].other_paths(&state[at], step);
        paths.into_iter().map(|path| path.into_iter().map(|place| place + before).collect()).collect()
    }
}

impl Named for Sum {
    fn facts() -> Facts {
        Facts::new(
            "sum",
            "Sum of impartial games",
            "Several impartial games are played side by side. A move is made in one of them. The player who \
             makes the last move of all wins (in misère play, loses).",
        )
        .positional(
            "games",
            Kind::text("games such as heap:0.07:9++ellie:3x4"),
            "heap:0.07:9++ellie:3x4",
            "the games, joined by ++",
        )
        .with(play())
    }

    fn build(params: &Params) -> Result<Sum, GameError> {
        let shown = Self::show_commas(params.text("games"));
        let parts = split_sum(&shown).filter(|parts| parts.len() <= MAX_GAMES);
        let parts = parts.ok_or_else(|| {
            params.error(format!("expected 1..={MAX_GAMES} games joined by ++, such as heap:0.07:9++ellie:3x4"))
        })?;
        let games: Result<Vec<_>, GameError> = parts.iter().map(|part| Component::from_spelling(part)).collect();
        let (games, spelled) = games?.into_iter().unzip();
        Ok(Sum { games, spelled, alone: false })
    }

    fn canonical(&self) -> Option<(String, String)> {
        Some(("games".to_string(), Self::hide_commas(&self.spelled.join("++"))))
    }

    /// Commas belong to the games, except before a parameter of the sum.
    fn hide_commas(text: &str) -> String {
        if text.contains('(') {
            return hide_in_brackets(text);
        }
        let (mut out, mut after_play) = (String::new(), false);
        for (i, part) in text.split(',').enumerate() {
            let key = part.split('=').next().unwrap_or_default().trim();
            let own = part.contains('=') && ["games", "play"].contains(&key);
            if i > 0 {
                out.push(if own || after_play { ',' } else { '|' });
            }
            out += &if own { part.to_string() } else { part.replace('=', "~") };
            after_play = own && key == "play";
        }
        out
    }

    fn show_commas(spelling: &str) -> String {
        spelling.replace('|', ",").replace('~', "=")
    }
}
