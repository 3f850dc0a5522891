//! Text and pictures of mill games.
//!
//! A position is its rows of points from the top, `W` and `B` for men, then the side to move, then the
//! men in hand while there are any: `W.B/.../...:w:2-2`. A line that has won is marked `!`.

use super::{Early, Line, Men, Mill, Step};
use crate::grid::each_cell;
use agon_core::family::shorten;
use agon_core::scene::{Scene, Shape, Sides, Token, Tray, Why};
use agon_core::{Game, Notation, NotationError, Outcome, Player, collect_moves};

pub(super) const LETTERS: [char; 2] = ['W', 'B'];

impl Mill {
    fn row_ends(&self) -> Vec<usize> {
        let points = &self.board.points;
        (1..=points.len()).filter(|&i| i == points.len() || points[i].1 != points[i - 1].1).collect()
    }

    fn empty_text(&self) -> String {
        self.show(&self.start())
    }

    fn read_men(&self, text: &str) -> Result<[u64; 2], String> {
        let mut sides = [0, 0];
        let ends = self.row_ends();
        let rows: Vec<&str> = text.split(['/', '|']).collect();
        if rows.len() != ends.len() {
            return Err(format!("expected {} rows, not {}, like {}", ends.len(), rows.len(), self.empty_text()));
        }
        let mut begin = 0;
        for (y, (row, end)) in rows.iter().zip(ends).enumerate() {
            if row.chars().count() != end - begin {
                let (want, have) = (end - begin, row.chars().count());
                return Err(format!("row {} has {want} points, not {have}, like {}", y + 1, self.empty_text()));
            }
            for (i, mark) in row.chars().enumerate() {
                match mark {
                    'W' | 'w' | '1' => sides[0] |= 1 << (begin + i),
                    'B' | 'b' | '2' => sides[1] |= 1 << (begin + i),
                    '.' | '-' | '_' | '0' => {}
                    _ => return Err(format!("`{mark}` is not a mark; marks are . W B, like {}", self.empty_text())),
                }
            }
            begin = end;
        }
        Ok(sides)
    }

    /// Men in hand, when the text does not say: each side places in turn until all are placed.
    fn hands_of(&self, text: Option<&str>, sides: [u64; 2]) -> Result<[u8; 2], String> {
        let wrong = || "men in hand are written like 2-3".to_string();
        if let Some(text) = text {
            let (a, b) = text.split_once('-').ok_or_else(wrong)?;
            return Ok([a.parse().map_err(|_| wrong())?, b.parse().map_err(|_| wrong())?]);
        }
        if self.rules.line == Line::Captures || self.rules.start.is_some() {
            return Ok([0, 0]);
        }
        let left = |men: u64| self.rules.men.checked_sub(men.count_ones() as u8);
        let hands = left(sides[0]).zip(left(sides[1]));
        hands.map(|(a, b)| [a, b]).ok_or_else(|| self.too_many())
    }

    fn too_many(&self) -> String {
        format!("each side has {} men", self.rules.men)
    }

    /// Why the position cannot arise, as far as counting and lines tell.
    fn why_impossible(&self, pos: &Men) -> Option<String> {
        let men = [0, 1].map(|i| pos.sides[i].count_ones() + u32::from(pos.hand[i]));
        let limit = u32::from(self.rules.men);
        if men.iter().any(|&n| n > limit) {
            return Some(self.too_many());
        }
        if self.rules.line == Line::Wins && men.iter().any(|&n| n < limit) {
            return Some(format!("{}, and none is ever taken", self.too_many()));
        }
        if self.rules.start.is_some() && pos.hand != [0, 0] {
            return Some("no man is ever in hand".into());
        }
        let (own, other) = pos.hands();
        let in_turn = if pos.turn == Player::First { own == other } else { own == other + 1 };
        if !self.rules.mixed && !self.passes_early() && pos.hand != [0, 0] && !in_turn {
            return Some(format!("men are placed in turn, so {} in hand cannot be", self.hand_text(pos)));
        }
        let (own, other) = pos.own_and_other();
        let decides = self.rules.line == Line::Wins && self.rules.early != Early::Ignored;
        if decides && self.board.has_line(own) {
            return Some("the side to move already has a line".into());
        }
        if self.rules.line == Line::Wins && pos.won && !self.board.has_line(other) {
            return Some("`!` means that the last move made a line, and there is none".into());
        }
        (self.rules.line == Line::Captures && pos.won).then(|| "`!` has no meaning where lines capture".into())
    }

    /// The game, if play can begin: at a position that can come up, before any line decides.
    pub fn begins(self) -> Result<Mill, String> {
        let start = self.start();
        match self.parse(&self.show(&start)) {
            Ok(read) if read == start => Ok(self),
            Ok(_) => Err("play cannot begin there: the second side already has a line".into()),
            Err(why) => Err(format!("play cannot begin there: {why}")),
        }
    }

    fn hand_text(&self, pos: &Men) -> String {
        format!("{}-{}", pos.hand[0], pos.hand[1])
    }

    fn name(&self, point: usize) -> &str {
        &self.board.points[point].2
    }
}

