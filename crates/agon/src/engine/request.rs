//! Requests of the Universal Game Interface and of the Tak Engine Interface, parsed from lines. Unknown words are ignored.

use std::time::Duration;

/// One request.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Request {
    /// `ugi` or `tei`: identify yourself.
    Hello,
    /// Are you there?
    Ready,
    /// An option, by its name in lower case.
    Option(String, String),
    /// A new game: in TEI size, half komi if it was said, and whether in the draft dialect.
    NewGame(Option<usize>, Option<i32>, bool),
    /// A position, and the moves that lead on from it.
    Position(Option<String>, Vec<String>),
    /// A question about the position, by its name.
    Query(String),
    /// Think.
    Go(Go),
    /// Stop thinking and say what was found.
    Stop,
    /// Leave.
    Quit,
    /// Anything else.
    Unknown,
}

/// The limits of a search.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Go {
    /// Time left, that of the first player first.
    pub(super) left: [Option<Duration>; 2],
    /// Time added for each move.
    pub(super) added: [Duration; 2],
    /// For this move.
    pub(super) movetime: Option<Duration>,
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
    /// Until told to stop, even if there is nothing more to find.
    pub(super) infinite: bool,
}

impl Go {
    /// Returns whether the search ends without `stop`.
    pub(super) fn is_limited(&self) -> bool {
        self.left.iter().any(Option::is_some) || self.movetime.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// The time for this move: what is said, or a share of what is left.
    pub(super) fn time(&self, side: usize) -> Option<Duration> {
        const OVERHEAD: Duration = Duration::from_millis(10);
        const LEAST: Duration = Duration::from_millis(2);
        let share = self.left[side].map(|left| {
            let wanted = left / 20 + self.added[side] * 4 / 5;
            wanted.min(left * 4 / 5).saturating_sub(OVERHEAD).max(LEAST)
        });
        match (self.movetime, share) {
            (Some(fixed), Some(share)) => Some(fixed.min(share)),
            (fixed, share) => fixed.or(share),
        }
    }
}

impl Request {
    /// Reads a line.
    pub(super) fn read(line: &str) -> Request {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.split_first() {
            Some((&"tei" | &"ugi", _)) => Request::Hello,
            Some((&"isready", _)) => Request::Ready,
            Some((&"setoption", rest)) => option(rest),
            Some((&"teinewgame", rest)) => new_game(rest),
            Some((&"uginewgame", _)) => Request::NewGame(None, None, false),
            Some((&"query", rest)) => Request::Query(rest.join(" ")),
            Some((&"position", rest)) => position(rest),
            Some((&"go", rest)) => Request::Go(go(rest)),
            Some((&"stop", _)) => Request::Stop,
            Some((&"quit", _)) => Request::Quit,
            _ => Request::Unknown,
        }
    }
}

/// `name N value V`; both may have spaces.
fn option(words: &[&str]) -> Request {
    let value_at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    let name = words[..value_at].iter().skip_while(|&&word| word == "name").copied();
    let value = words[value_at..].iter().skip(1).copied();
    let join = |words: &mut dyn Iterator<Item = &str>| words.collect::<Vec<_>>().join(" ");
    Request::Option(join(&mut { name }).to_lowercase(), join(&mut { value }))
}

/// `6`, or `size 6 halfkomi 4`.
fn new_game(words: &[&str]) -> Request {
    let after = |key: &str| words.iter().position(|&word| word == key).and_then(|at| words.get(at + 1));
    let draft = words.contains(&"size") || words.contains(&"halfkomi");
    let size = if draft { after("size") } else { words.first() };
    Request::NewGame(
        size.and_then(|text| text.parse().ok()),
        after("halfkomi").and_then(|text| text.parse().ok()),
        draft,
    )
}

/// `startpos`, or `tps` or `fen` and a position, then perhaps `moves` and moves.
fn position(words: &[&str]) -> Request {
    let moves_at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let moves = words[moves_at..].iter().skip(1).map(ToString::to_string).collect();
    match words[..moves_at].split_first() {
        Some((&"startpos", _)) => Request::Position(None, moves),
        Some((&"tps" | &"fen", rest)) if !rest.is_empty() => Request::Position(Some(rest.join(" ")), moves),
        _ => Request::Unknown,
    }
}

fn go(words: &[&str]) -> Go {
    let mut go = Go::default();
    for (i, &word) in words.iter().enumerate() {
        let next = words.get(i + 1);
        let number = next.and_then(|text| text.parse::<u64>().ok());
        // A clock that has run out may be reported as negative.
        let less = next.and_then(|text| text.parse::<i64>().ok()).map(|n| n.max(0) as u64);
        let time = number.or(less).map(|ms| Duration::from_millis(ms.min(1 << 40)));
        match word {
            "wtime" | "p1time" => go.left[0] = time,
            "btime" | "p2time" => go.left[1] = time,
            "winc" | "p1inc" => go.added[0] = time.unwrap_or_default(),
            "binc" | "p2inc" => go.added[1] = time.unwrap_or_default(),
            "movetime" => go.movetime = time,
            "nodes" => go.nodes = number,
            "depth" => go.depth = number.map(|depth| depth.min(60) as u32),
            "infinite" => go.infinite = true,
            _ => {}
        }
    }
    go
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_both_dialects() {
        assert_eq!(Request::read("teinewgame 6"), Request::NewGame(Some(6), None, false));
        assert_eq!(Request::read("teinewgame size 5 halfkomi 4"), Request::NewGame(Some(5), Some(4), true));
        assert_eq!(
            Request::read("position tps x3/x3/x3 1 1 moves a1 b2"),
            Request::Position(Some("x3/x3/x3 1 1".into()), vec!["a1".into(), "b2".into()])
        );
        assert_eq!(Request::read("position startpos"), Request::Position(None, vec![]));
        assert_eq!(Request::read("setoption name Half Komi value 4"), Request::Option("half komi".into(), "4".into()));
        for odd in ["", "position", "position tps", "bestmove", "TEI", "\u{0}"] {
            assert_eq!(Request::read(odd), Request::Unknown, "{odd}");
        }
        for odd in
            ["setoption", "setoption value", "setoption name value name", "go depth", "go wtime x", "teinewgame -1"]
        {
            let _ = Request::read(odd);
        }
    }

    #[test]
    fn requests_for_every_game() {
        assert_eq!(Request::read("ugi"), Request::Hello);
        assert_eq!(Request::read("uginewgame"), Request::NewGame(None, None, false));
        assert_eq!(Request::read("query p1turn"), Request::Query("p1turn".into()));
        assert_eq!(
            Request::read("position fen .../.X./... moves a1"),
            Request::Position(Some(".../.X./...".into()), vec!["a1".into()])
        );
        let Request::Go(go) = Request::read("go p1time 1000 p2time 2000 p1inc 3 p2inc 4") else { panic!() };
        assert_eq!(go.left, [Some(Duration::from_secs(1)), Some(Duration::from_secs(2))]);
        assert_eq!(go.added, [Duration::from_millis(3), Duration::from_millis(4)]);
    }

    #[test]
    fn a_clock_is_never_overdrawn() {
        for (line, least, most) in [
            ("go wtime 60000 btime 1 winc 1000 binc 0", 3_000, 4_000),
            ("go wtime 100 btime 100", 2, 80),
            ("go wtime 0 btime 0", 2, 2),
            ("go wtime -50 btime 0", 2, 2),
            ("go movetime 250 wtime 100000", 250, 250),
            ("go wtime 18446744073709551615", 2, u64::MAX),
        ] {
            let Request::Go(go) = Request::read(line) else { panic!("{line}") };
            let time = go.time(0).unwrap().as_millis() as u64;
            assert!((least..=most).contains(&time), "{line}: {time}");
        }
        let Request::Go(go) = Request::read("go infinite") else { panic!() };
        assert!(!go.is_limited() && go.infinite && go.time(0).is_none());
    }
}
