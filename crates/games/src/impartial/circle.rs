//! Circular nim CN(n, k): stacks in a circle; a move takes any counters, at least one, from k neighbouring stacks.
//! In the variations of Heubach and Dufour, it takes at least or exactly a counters from each of the k stacks.

use super::{Named, Rules, play, split_start};
use agon_core::scene::{Scene, Shape, Token, column_label};
use agon_core::{Facts, GameError, Kind, Params};
use std::collections::BTreeSet;

/// The most stacks in a game to be played.
const MAX_STACKS: usize = 12;
/// The largest stack in a game to be played.
const MAX_STACK: u8 = 15;
/// A position with more moves than this is refused.
const MAX_MOVES: u64 = 1 << 20;

/// Stacks in a circle; those beyond the number of stacks are zero.
pub type Stacks = [u8; MAX_STACKS];

/// The rules for one circle.
#[derive(Clone, Debug)]
pub struct Circle {
    stacks: usize,
    k: usize,
    /// The least number of counters to take from each of the `k` stacks; with 0, one counter in total is enough.
    each: u8,
    /// True if no more than that may be taken.
    exact: bool,
    start: Stacks,
}

impl Circle {
    /// `CN(n, k)` from the given stacks, with `1 <= k <= n <= 12`.
    #[must_use]
    pub fn new(n: usize, k: usize, start: &[u8]) -> Circle {
        let mut stacks = [0; MAX_STACKS];
        stacks[..n].copy_from_slice(&start[..n]);
        Circle { stacks: n, k, each: 0, exact: false, start: stacks }
    }

    /// The variation in which a move takes at least `each` counters, or exactly that many, from each of the `k` stacks.
    #[must_use]
    pub fn with_each(self, each: u8, exact: bool) -> Circle {
        Circle { each, exact: exact && each > 0, ..self }
    }

    /// The numbers of counters that a move may take from a stack that it must take from.
    fn amounts(&self, stack: u8) -> std::ops::RangeInclusive<u8> {
        if self.exact { self.each..=self.each.min(stack) } else { self.each..=stack }
    }

    /// Calls `each` for the stacks after every move in `k` stacks from `at` on, where each stack must be taken from.
    fn all_of_window(&self, at: usize, j: usize, after: Stacks, each: &mut impl FnMut(Stacks)) {
        if j == self.k {
            return each(after);
        }
        let place = (at + j) % self.stacks;
        for amount in self.amounts(after[place]) {
            let mut after = after;
            after[place] -= amount;
            self.all_of_window(at, j + 1, after, each);
        }
    }

    /// The first stacks of the windows that differ.
    fn windows(&self) -> std::ops::Range<usize> {
        0..if self.k == self.stacks { 1 } else { self.stacks }
    }

    /// The least image under turning and mirroring.
    #[must_use]
    pub fn canonical(&self, stacks: &Stacks) -> Stacks {
        let n = self.stacks;
        let image = |by: usize, mirrored: bool| {
            let mut image = [0; MAX_STACKS];
            for (j, stack) in image[..n].iter_mut().enumerate() {
                *stack = stacks[(by + if mirrored { n - j } else { j }) % n];
            }
            image
        };
        (0..n).flat_map(|by| [image(by, false), image(by, true)]).min().expect("an image")
    }

    /// Calls `each` for the stacks after every choice of what to leave of `k` stacks from `at` on.
    fn window(&self, at: usize, before: &Stacks, each: &mut impl FnMut(Stacks)) {
        let mut after = *before;
        let places: Vec<usize> = (0..self.k).map(|j| (at + j) % self.stacks).collect();
        loop {
            let Some(&place) = places.iter().find(|&&place| after[place] > 0) else { return };
            for &lower in places.iter().take_while(|&&lower| lower != place) {
                after[lower] = before[lower];
            }
            after[place] -= 1;
            each(after);
        }
    }