impl Notation for Mill {
    fn show(&self, pos: &Men) -> String {
        let mark = |p: usize| (0..2).find(|&i| pos.sides[i] >> p & 1 == 1).map_or('.', |i| LETTERS[i]);
        let mut begin = 0;
        let mut rows = Vec::new();
        for end in self.row_ends() {
            rows.push((begin..end).map(mark).collect::<String>());
            begin = end;
        }
        let turn = LETTERS[pos.turn as usize].to_ascii_lowercase();
        let won = if pos.won { "!" } else { "" };
        let hand = if pos.hand == [0, 0] { String::new() } else { format!(":{}", self.hand_text(pos)) };
        format!("{}:{turn}{won}{hand}", rows.join("/"))
    }

    /// Without a side, the one that would be to move if men were placed in turn; a line that stands
    /// where lines decide at once has won.
    fn parse(&self, text: &str) -> Result<Men, NotationError> {
        let fail = |why: String| NotationError::position(text, why);
        let mut parts = text.trim().split(':');
        let sides = self.read_men(parts.next().unwrap_or_default()).map_err(fail)?;
        let turn = parts.next();
        let hand = self.hands_of(parts.next(), sides).map_err(fail)?;
        if parts.next().is_some() {
            return Err(fail(format!("expected men, side and hand, like {}", self.empty_text())));
        }
        let placing = if hand[0] == hand[1] { Player::First } else { Player::Second };
        let (turn, marked) = match turn.map(|t| t.split_once('!').map_or((t, false), |(t, rest)| (t, rest.is_empty())))
        {
            None => (placing, false),
            Some(("w" | "W" | "1", marked)) => (Player::First, marked),
            Some(("b" | "B" | "2", marked)) => (Player::Second, marked),
            Some((other, _)) => return Err(fail(format!("the side to move is w or b, not `{}`", shorten(other)))),
        };
        let mut pos = Men { sides, hand, turn, won: marked };
        let decides = self.rules.line == Line::Wins && self.rules.early != Early::Ignored;
        pos.won |= decides && self.board.has_line(pos.own_and_other().1);
        match self.why_impossible(&pos) {
            Some(why) => Err(fail(why)),
            None => Ok(pos),
        }
    }

    fn show_move(&self, _pos: &Men, mv: Step) -> String {
        let Some(to) = mv.to() else { return "pass".to_string() };
        let from = mv.from().map_or(String::new(), |from| format!("{}-", self.name(from)));
        let take = mv.take().map_or(String::new(), |take| format!("x{}", self.name(take)));
        format!("{from}{}{take}", self.name(to))
    }

    fn parse_move(&self, pos: &Men, text: &str) -> Result<Step, NotationError> {
        let legal = collect_moves(self, pos);
        let hit = legal.iter().copied().find(|&mv| self.show_move(pos, mv).eq_ignore_ascii_case(text.trim()));
        hit.ok_or_else(|| NotationError::mv(text, self.why_not(pos, text)))
    }

    fn end_reason(&self, pos: &Men) -> &'static str {
        if pos.won {
            "line"
        } else if self.outcome(pos) == Some(Outcome::Draw) && self.empty(pos) == 0 {
            "board full"
        } else if self.can_move(pos) {
            "captures"
        } else {
            "blocked"
        }
    }

    fn scene(&self, pos: &Men) -> Scene {
        let points: Vec<(i32, i32, &str)> =
            self.board.points.iter().map(|(x, y, name)| (*x, *y, name.as_str())).collect();
        let mut scene = Scene::points(&points, &self.board.edges());
        scene.sides = Sides::LightAndDark;
        self.label_edges(&mut scene);
        for (i, owner) in Player::BOTH.into_iter().enumerate() {
            each_cell(pos.sides[i]).for_each(|p| scene.put(p, Token::new(Shape::Disc, owner, LETTERS[i])));
        }
        if pos.won {
            each_cell(self.board.in_lines(pos.own_and_other().1)).for_each(|p| scene.mark(p, Why::Decisive, ""));
        }
        if pos.hand != [0, 0] {
            for (i, owner) in Player::BOTH.into_iter().enumerate() {
                let pieces = vec![(Token::new(Shape::Disc, owner, LETTERS[i]), usize::from(pos.hand[i]))];
                scene.trays.push(Tray { owner, pieces, half_points: None });
            }
            scene.caption.push(format!("in hand: white {}, black {}", pos.hand[0], pos.hand[1]));
        }
        scene
    }

    fn path(&self, _pos: &Men, mv: Step) -> Vec<usize> {
        [mv.from(), mv.to(), mv.take()].into_iter().flatten().collect()
    }

    fn player_name(&self, player: Player) -> String {
        ["white", "black"][player as usize].to_string()
    }
}

impl Mill {
    /// Letters and numbers at the edges, where every point is named by column and row.
    fn label_edges(&self, scene: &mut Scene) {
        let at = |of: fn(&(i32, i32, String)) -> i32, part: fn(&str) -> &str, size: i32| -> Option<Vec<String>> {
            let mut labels = vec![String::new(); size as usize];
            for point in &self.board.points {
                let (slot, name) = (&mut labels[of(point) as usize], part(&point.2));
                if !slot.is_empty() && slot != name {
                    return None;
                }
                *slot = name.to_string();
            }
            Some(labels)
        };
        let columns = at(|p| p.0, |name| &name[..1], scene.size.0);
        let rows = at(|p| p.1, |name| &name[1..], scene.size.1);
        if let (Some(columns), Some(rows)) = (columns, rows) {
            (scene.columns, scene.rows) = (columns, rows);
        }
    }
}
