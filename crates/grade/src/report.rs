//! The answer of `grade`: what each player did, and the games.

use agon_arena::statistics::Share;
use agon_report::words::{Paint, better, counted, duration, grouped, quoted, table};
use agon_report::{Mistake, Report, VERSION};
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

/// The mistakes of a player that give a proven value away.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct GivenAway {
    /// A win became a draw.
    pub win_to_draw: u64,
    /// A draw became a loss.
    pub draw_to_loss: u64,
    /// A win became a loss.
    pub win_to_loss: u64,
}

impl GivenAway {
    pub(crate) fn add(&mut self, mistake: Mistake) {
        match mistake {
            Mistake::WinToDraw => self.win_to_draw += 1,
            Mistake::WinToLoss => self.win_to_loss += 1,
            Mistake::DrawToLoss => self.draw_to_loss += 1,
            other => unreachable!("an unknown mistake: {}", other.name()),
        }
    }

    /// All of them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.win_to_draw + self.draw_to_loss + self.win_to_loss
    }
}

/// How the games of a player ended. An illegal move ends the reading of a game, which is then unfinished. A game against
/// itself counts for both sides.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Results {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
    /// Games that end before the play is over.
    pub unfinished: u64,
}

/// Proven moves that had something to lose: from positions that are not lost, with at least two legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Decisions {
    /// Their number.
    pub moves: u64,
    /// Those that keep the value.
    pub kept: u64,
}

/// Distance lost by moves that keep a win or lose anyway: plies by which the win comes later or the loss sooner.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Distance {
    /// Plies lost.
    pub plies: u64,
    /// Moves that lose some.
    pub moves: u64,
    /// Moves whose distances are known.
    pub of: u64,
}

/// What a search thinks of moves whose value is not proven. It proves nothing.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Estimated {
    /// Moves that are estimated.
    pub moves: u64,
    /// Moves that the search would make too.
    pub agreed: u64,
    /// Points that the moves give away by the estimates, where a win has 1 and a draw ½.
    pub lost: f64,
    /// The sum of their squares.
    pub squares: f64,
}

impl Estimated {
    pub(crate) fn add(&mut self, agrees: bool, lost: f64) {
        self.moves += 1;
        self.agreed += u64::from(agrees);
        self.lost += lost;
        self.squares += lost * lost;
    }

    /// The points given away per move, and the interval at 95 % of their mean; none with fewer than two moves.
    #[must_use]
    pub fn per_move(&self) -> (f64, Option<[f64; 2]>) {
        let moves = self.moves as f64;
        let mean = self.lost / moves.max(1.0);
        let interval = (self.moves > 1).then(|| {
            let variance = (self.squares - moves * mean * mean).max(0.0) / (moves - 1.0);
            let error = 1.96 * (variance / moves).sqrt();
            [(mean - error).max(0.0), (mean + error).min(1.0)]
        });
        (mean, interval)
    }
}

impl Serialize for Estimated {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (mean, interval) = self.per_move();
        let mean = (self.moves > 0).then_some(mean);
        json!({"moves": self.moves, "agreed": self.agreed, "lost": self.lost, "per_move": mean, "interval": interval})
            .serialize(serializer)
    }
}

/// The kind of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// The move is not legal.
    Illegal,
    /// The move gives a proven value away.
    Mistake(Mistake),
}

impl FaultKind {
    /// `illegal`, `win-to-draw`, `draw-to-loss` or `win-to-loss`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Illegal => "illegal",
            FaultKind::Mistake(mistake) => mistake.name(),
        }
    }
}

/// An illegal move, or one that gives a proven value away.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fault {
    /// The number of the game in the list of games, from 1.
    pub game: usize,
    /// The number of the move in its game, from 1.
    pub ply: usize,
    /// The position at which it was made.
    pub position: String,
    /// The move; an illegal one as it was written.
    pub mv: String,
    /// What is wrong with it.
    pub kind: FaultKind,
    /// A move that keeps the value, if one is proven to.
    pub best: Option<String>,
    /// Best play from the position, as far as it is proven.
    pub line: Vec<String>,
    /// Why an illegal move is none.
    pub why: Option<String>,
    /// True if it is the first fault of its player in that game.
    pub first: bool,
}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({"game": self.game, "ply": self.ply, "position": self.position, "move": self.mv, "kind": self.kind.name(),
               "best": self.best, "line": self.line, "why": self.why, "first": self.first})
        .serialize(serializer)
    }
}

