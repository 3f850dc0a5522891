//! A game move by move: the answer of `analyse`.

use super::Report;
use crate::VERSION;
use crate::words::{Paint, better, counted, duration, table};
use agon_core::{Bounds, Player, Wdl};
use serde::{Serialize, Serializer};
use serde_json::json;
use std::fmt::Write as _;

/// The value of a position for one side, as far as it is proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Worth {
    /// `win`, `draw` or `loss`; null if it is not proven.
    pub value: Option<&'static str>,
    /// Plies until the end under best play, where they are known.
    pub plies: Option<u32>,
    /// True if the value is proven.
    pub proven: bool,
    /// The proven lower bound.
    pub lo: &'static str,
    /// The proven upper bound.
    pub hi: &'static str,
    /// The same two as one.
    #[serde(skip)]
    pub bounds: Bounds,
}

impl Worth {
    /// From bounds, seen by the side in question.
    #[must_use]
    pub fn new(bounds: Bounds, plies: Option<u32>) -> Worth {
        let value = bounds.value();
        Worth {
            value: value.map(Wdl::name),
            plies: plies.filter(|_| value.is_some()),
            proven: value.is_some(),
            lo: bounds.lo.name(),
            hi: bounds.hi.name(),
            bounds,
        }
    }

    /// `win in 5`, `draw`, `at least a draw` or `?`.
    #[must_use]
    pub fn text(&self) -> String {
        match (self.value, self.plies, self.bounds.lo, self.bounds.hi) {
            (Some("draw"), ..) => "draw".to_string(),
            (Some(value), Some(0), ..) => format!("{value}, over"),
            (Some(value), Some(plies), ..) => format!("{value} in {plies}"),
            (Some(value), None, ..) => value.to_string(),
            (None, _, Wdl::Draw, _) => "at least a draw".to_string(),
            (None, _, _, Wdl::Draw) => "at most a draw".to_string(),
            _ => "?".to_string(),
        }
    }
}

/// A move that gives away a proven value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Mistake {
    /// A win becomes a draw.
    WinToDraw,
    /// A win becomes a loss.
    WinToLoss,
    /// A draw becomes a loss.
    DrawToLoss,
}

impl Mistake {
    /// All of them.
    pub const ALL: [Mistake; 3] = [Mistake::WinToDraw, Mistake::WinToLoss, Mistake::DrawToLoss];

    /// The mistake between two values for the side that moved, if both are proven and the second is worse.
    #[must_use]
    pub fn between(before: Bounds, after: Bounds) -> Option<Mistake> {
        match (before.value()?, after.value()?) {
            (Wdl::Win, Wdl::Draw) => Some(Mistake::WinToDraw),
            (Wdl::Win, Wdl::Loss) => Some(Mistake::WinToLoss),
            (Wdl::Draw, Wdl::Loss) => Some(Mistake::DrawToLoss),
            _ => None,
        }
    }

    /// `win-to-draw`, `win-to-loss` or `draw-to-loss`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Mistake::WinToDraw => "win-to-draw",
            Mistake::WinToLoss => "win-to-loss",
            Mistake::DrawToLoss => "draw-to-loss",
        }
    }

    /// `??` for a win that becomes a loss, `?` for the others.
    #[must_use]
    pub fn mark(self) -> &'static str {
        if self == Mistake::WinToLoss { "??" } else { "?" }
    }

    fn words(self) -> &'static str {
        match self {
            Mistake::WinToDraw => "turns a win into a draw",
            Mistake::WinToLoss => "turns a win into a loss",
            Mistake::DrawToLoss => "turns a draw into a loss",
        }
    }
}

impl Serialize for Mistake {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// One move of a game.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PlyReport {
    /// Its number; the first move of the game is 1.
    pub ply: usize,
    /// `first` or `second`, the side that made it.
    pub player: &'static str,
    /// The game's name for that side.
    pub name: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The value of the position before it for that side.
    pub before: Worth,
    /// The value of the position after it for that side.
    pub after: Worth,
    /// The proven value that it gives away.
    pub mistake: Option<Mistake>,
    /// A move that keeps the value of the position, if one is proven to: the one that was made, if it is among the
    /// best.
    pub best: Option<String>,
    /// Best play of both sides from the position before the move, as far as it is proven.
    pub line: Vec<String>,
}

impl PlyReport {
    /// A move between two positions.
    #[must_use]
    pub fn new(ply: usize, (player, name): (Player, String), mv: String, before: Worth, after: Worth) -> PlyReport {
        let mistake = Mistake::between(before.bounds, after.bounds);
        PlyReport { ply, player: player.name(), name, mv, before, after, mistake, best: None, line: Vec::new() }
    }
}

