//! Mū Tōrere, a game of the Māori: slide your men round a star until the other side is blocked. Its positions have
//! indices, so `solve --strong --table DIR` writes them to tables.

use agon::core::indexed::TableIndex;
use agon::core::scene::{Scene, Shape, Sides, Token};
use agon::core::{
    Alternating, BulkIndexed, Evaluate, Facts, Family, Game, GameError, Guide, Indexed, Kind, Notation, NotationError,
    Outcome, Params, Player, Symmetric,
};

/// Points 0 to 7 lie on a ring, point 8 in its centre.
#[derive(Clone, Debug)]
pub struct MuTorere {
    /// Whether a man may enter the centre from anywhere.
    pub free: bool,
}

const CENTRE: usize = 8;
const NAMES: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "m"];

/// The points of each side's men as bits, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Men {
    of: [u16; 2],
    turn: Player,
}

impl Men {
    /// The one empty point.
    fn empty(&self) -> usize {
        (!(self.of[0] | self.of[1])).trailing_zeros() as usize
    }

    /// Returns whether the side to move has a man on the point.
    fn mine(&self, point: usize) -> bool {
        self.of[self.turn as usize] >> point & 1 == 1
    }

    /// The neighbours of a point on the ring.
    fn beside(point: usize) -> [usize; 2] {
        [(point + 1) % 8, (point + 7) % 8]
    }
}

impl MuTorere {
    /// Returns whether a man may move from `from` to the empty point `to`; `own` are the men of its side.
    fn may(&self, own: u16, from: usize, to: usize) -> bool {
        match (from, to) {
            (CENTRE, _) => true,
            (_, CENTRE) => self.free || Men::beside(from).iter().any(|&near| own >> near & 1 == 0),
            _ => Men::beside(from).contains(&to),
        }
    }
}

impl Game for MuTorere {
    const ALTERNATES: bool = true;
    type Position = Men;
    type Move = u8;
    type Undo = Men;
    fn start(&self) -> Men {
        Men { of: [0x0f, 0xf0], turn: Player::First }
    }
    fn turn(&self, pos: &Men) -> Player {
        pos.turn
    }
    fn outcome(&self, pos: &Men) -> Option<Outcome> {
        let mut blocked = true;
        self.moves(pos, &mut |_| blocked = false);
        blocked.then_some(Outcome::Win(pos.turn.other()))
    }
    fn moves(&self, pos: &Men, each: &mut impl FnMut(u8)) {
        let (own, to) = (pos.of[pos.turn as usize], pos.empty());
        (0..9).filter(|&from| pos.mine(from) && self.may(own, from, to)).for_each(|from| each(from as u8));
    }
    fn play(&self, pos: &mut Men, from: u8) -> Men {
        let before = *pos;
        pos.of[pos.turn as usize] ^= 1 << from | 1 << before.empty();
        pos.turn = pos.turn.other();
        before
    }
    fn undo(&self, pos: &mut Men, _mv: u8, before: Men) {
        *pos = before;
    }
}

impl Alternating for MuTorere {}
impl Symmetric for MuTorere {}
impl Guide for MuTorere {}
impl Evaluate for MuTorere {
    const CUT: Option<u32> = Some(200);
}