/// What a player did in all of its games.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct PlayerGrade {
    /// Its name; `first` or `second` where the games say none.
    pub name: String,
    /// Its games.
    pub games: u64,
    /// Those in which it was first and those in which it was second.
    pub sides: [u64; 2],
    /// How they ended.
    pub results: Results,
    /// Legal moves.
    pub moves: u64,
    /// Illegal moves. Each ends the reading of its game.
    pub illegal: u64,
    /// Legal moves whose value is proven, before and after.
    pub proven: u64,
    /// Those of them that keep the value.
    pub kept: u64,
    /// The others, by what they give away.
    pub given_away: GivenAway,
    /// Moves that had something to lose.
    pub decisions: Decisions,
    /// Distance lost.
    pub distance: Distance,
    /// Estimates of the moves that are not proven; `None` if no estimates were asked for.
    pub estimated: Option<Estimated>,
    /// Games in which it makes a proven mistake, by the ply of the first one.
    pub first_mistakes: Vec<usize>,
    /// Its faults, game by game.
    pub faults: Vec<Fault>,
}

impl PlayerGrade {
    /// Legal moves whose value is not proven.
    #[must_use]
    pub fn open(&self) -> u64 {
        self.moves - self.proven
    }

    /// The share of the proven moves that keep the value.
    #[must_use]
    pub fn kept_share(&self) -> Option<Share> {
        (self.proven > 0).then(|| Share::new(self.kept, self.proven))
    }

    /// The share of the moves made that are legal.
    #[must_use]
    pub fn legal_share(&self) -> Option<Share> {
        let made = self.moves + self.illegal;
        (made > 0).then(|| Share::new(self.moves, made))
    }

    /// The median ply of the first mistake, over the games that have one.
    #[must_use]
    pub fn median_first_mistake(&self) -> Option<usize> {
        let mut plies = self.first_mistakes.clone();
        plies.sort_unstable();
        plies.get(plies.len().saturating_sub(1) / 2).copied()
    }
}

fn share_json(share: Option<Share>) -> Json {
    share.map_or(Json::Null, |share| json!({"share": share.share, "interval": share.interval}))
}

impl Serialize for PlayerGrade {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let decisions = Some(self.decisions).filter(|d| d.moves > 0).map(|d| Share::new(d.kept, d.moves));
        let mut decided = json!({"moves": self.decisions.moves, "kept": self.decisions.kept});
        decided["share"] = share_json(decisions)["share"].clone();
        decided["interval"] = share_json(decisions)["interval"].clone();
        json!({
            "name": self.name, "games": self.games, "sides": {"first": self.sides[0], "second": self.sides[1]},
            "results": self.results, "moves": self.moves, "illegal": self.illegal, "legal": share_json(self.legal_share()),
            "proven": self.proven, "open": self.open(), "kept": self.kept, "kept_share": share_json(self.kept_share()),
            "given_away": self.given_away, "decisions": decided, "distance": self.distance, "estimated": self.estimated,
            "first_mistake": {"games": self.first_mistakes.len(), "earliest": self.first_mistakes.iter().min(),
                              "median": self.median_first_mistake()},
            "faults": self.faults,
        })
        .serialize(serializer)
    }
}

/// One of the games.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct GradedGame {
    /// The file that it comes from, if any.
    pub file: Option<String>,
    /// Its place in the file, such as `line 3`; null if the file has only this one.
    pub place: Option<String>,
    /// The names of the first and the second player.
    pub players: [String; 2],
    /// The position at which it begins.
    pub from: String,
    /// The legal moves.
    pub moves: Vec<String>,
    /// The position after them.
    pub position: String,
    /// The status there in words.
    pub status: String,
    /// `first` or `second` if that side has won.
    pub winner: Option<&'static str>,
    /// The ply of the first mistake of either player, an illegal move not counted.
    pub first_mistake: Option<usize>,
    /// The ply of the illegal move that ends it, if there is one.
    pub illegal: Option<usize>,
    /// The number of moves that were not read: those after an illegal move, or after the end of the play.
    pub left_out: usize,
    /// The number of positions with a proven value.
    pub proven: usize,
}

impl GradedGame {
    /// `games.jsonl, line 3`; its number if it comes from nowhere.
    #[must_use]
    pub fn source(&self, number: usize) -> String {
        source(self.file.as_deref(), self.place.as_deref(), number)
    }
}