/// One game move by move.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct GameAnalysis {
    /// The file it comes from, if any.
    pub file: Option<String>,
    /// The position at which it begins.
    pub from: String,
    /// The position at which it ends.
    pub position: String,
    /// The status there in words: how the play ended, or whose turn it is.
    pub status: String,
    /// `first` or `second` if that side has won.
    pub winner: Option<&'static str>,
    /// The moves.
    pub plies: Vec<PlyReport>,
    /// The number of the first move that gives a proven value away.
    pub first_mistake: Option<usize>,
    /// The number of positions whose value is proven, the last one included.
    pub proven: usize,
}

impl GameAnalysis {
    /// A game of these moves.
    #[must_use]
    pub fn new(from: String, position: String, plies: Vec<PlyReport>) -> GameAnalysis {
        let first_mistake = plies.iter().find(|ply| ply.mistake.is_some()).map(|ply| ply.ply);
        let proven = 0;
        GameAnalysis { file: None, from, position, status: String::new(), winner: None, plies, first_mistake, proven }
    }

    fn mistakes(&self, player: Option<Player>, mistake: Mistake) -> usize {
        let by = |ply: &&PlyReport| player.is_none_or(|player| player.name() == ply.player);
        self.plies.iter().filter(by).filter(|ply| ply.mistake == Some(mistake)).count()
    }

    fn text(&self, out: &mut String, paint: Paint) {
        let row = |ply: &PlyReport| {
            let mark = ply.mistake.map_or("", Mistake::mark);
            let best = ply.best.clone().filter(|best| *best != ply.mv).unwrap_or_default();
            let mistake = ply.mistake.map_or(String::new(), |mistake| mistake.name().to_string());
            vec![
                ply.ply.to_string(),
                ply.name.clone(),
                format!("{}{mark}", ply.mv),
                ply.before.text(),
                ply.after.text(),
                mistake,
                best,
            ]
        };
        let rows: Vec<Vec<String>> = self.plies.iter().map(row).collect();
        if rows.is_empty() {
            out.push_str("the game has no moves\n");
            return;
        }
        out.push_str(&table(&["ply", "player", "move", "before", "after", "mistake", "better"], &rows));
        let _ = writeln!(out, "\n{}", self.status);
        for ply in self.plies.iter().filter(|ply| ply.mistake.is_some()) {
            let words = ply.mistake.map_or("", Mistake::words);
            let said = format!("ply {}: {} {} {words}{}", ply.ply, ply.name, ply.mv, better(&ply.line));
            let _ = writeln!(out, "{}", if Some(ply.ply) == self.first_mistake { paint.bold(&said) } else { said });
        }
        let _ = match (self.first_mistake, self.proven == self.plies.len() + 1) {
            (None, true) => writeln!(out, "no mistakes: every value is proven"),
            (_, true) => Ok(()),
            (_, false) => {
                let of = counted(self.plies.len() + 1, "position");
                writeln!(out, "{} of {of} proven; more time would prove more", self.proven)
            }
        };
    }
}

/// A file that holds no game.
#[derive(Clone, Debug, Serialize)]
pub struct Unread {
    /// The file.
    pub file: String,
    /// Its fault.
    pub error: String,
}

/// Answer of `analyse`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AnalyseReport {
    /// Canonical spelling.
    pub game: String,
    /// The game's names for the first and the second player.
    pub names: [String; 2],
    /// The games.
    pub games: Vec<GameAnalysis>,
    /// Files that hold no game.
    pub unread: Vec<Unread>,
    /// True if several games were asked for, so that the answer has a list of them and a summary.
    pub several: bool,
    /// Seconds spent.
    pub seconds: f64,
}

impl AnalyseReport {
    /// No games yet.
    #[must_use]
    pub fn new(game: &str, names: [String; 2], several: bool) -> AnalyseReport {
        let (games, unread) = (Vec::new(), Vec::new());
        AnalyseReport { game: game.to_string(), names, games, unread, several, seconds: 0.0 }
    }

    fn summary(&self) -> serde_json::Value {
        let count = |player: Option<Player>| {
            let of = |mistake| self.games.iter().map(|game| game.mistakes(player, mistake)).sum::<usize>();
            let counts = Mistake::ALL.map(|mistake| (mistake.name().to_string(), json!(of(mistake))));
            serde_json::Value::Object(counts.into_iter().collect())
        };
        let won = |player: Player| self.games.iter().filter(|game| game.winner == Some(player.name())).count();
        json!({
            "games": self.games.len(), "unread": self.unread.len(),
            "plies": self.games.iter().map(|game| game.plies.len()).sum::<usize>(),
            "proven": self.games.iter().map(|game| game.proven).sum::<usize>(),
            "without_mistakes": self.games.iter().filter(|game| game.first_mistake.is_none()).count(),
            "won": {"first": won(Player::First), "second": won(Player::Second)},
            "mistakes": {"all": count(None), "first": count(Some(Player::First)), "second": count(Some(Player::Second))},
        })
    }