impl Notation for MuTorere {
    fn show(&self, pos: &Men) -> String {
        let letter = |point: usize| match pos.of.map(|set| set >> point & 1) {
            [1, _] => 'W',
            [_, 1] => 'B',
            _ => '.',
        };
        format!("{}:{}", (0..9).map(letter).collect::<String>(), ["w", "b"][pos.turn as usize])
    }
    fn parse(&self, text: &str) -> Result<Men, NotationError> {
        let wrong = || NotationError::position(text, "expected nine of W, B and ., four of each side, and :w or :b");
        let (board, turn) = text.split_once(':').ok_or_else(wrong)?;
        let turn = Player::BOTH.into_iter().find(|&side| ["w", "b"][side as usize] == turn).ok_or_else(wrong)?;
        let cells: [u8; 9] = board.as_bytes().try_into().map_err(|_| wrong())?;
        let of = [b'W', b'B'].map(|man| (0..9).filter(|&at| cells[at] == man).fold(0u16, |set, at| set | 1 << at));
        let fits = of.iter().all(|set| set.count_ones() == 4) && cells.contains(&b'.');
        if fits { Ok(Men { of, turn }) } else { Err(wrong()) }
    }
    fn show_move(&self, _pos: &Men, from: u8) -> String {
        NAMES[usize::from(from)].to_string()
    }
    fn scene(&self, pos: &Men) -> Scene {
        let at = [(2, 0), (4, 0), (6, 2), (6, 4), (4, 6), (2, 6), (0, 4), (0, 2), (3, 3)];
        let points: Vec<_> = at.iter().zip(NAMES).map(|(&(x, y), name)| (x, y, name)).collect();
        let lines: Vec<_> = (0..8).flat_map(|i| [(i, (i + 1) % 8), (i, CENTRE)]).collect();
        let mut scene = Scene::points(&points, &lines);
        scene.sides = Sides::LightAndDark;
        for (side, letter) in [(Player::First, 'W'), (Player::Second, 'B')] {
            let men = (0..9).filter(|at| pos.of[side as usize] >> at & 1 == 1);
            men.for_each(|at| scene.put(at, Token::new(Shape::Disc, side, letter)));
        }
        scene
    }
    fn path(&self, pos: &Men, from: u8) -> Vec<usize> {
        vec![usize::from(from), pos.empty()]
    }
    fn player_name(&self, player: Player) -> String {
        ["white", "black"][player as usize].to_string()
    }
    fn end_reason(&self, _pos: &Men) -> &'static str {
        "blocked"
    }
}

/// One table, in which both sides share their positions: a point is a digit to the base 3 (0 a man of the side to move,
/// 1 a man of the other side, 2 empty).
impl Indexed for MuTorere {
    type Shard = ();
    fn components(&self) -> Vec<Vec<()>> {
        vec![vec![()]]
    }
    fn leads_to(&self, _shard: ()) -> Vec<()> {
        vec![]
    }
    fn shard_name(&self, _shard: ()) -> String {
        "all".into()
    }
    fn shard_size(&self, _shard: ()) -> u64 {
        3u64.pow(9)
    }
    fn shard(&self, _pos: &Men) {}
    fn table_index(&self, pos: &Men) -> TableIndex<()> {
        let digit = |at: usize| if at == pos.empty() { 2 } else { u64::from(!pos.mine(at)) };
        TableIndex { shard: (), index: (0..9).fold(0, |n, at| 3 * n + digit(at)), stabiliser: 1 }
    }
    fn position(&self, _shard: (), mut index: u64) -> Option<Men> {
        let mut of = [0u16; 2];
        for at in (0..9).rev() {
            if index % 3 < 2 {
                of[(index % 3) as usize] |= 1 << at;
            }
            index /= 3;
        }
        let pos = Men { of, turn: Player::First };
        (of.iter().all(|set| set.count_ones() == 4)).then_some(pos)
    }
    /// An index forgets which side moves.
    fn symmetries(&self) -> u32 {
        2
    }
    /// The last mover slid a man from what is now empty.
    fn unplay(&self, pos: &Men, each: &mut impl FnMut(Men)) {
        let (to, side) = (pos.empty(), pos.turn.other());
        for at in (0..9).filter(|&at| !pos.mine(at) && at != to) {
            let mut before = Men { turn: side, ..*pos };
            before.of[side as usize] ^= 1 << at | 1 << to;
            self.may(before.of[side as usize], to, at).then(|| each(before));
        }
    }
    fn phase(&self, _shard: ()) -> &'static str {
        "moving"
    }
}
impl BulkIndexed for MuTorere {}

impl Family for MuTorere {
    fn facts() -> Facts {
        let rules = "Move a man to the empty point: along the ring, out of the centre, or into it from beside an \
                     enemy man. A side that cannot move loses.";
        let help = "enter the centre from beside an enemy man or from anywhere";
        Facts::new("mu-torere", "Mū Tōrere", rules).keyed("centre", Kind::words(&["near", "free"]), "near", help)
    }
    fn build(params: &Params) -> Result<MuTorere, GameError> {
        Ok(MuTorere { free: params.text("centre") == "free" })
    }
}