fn source(file: Option<&str>, place: Option<&str>, number: usize) -> String {
    match (file, place) {
        (Some(file), Some(place)) => format!("{file}, {place}"),
        (Some(one), None) | (None, Some(one)) => one.to_string(),
        (None, None) => format!("game {number}"),
    }
}

/// A text, or a part of it, that holds no game.
#[derive(Clone, Debug, Serialize)]
pub struct Unread {
    /// The file.
    pub file: Option<String>,
    /// The place in the file; null for the whole file.
    pub place: Option<String>,
    /// Its fault.
    pub error: String,
}

impl Unread {
    /// `games.jsonl, line 3: why`.
    #[must_use]
    pub fn text(&self) -> String {
        match (self.file.as_deref(), self.place.as_deref()) {
            (None, None) => self.error.clone(),
            (file, place) => format!("{}: {}", source(file, place, 0), self.error),
        }
    }
}

/// Answer of `grade`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GradeReport {
    /// Canonical spelling.
    pub game: String,
    /// The players, in the order in which they were met.
    pub players: Vec<PlayerGrade>,
    /// The games.
    pub games: Vec<GradedGame>,
    /// What holds no game.
    pub unread: Vec<Unread>,
    /// The player that estimates what is not proven; none if nothing was estimated.
    pub estimated_by: Option<&'static str>,
    /// Seconds spent.
    pub seconds: f64,
}

/// The faults of a player that the text shows.
const SHOWN: usize = 3;

impl GradeReport {
    pub(crate) fn new(game: &str) -> GradeReport {
        let (players, games, unread) = (Vec::new(), Vec::new(), Vec::new());
        GradeReport { game: game.to_string(), players, games, unread, estimated_by: None, seconds: 0.0 }
    }

    /// Returns whether some legal moves have no proven value.
    #[must_use]
    pub fn has_open_moves(&self) -> bool {
        self.players.iter().any(|player| player.open() > 0)
    }

    fn table(&self) -> String {
        let open = self.has_open_moves();
        let mut head = vec!["player", "games", "moves", "illegal"];
        if open {
            head.push("proven");
        }
        head.extend(["keep the value", "win→draw", "draw→loss", "win→loss", "plies lost", "first mistake"]);
        let row = |player: &PlayerGrade| {
            let mut row =
                vec![player.name.clone(), grouped(player.games), grouped(player.moves), grouped(player.illegal)];
            if open {
                row.push(grouped(player.proven));
            }
            row.push(player.kept_share().map_or("–".to_string(), |share| share.text()));
            let given = player.given_away;
            row.extend([given.win_to_draw, given.draw_to_loss, given.win_to_loss].map(grouped));
            row.push(if player.distance.of == 0 { "–".to_string() } else { grouped(player.distance.plies) });
            row.push(self.first_mistake(player));
            row
        };
        let rows: Vec<Vec<String>> = self.players.iter().map(row).collect();
        table(&head, &rows)
    }

    fn first_mistake(&self, player: &PlayerGrade) -> String {
        match player.median_first_mistake() {
            None => "none".to_string(),
            Some(ply) => format!("ply {ply}, in {} of {}", grouped(player.first_mistakes.len()), grouped(player.games)),
        }
    }

    /// The estimates of the moves without a proof, for each player that has some.
    pub(crate) fn estimates(&self) -> Vec<String> {
        let said = |player: &PlayerGrade| {
            let seen = player.estimated.filter(|seen| seen.moves > 0)?;
            let (mean, interval) = seen.per_move();
            let interval = interval.map_or(String::new(), |[low, high]| format!(" [{low:.2}, {high:.2}]"));
            Some(format!(
                "≈ {}: {} without a proof, {} as the search would play, {mean:.2}{interval} points given away per move",
                player.name,
                counted(seen.moves, "move"),
                grouped(seen.agreed),
            ))
        };
        self.players.iter().filter_map(said).collect()
    }

    /// A fault in words.
    pub(crate) fn fault_text(&self, fault: &Fault) -> String {
        let place = self.games.get(fault.game - 1).map_or(String::new(), |game| game.source(fault.game));
        let (ply, mv, at) = (fault.ply, &fault.mv, &fault.position);
        let what = match (fault.kind, &fault.why) {
            (FaultKind::Illegal, _) => "is not legal".to_string(),
            (FaultKind::Mistake(mistake), _) => format!("turns a {}", mistake.name().replace("-to-", " into a ")),
        };
        format!("{place}, ply {ply}: {mv} {what} at {at}{}", better(&fault.line))
    }