    fn summary_text(&self, out: &mut String) {
        let row = |game: &GameAnalysis| {
            let mistakes = |player| Mistake::ALL.iter().map(|&m| game.mistakes(Some(player), m)).sum::<usize>();
            vec![
                game.file.clone().unwrap_or_default(),
                game.plies.len().to_string(),
                game.proven.to_string(),
                game.first_mistake.map_or("–".to_string(), |ply| ply.to_string()),
                mistakes(Player::First).to_string(),
                mistakes(Player::Second).to_string(),
                game.status.clone(),
            ]
        };
        let rows: Vec<Vec<String>> = self.games.iter().map(row).collect();
        let by = self.names.each_ref().map(|name| format!("mistakes of {name}"));
        let head = ["game", "plies", "proven", "first mistake", &by[0], &by[1], "status"];
        out.push_str(&table(&head, &rows));
        let _ = writeln!(out, "\n{}, {}", counted(self.games.len(), "game"), duration(self.seconds));
        for mistake in Mistake::ALL {
            let [first, second] = Player::BOTH
                .map(|player| self.games.iter().map(|game| game.mistakes(Some(player), mistake)).sum::<usize>());
            if first + second > 0 {
                let [one, other] = &self.names;
                let _ = writeln!(out, "{}: {} ({first} of {one}, {second} of {other})", mistake.name(), first + second);
            }
        }
        for unread in &self.unread {
            let _ = writeln!(out, "no game: {}", unread.error);
        }
    }
}

impl Serialize for AnalyseReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut answer = match (self.several, self.games.first()) {
            (false, Some(game)) => json!(game),
            _ => json!({"games": self.games, "unread": self.unread, "summary": self.summary()}),
        };
        (answer["agon"], answer["game"], answer["seconds"]) = (json!(VERSION), json!(self.game), json!(self.seconds));
        answer.serialize(serializer)
    }
}

impl Report for AnalyseReport {
    fn text(&self, paint: Paint) -> String {
        let mut out = String::new();
        match (self.several, self.games.first()) {
            (false, Some(game)) => {
                let _ = writeln!(out, "{} from {}\n", self.game, game.from);
                game.text(&mut out, paint);
                let _ = writeln!(out, "{}", duration(self.seconds));
            }
            _ => {
                let _ = writeln!(out, "{}\n", self.game);
                self.summary_text(&mut out);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_needs_two_proven_values() {
        let (win, draw, loss) = (Bounds::exactly(Wdl::Win), Bounds::exactly(Wdl::Draw), Bounds::exactly(Wdl::Loss));
        for (before, after, name) in [
            (win, draw, Some("win-to-draw")),
            (win, loss, Some("win-to-loss")),
            (draw, loss, Some("draw-to-loss")),
            (win, win, None),
            (loss, loss, None),
            (Bounds::UNKNOWN, loss, None),
            (Bounds { lo: Wdl::Draw, hi: Wdl::Win }, loss, None),
            (win, Bounds { lo: Wdl::Loss, hi: Wdl::Draw }, None),
        ] {
            assert_eq!(Mistake::between(before, after).map(Mistake::name), name, "{before:?} {after:?}");
        }
    }

    #[test]
    fn one_game_has_its_plies_and_several_have_a_summary() {
        let worth = |wdl| Worth::new(Bounds::exactly(wdl), Some(3));
        let ply = |n, player: Player, before, after| {
            PlyReport::new(n, (player, player.name().to_string()), "a1".into(), worth(before), worth(after))
        };
        let plies = vec![
            ply(1, Player::First, Wdl::Draw, Wdl::Draw),
            ply(2, Player::Second, Wdl::Draw, Wdl::Loss),
            ply(3, Player::First, Wdl::Win, Wdl::Loss),
        ];
        let mut report = AnalyseReport::new("toy", ["x".into(), "o".into()], false);
        report.games.push(GameAnalysis::new("start".into(), "end".into(), plies));
        let one = serde_json::to_value(&report).unwrap();
        assert_eq!((&one["first_mistake"], &one["game"]), (&json!(2), &json!("toy")));
        assert_eq!((&one["plies"][1]["mistake"], &one["plies"][0]["mistake"]), (&json!("draw-to-loss"), &json!(null)));
        assert!(report.text(Paint::PLAIN).contains("ply 3: first a1 turns a win into a loss"));
        report.several = true;
        let all = serde_json::to_value(&report).unwrap();
        assert_eq!(all["summary"]["mistakes"]["second"]["draw-to-loss"], 1);
        assert_eq!((&all["summary"]["games"], &all["games"][0]["first_mistake"]), (&json!(1), &json!(2)));
        assert!(report.text(Paint::PLAIN).contains("win-to-loss: 1 (1 of x, 0 of o)"));
    }

    #[test]
    fn what_is_not_proven_has_no_value() {
        let open = serde_json::to_value(Worth::new(Bounds { lo: Wdl::Draw, hi: Wdl::Win }, Some(3))).unwrap();
        assert_eq!(open, json!({"value": null, "plies": null, "proven": false, "lo": "draw", "hi": "win"}));
    }
}