    fn too_many_moves(&self, stacks: &Stacks) -> bool {
        let choices = |at: usize| (0..self.k).map(|j| u64::from(stacks[(at + j) % self.stacks]) + 1).product::<u64>();
        (0..self.stacks).map(choices).sum::<u64>() > MAX_MOVES
    }
}

/// The place of a stack in a ring, clockwise from the top: columns and rows of a grid.
fn ring(i: usize, stacks: usize) -> (i32, i32) {
    let radius = match stacks {
        1 => 0,
        2..=4 => 1,
        _ => 2,
    };
    let angle = std::f64::consts::TAU * i as f64 / stacks as f64;
    let along = |of: f64| (f64::from(radius) * of).round() as i32;
    // Two stacks stand above each other, so that there is one column.
    let left = if stacks == 2 { 0 } else { radius };
    (left + along(angle.sin()), radius - along(angle.cos()))
}

impl Rules for Circle {
    type State = Stacks;
    /// The stacks that the move leaves.
    type Step = Stacks;
    /// All stacks; a circle does not fall apart.
    type Part = Stacks;

    fn start(&self) -> Stacks {
        self.start
    }

    fn steps(&self, state: &Stacks, each: &mut impl FnMut(Stacks)) {
        if self.each > 0 {
            // Two windows leave different stacks, since every stack of a window is lowered.
            return self.windows().for_each(|at| self.all_of_window(at, 0, *state, each));
        }
        if self.k == self.stacks {
            return self.window(0, state, each);
        }
        let mut all = BTreeSet::new();
        for at in 0..self.stacks {
            self.window(at, state, &mut |after| {
                all.insert(after);
            });
        }
        all.into_iter().for_each(each);
    }

    /// A move changes some stacks that lie within `k` neighbours; each of them can be left in as many ways as it has
    /// counters.
    fn count(&self, state: &Stacks) -> u64 {
        if self.each > 0 {
            let ways = |at: usize| {
                (0..self.k).map(|j| self.amounts(state[(at + j) % self.stacks]).count() as u64).product::<u64>()
            };
            return self.windows().map(ways).sum();
        }
        let window = |at: usize| (0..self.k).fold(0u32, |set, j| set | 1 << ((at + j) % self.stacks));
        let windows: Vec<u32> = (0..self.stacks).map(window).collect();
        let ways =
            |set: u32| (0..self.stacks).filter(|j| set >> j & 1 == 1).map(|j| u64::from(state[j])).product::<u64>();
        (1..1u32 << self.stacks).filter(|set| windows.iter().any(|window| set & !window == 0)).map(ways).sum()
    }

    fn apply(&self, state: &mut Stacks, step: Stacks) {
        *state = step;
    }

    fn height(&self, state: &Stacks) -> u32 {
        state.iter().map(|&stack| u32::from(stack)).sum()
    }

    fn parts(&self, state: &Stacks) -> Vec<Stacks> {
        if *state == [0; MAX_STACKS] { Vec::new() } else { vec![self.canonical(state)] }
    }

    fn options(&self, part: &Stacks, each: &mut impl FnMut(&[Stacks])) {
        self.steps(part, &mut |after| each(&self.parts(&after)));
    }

    fn show_part(&self, part: &Stacks) -> String {
        self.show(part)
    }

    fn static_nimber(&self, part: &Stacks) -> Option<u32> {
        if self.each > 0 {
            return None;
        }
        // One stack at a time is nim; all stacks at a time is one heap.
        match self.k {
            1 => Some(part.iter().fold(0, |sum, &stack| sum ^ u32::from(stack))),
            k if k == self.stacks => Some(self.height(part)),
            _ => None,
        }
    }

    fn show(&self, state: &Stacks) -> String {
        state[..self.stacks].iter().map(u8::to_string).collect::<Vec<_>>().join("+")
    }

