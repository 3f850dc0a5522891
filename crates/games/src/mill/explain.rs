//! Explains why a typed move is illegal.

use super::{Early, Line, Men, Mill};
use crate::grid::{Cells, each_cell};
use agon_core::{Game, Notation};

impl Mill {
    /// The reason why no legal move has this text, and what would be legal.
    pub(super) fn why_not(&self, pos: &Men, text: &str) -> String {
        let legal = || self.legal_moves_text(pos);
        if self.outcome(pos).is_some() || !self.can_move(pos) {
            return legal();
        }
        let typed = text.trim().to_ascii_lowercase();
        let (moved, taken) = typed.split_once('x').map_or((typed.as_str(), None), |(moved, take)| (moved, Some(take)));
        let names: Vec<&str> = moved.split('-').chain(taken).collect();
        let points: Vec<Option<usize>> = names.iter().map(|name| self.point(name)).collect();
        if let Some(unknown) = points.iter().position(Option::is_none) {
            return format!("no point `{}`; {}", agon_core::family::shorten(names[unknown]), legal());
        }
        let mut points = points.into_iter().flatten();
        let why = match (moved.contains('-'), points.next(), points.next()) {
            (true, Some(from), Some(to)) => self.why_not_walk(pos, from, to),
            (false, Some(at), _) if pos.hands().0 > 0 => self.why_not_place(pos, at),
            (false, Some(from), _) => self.why_not_lift(pos, from),
            _ => None,
        };
        why.or_else(|| self.why_not_take(pos, taken)).unwrap_or_else(legal)
    }

    fn point(&self, name: &str) -> Option<usize> {
        self.board.points.iter().position(|point| point.2 == name)
    }

    fn point_name(&self, point: usize) -> &str {
        &self.board.points[point].2
    }

    fn names(&self, points: Cells) -> String {
        each_cell(points).map(|point| self.point_name(point)).collect::<Vec<_>>().join(" ")
    }

    fn why_not_place(&self, pos: &Men, at: usize) -> Option<String> {
        let name = self.point_name(at);
        if self.empty(pos) >> at & 1 == 0 {
            return Some(format!("{name} is taken; {} are free", self.names(self.room(pos))));
        }
        if self.room(pos) >> at & 1 == 1 {
            return None;
        }
        if self.rules.early == Early::Forbidden && self.board.closes(pos.own_and_other().0 | 1 << at, at) {
            return Some(format!("a line may not be made by placing; {} are open", self.names(self.room(pos))));
        }
        Some(format!("the centre {name} is closed; {} are open", self.names(self.room(pos))))
    }

    /// The reason why the man on a point cannot move at all, if so.
    fn why_not_lift(&self, pos: &Men, from: usize) -> Option<String> {
        let (own, _) = pos.own_and_other();
        let side = self.player_name(pos.turn);
        if own >> from & 1 == 0 {
            return Some(format!("{side} has no man on {}; its men are on {}", self.point_name(from), self.names(own)));
        }
        let to = self.ways(pos, from);
        (to == 0).then(|| format!("the man on {} has no free point beside it", self.point_name(from)))
    }

    fn why_not_walk(&self, pos: &Men, from: usize, to: usize) -> Option<String> {
        if !self.walks(pos.hands().0) {
            return Some(format!(
                "men are placed first; expected a point like {}",
                self.names(first_of(self.room(pos)))
            ));
        }
        if let Some(why) = self.why_not_lift(pos, from) {
            return Some(why);
        }
        let ways = self.ways(pos, from);
        if ways >> to & 1 == 1 {
            return None;
        }
        let (a, b, can) = (self.point_name(from), self.point_name(to), self.names(ways));
        Some(if self.empty(pos) >> to & 1 == 0 {
            format!("{b} is taken; {a} can go to {can}")
        } else {
            format!("{a} and {b} are not joined; {a} can go to {can}")
        })
    }

    fn why_not_take(&self, pos: &Men, taken: Option<&str>) -> Option<String> {
        if self.rules.line == Line::Wins {
            return taken.map(|_| "no man is ever taken in this game".to_string());
        }
        let (_, other) = pos.own_and_other();
        let can = self.names(self.takeable(other));
        match taken.map(|name| (name, self.point(name))) {
            None => Some(format!("that makes a line: say which man it takes, x and one of {can}")),
            Some((_, Some(at))) if self.takeable(other) >> at & 1 == 1 => {
                Some("that makes no line, so it takes no man".to_string())
            }
            Some((name, Some(at))) if other >> at & 1 == 1 => {
                Some(format!("{name} stands in a line while others do not; {can} can be taken"))
            }
            Some((name, _)) => Some(format!("there is no man to take on {name}; {can} can be taken")),
        }
    }

    /// The points a man can be moved to.
    fn ways(&self, pos: &Men, man: usize) -> Cells {
        let ((own, _), (hand, _)) = (pos.own_and_other(), pos.hands());
        let mut ways = 0;
        self.each_walk(own, hand, self.empty(pos), |from, to| ways |= if from == man { to } else { 0 });
        ways
    }
}

fn first_of(points: Cells) -> Cells {
    points & points.wrapping_neg()
}