    /// The players as comma-separated values.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut out = String::from(
            "player,games,won,drawn,lost,unfinished,moves,illegal,proven,kept,kept_share,kept_low,kept_high,win_to_draw,\
             draw_to_loss,win_to_loss,decisions,decisions_kept,plies_lost,distances,games_with_mistake,first_mistake,\
             estimated,estimated_agreed,estimated_lost\n",
        );
        for player in &self.players {
            let share = player.kept_share();
            let number = |n: u64| n.to_string();
            let part = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.4}"));
            let (given, seen) = (player.given_away, player.estimated.filter(|seen| seen.moves > 0));
            let results = player.results;
            let cells = [
                player.name.clone(),
                number(player.games),
                number(results.won),
                number(results.drawn),
                number(results.lost),
                number(results.unfinished),
                number(player.moves),
                number(player.illegal),
                number(player.proven),
                number(player.kept),
                part(share.map(|share| share.share)),
                part(share.map(|share| share.interval[0])),
                part(share.map(|share| share.interval[1])),
                number(given.win_to_draw),
                number(given.draw_to_loss),
                number(given.win_to_loss),
                number(player.decisions.moves),
                number(player.decisions.kept),
                number(player.distance.plies),
                number(player.distance.of),
                player.first_mistakes.len().to_string(),
                player.median_first_mistake().map_or(String::new(), |ply| ply.to_string()),
                seen.map_or(String::new(), |seen| number(seen.moves)),
                seen.map_or(String::new(), |seen| number(seen.agreed)),
                part(seen.map(|seen| seen.lost)),
            ];
            let _ = writeln!(out, "{}", cells.map(|cell| quoted(&cell)).join(","));
        }
        out
    }

    /// The faults as comma-separated values, one on each line.
    #[must_use]
    pub fn faults_csv(&self) -> String {
        let mut out = String::from("player,game,file,place,ply,position,move,kind,best,line,first\n");
        for player in &self.players {
            for fault in &player.faults {
                let game = &self.games[fault.game - 1];
                let cells = [
                    player.name.clone(),
                    fault.game.to_string(),
                    game.file.clone().unwrap_or_default(),
                    game.place.clone().unwrap_or_default(),
                    fault.ply.to_string(),
                    fault.position.clone(),
                    fault.mv.clone(),
                    fault.kind.name().to_string(),
                    fault.best.clone().unwrap_or_default(),
                    fault.line.join(" "),
                    fault.first.to_string(),
                ];
                let _ = writeln!(out, "{}", cells.map(|cell| quoted(&cell)).join(","));
            }
        }
        out
    }
}

impl Serialize for GradeReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({"agon": VERSION, "game": self.game, "players": self.players, "games": self.games, "unread": self.unread,
               "estimated_by": self.estimated_by, "seconds": self.seconds})
        .serialize(serializer)
    }
}

impl Report for GradeReport {
    fn text(&self, paint: Paint) -> String {
        let players = counted(self.players.len(), "player");
        let head = format!("{}: {}, {players}", self.game, counted(self.games.len(), "game"));
        let mut out = format!("{}\n\n", paint.bold(&head));
        if !self.players.is_empty() {
            let _ = writeln!(out, "{}", self.table());
        }
        for player in &self.players {
            let firsts: Vec<&Fault> = player.faults.iter().filter(|fault| fault.first).collect();
            if firsts.is_empty() {
                continue;
            }
            let _ = writeln!(out, "{}", paint.bold(&player.name));
            for fault in firsts.iter().take(SHOWN) {
                let _ = writeln!(out, "  {}", self.fault_text(fault));
            }
            if firsts.len() > SHOWN {
                let _ = writeln!(out, "  and in {}", counted(firsts.len() - SHOWN, "more game"));
            }
        }
        if self.has_open_moves() {
            let open = self.players.iter().map(PlayerGrade::open).sum::<u64>();
            let all = self.players.iter().map(|player| player.moves).sum::<u64>();
            let of = counted(all, "move");
            let _ = writeln!(out, "{} of {of} have no proven value; more time would prove more", grouped(open));
        }
        for said in self.estimates() {
            let _ = writeln!(out, "{}", paint.warn(&said));
        }
        for unread in &self.unread {
            let _ = writeln!(out, "no game: {}", unread.text());
        }
        let _ = writeln!(out, "{}", duration(self.seconds));
        out
    }
}