    fn read(&self, text: &str) -> Result<Stacks, String> {
        let stack = |part: &str| part.trim().parse().ok().filter(|&stack| stack <= MAX_STACK);
        let stacks: Option<Vec<u8>> = text.split('+').map(stack).collect();
        let stacks = stacks.filter(|stacks| stacks.len() == self.stacks);
        let stacks = stacks.ok_or_else(|| {
            format!("expected {} stacks, each 0..={MAX_STACK}, like {}", self.stacks, vec!["1"; self.stacks].join("+"))
        })?;
        let state = Circle::new(self.stacks, self.k, &stacks).start;
        if self.too_many_moves(&state) {
            return Err("there are more than a million moves; expected smaller stacks".to_string());
        }
        Ok(state)
    }

    fn show_step(&self, _state: &Stacks, step: Stacks) -> String {
        self.show(&step)
    }

    fn scene(&self, state: &Stacks) -> Scene {
        let points: Vec<(i32, i32, String)> = (0..self.stacks)
            .map(|i| {
                let (x, y) = ring(i, self.stacks);
                (x, y, format!("{}1", column_label(i)))
            })
            .collect();
        let points: Vec<(i32, i32, &str)> = points.iter().map(|(x, y, label)| (*x, *y, label.as_str())).collect();
        let beside: Vec<(usize, usize)> = match self.stacks {
            1 => Vec::new(),
            2 => vec![(0, 1)],
            n => (0..n).map(|i| (i, (i + 1) % n)).collect(),
        };
        let mut scene = Scene::points(&points, &beside);
        for (place, &stack) in state[..self.stacks].iter().enumerate() {
            for _ in 0..stack {
                scene.put(place, Token::neutral(Shape::Disc, 'o'));
            }
        }
        scene.caption.push(format!("stacks {}, clockwise from the top", self.show(state)));
        scene
    }

    fn places(&self, _state: &Stacks) -> usize {
        self.stacks
    }

    fn path(&self, state: &Stacks, step: Stacks) -> Vec<usize> {
        // Each stack as often as counters are taken from it.
        let taken = |place: usize| usize::from(state[place].saturating_sub(step[place]));
        (0..self.stacks).flat_map(|place| std::iter::repeat_n(place, taken(place))).collect()
    }
}

impl Named for Circle {
    fn facts() -> Facts {
        Facts::new(
            "circular-nim",
            "Circular nim",
            "The stacks stand in a circle. A move takes at least one counter in total from k neighbouring stacks; with \
             each=A, at least A counters from each of them, or exactly A with exact=yes. The player who makes the last \
             move wins (in misère play, loses).",
        )
        .positional("n", Kind::Int(1, MAX_STACKS as i64), "4", "stacks")
        .positional(
            "k",
            Kind::text("K:STACKS such as 2:3+1+3+1"),
            "2:3+3+3+3",
            "stacks a move may take from, then the stacks to begin with, three counters each when left out",
        )
        .keyed(
            "each",
            Kind::Int(0, MAX_STACK as i64),
            "0",
            "counters to take at least from each of the k stacks; 0: one in total is enough",
        )
        .keyed("exact", Kind::words(&["no", "yes"]), "no", "yes: no more than `each` counters from each stack")
        .with(play())
    }

    fn build(params: &Params) -> Result<Circle, GameError> {
        let (n, text) = (params.int("n"), params.text("k"));
        let (k, stacks) = split_start(text);
        let k = k.trim().parse().ok().filter(|k| (1..=n).contains(k));
        let k = k.ok_or_else(|| params.error(format!("k must be 1..={n}, the number of stacks")))?;
        let (each, exact) = (params.int("each") as u8, params.text("exact") == "yes");
        if exact && each == 0 {
            return Err(params.error("exact=yes needs each=1 or more".to_string()));
        }
        let mut circle = Circle::new(n, k, &[3; MAX_STACKS]).with_each(each, exact);
        let stacks = stacks.map_or_else(|| circle.show(&circle.start), str::to_string);
        circle.start = circle.read(&stacks).map_err(|why| params.error(why))?;
        Ok(circle)
    }

    fn canonical(&self) -> Option<(String, String)> {
        Some(("k".to_string(), format!("{}:{}", self.k, self.show(&self.start))))
    }
}
