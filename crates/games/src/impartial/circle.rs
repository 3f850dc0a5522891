//! Circular nim CN(n, k): stacks in a circle; a move takes any counters, at least one, from k neighbouring stacks.

use super::{Named, Rules, play, split_start};
use agon_core::scene::{Board, Scene, Shape, Token};
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
    start: Stacks,
}

impl Circle {
    /// `CN(n, k)` from the given stacks, with `1 <= k <= n <= 12`.
    #[must_use]
    pub fn new(n: usize, k: usize, start: &[u8]) -> Circle {
        let mut stacks = [0; MAX_STACKS];
        stacks[..n].copy_from_slice(&start[..n]);
        Circle { stacks: n, k, start: stacks }
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
        let mut scene = Scene::grid(self.stacks, 1);
        scene.board = Board::Tray;
        for (place, &stack) in state[..self.stacks].iter().enumerate() {
            for _ in 0..stack {
                scene.put(place, Token::neutral(Shape::Disc, 'o'));
            }
        }
        scene.caption.push(format!("stacks {}, the last beside the first", self.show(state)));
        scene
    }

    fn places(&self, _state: &Stacks) -> usize {
        self.stacks
    }

    fn path(&self, state: &Stacks, step: Stacks) -> Vec<usize> {
        (0..self.stacks).filter(|&place| state[place] != step[place]).collect()
    }
}

impl Named for Circle {
    fn facts() -> Facts {
        Facts::new(
            "circular-nim",
            "Circular nim",
            "The stacks stand in a circle. A move takes at least one counter in total from k neighbouring stacks. The \
             player who takes the last counter wins (in misère play, loses).",
        )
        .positional("n", Kind::Int(1, MAX_STACKS as i64), "4", "stacks")
        .positional(
            "k",
            Kind::text("K:STACKS such as 2:3+1+3+1"),
            "2:3+3+3+3",
            "stacks a move may take from, then the stacks to begin with, three counters each when left out",
        )
        .with(play())
    }

    fn build(params: &Params) -> Result<Circle, GameError> {
        let (n, text) = (params.int("n"), params.text("k"));
        let (k, stacks) = split_start(text);
        let k = k.trim().parse().ok().filter(|k| (1..=n).contains(k));
        let k = k.ok_or_else(|| params.error(format!("k must be 1..={n}, the number of stacks")))?;
        let mut circle = Circle::new(n, k, &[3; MAX_STACKS]);
        let stacks = stacks.map_or_else(|| circle.show(&circle.start), str::to_string);
        circle.start = circle.read(&stacks).map_err(|why| params.error(why))?;
        Ok(circle)
    }

    fn canonical(&self) -> Option<(String, String)> {
        Some(("k".to_string(), format!("{}:{}", self.k, self.show(&self.start))))
    }
}
