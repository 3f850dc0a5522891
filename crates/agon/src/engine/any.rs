//! Every game, by players that speak text.

use super::session::{Board, Found, Info, Limits, Line, Search};
use crate::failure::Failure;
use agon_core::{Ctx, Status, Wdl};
use agon_registry::Registry;
use agon_registry::erased::{AnyAgent, AnyGame, Choice, Reasons, StrategyRequest};
use agon_registry::record;
use agon_report::SearchScore;
use std::sync::Arc;
use std::time::Duration;

/// Longer than any search: players without a limit of their own would stop after a second.
const UNLIMITED: &str = "time=1000000";
/// The time of a search without a limit, for players that divide it.
const LONG: Duration = Duration::from_secs(1 << 30);

/// The options of the engine.
#[derive(Clone, PartialEq, Debug)]
struct Options {
    /// As for `agon play`; no player that reads a file.
    player: String,
    seed: u64,
    /// MiB.
    hash: u32,
    threads: u32,
    lines: usize,
}

impl Options {
    /// The spelling of the player: with the options as parameters, unless it has its own.
    fn spelled(&self, limits: Limits) -> String {
        let (name, own) = self.player.split_once(':').unwrap_or((&self.player, ""));
        let mut parts: Vec<String> = own.split(',').map(String::from).filter(|part| !part.is_empty()).collect();
        let has = |parts: &[String], key: &str| parts.iter().any(|part| part.split('=').next() == Some(key));
        let mut add = |key: &str, value: String| {
            if !has(&parts, key) {
                parts.push(format!("{key}={value}"));
            }
        };
        match name {
            "negamax" => {
                add("memory", self.hash.to_string());
                add("threads", self.threads.to_string());
                add("lines", self.lines.to_string());
                limits.depth.into_iter().for_each(|depth| add("depth", depth.to_string()));
                limits.nodes.into_iter().for_each(|nodes| add("nodes", nodes.to_string()));
            }
            "mcts" => {
                add("memory", self.hash.to_string());
                add("threads", self.threads.to_string());
                limits.nodes.into_iter().for_each(|nodes| add("playouts", nodes.to_string()));
            }
            "mc" => limits.nodes.into_iter().for_each(|nodes| add("playouts", nodes.to_string())),
            _ => return self.player.clone(),
        }
        let limited = ["time", "depth", "nodes", "playouts"].iter().any(|key| has(&parts, key));
        if !limited {
            parts.push(UNLIMITED.to_string());
        }
        format!("{name}:{}", parts.join(","))
    }
}

/// A player with its spelling.
pub(super) struct Player {
    spelled: String,
    agent: Box<dyn AnyAgent>,
}

/// The game at hand.
struct Table {
    game: Arc<dyn AnyGame>,
    pos: String,
}

/// A board of any game. None is chosen at first if the command line names none.
pub(super) struct AnyBoard {
    registry: Registry,
    table: Option<Table>,
    options: Options,
}

/// What to do about a game that is not chosen yet.
const NO_GAME: &str =
    "no game is chosen: say `setoption name Game value connect-four`, or start `agon engine connect-four`";

impl AnyBoard {
    pub(super) fn new(registry: Registry, game: Option<&str>, player: &str) -> Result<AnyBoard, Failure> {
        let options = Options { player: player.to_string(), seed: 1, hash: 64, threads: 1, lines: 1 };
        let mut board = AnyBoard { registry, table: None, options };
        if let Some(game) = game {
            board.choose(game)?;
            board.player_of(Limits::default())?;
        }
        Ok(board)
    }

    fn choose(&mut self, spelling: &str) -> Result<(), Failure> {
        let game: Arc<dyn AnyGame> = Arc::from(self.registry.game(spelling)?);
        self.table = Some(Table { pos: game.start(), game });
        Ok(())
    }

    fn player_of(&self, limits: Limits) -> Result<Player, Failure> {
        let Some(table) = &self.table else { return Err(Failure::Usage(NO_GAME.into())) };
        player(table.game.as_ref(), self.options.spelled(limits), self.options.seed)
    }
}

fn player(game: &dyn AnyGame, spelled: String, seed: u64) -> Result<Player, Failure> {
    let agent = game.agent(&StrategyRequest::named(spelled.clone()), seed)?;
    Ok(Player { spelled, agent })
}

fn said(failure: &Failure) -> String {
    failure.message().unwrap_or_else(|| "it is refused".to_string())
}

impl Board for AnyBoard {
    type Player = Player;

    fn introduction(&self) -> String {
        let game = self.table.as_ref().map_or("<empty>", |table| table.game.spelling());
        let Options { player, seed, hash, threads, lines } = &self.options;
        format!(
            "option name Game type string default {game}\n\
             option name Player type string default {player}\n\
             option name Seed type spin default {seed} min 0 max 4294967295\n\
             option name Hash type spin default {hash} min 1 max 65536\n\
             option name Threads type spin default {threads} min 1 max 64\n\
             option name MultiPV type spin default {lines} min 1 max 64\n\
             ugiok"
        )
    }

    fn set(&mut self, name: &str, value: &str) -> bool {
        let number = |least: u32, most: u32| value.parse::<u32>().ok().filter(|n| (least..=most).contains(n));
        let before = self.options.clone();
        let known = match name {
            "game" => return self.choose(value).is_ok(),
            "player" => {
                self.options.player = value.to_string();
                Some(())
            }
            "seed" => number(0, u32::MAX).map(|n| self.options.seed = u64::from(n)),
            "hash" => number(1, 65536).map(|n| self.options.hash = n),
            "threads" => number(1, 64).map(|n| self.options.threads = n),
            "multipv" => number(1, 64).map(|n| self.options.lines = n as usize),
            _ => None,
        };
        if known.is_some() && (self.table.is_none() || self.player_of(Limits::default()).is_ok()) {
            return true;
        }
        self.options = before;
        false
    }

    fn begin(&mut self, _size: Option<usize>, _half_komi: Option<i32>, _draft: bool) -> Result<(), String> {
        let table = self.table.as_mut().ok_or(NO_GAME)?;
        table.pos = table.game.start();
        Ok(())
    }

    fn place(&mut self, position: Option<&str>, moves: &[String]) -> Result<(), String> {
        let table = self.table.as_mut().ok_or(NO_GAME)?;
        let game = table.game.as_ref();
        let from = position.map_or_else(|| Ok(game.start()), |text| game.position(text));
        let line = from.and_then(|from| record::Line::new(game, from, moves));
        table.pos = line.map_err(|failure| said(&failure))?.position().to_string();
        Ok(())
    }

    fn status(&self) -> Status {
        let status = self.table.as_ref().and_then(|table| table.game.status(&table.pos).ok());
        // Without a game nobody is to move; the first player would be.
        status.unwrap_or(Status::Turn(agon_core::Player::First))
    }

    fn no_move(&self) -> &'static str {
        "none"
    }

    fn error(&self, why: &str) -> Option<String> {
        Some(format!("info string {}", why.replace(['\n', '\r'], " ")))
    }

    fn says_solved(&self) -> bool {
        false
    }

    fn lines(&self) -> usize {
        self.options.lines
    }

    fn player(&self) -> Result<Player, String> {
        self.player_of(Limits::default()).map_err(|failure| said(&failure))
    }

    fn search(&self, limits: Limits) -> Search<Player> {
        let table = self.table.as_ref().map(|table| (table.game.clone(), table.pos.clone()));
        let wanted = self.options.spelled(limits);
        let seed = self.options.seed;
        Box::new(move |current: &mut Player, ctx: &Ctx, tell: &mut dyn FnMut(Info)| {
            let (game, pos) = table?;
            // A player keeps what it knows as long as its limits are the same.
            if current.spelled != wanted {
                *current = player(game.as_ref(), wanted.clone(), seed).ok()?;
            }
            current.agent.limit(limits.time.unwrap_or(LONG));
            let counted = match limits.nodes {
                Some(nodes) if !counts_nodes(&wanted) => ctx.clone().with_budget(nodes),
                _ => ctx.clone(),
            };
            let mut each = |choice: &Choice| tell(info(choice.thought.as_ref()));
            match current.agent.think(&pos, &counted, &mut each) {
                Ok(choice) => Some(Found { info: info(choice.thought.as_ref()), mv: choice.mv }),
                // A player that was stopped before it had a move still has to make one.
                Err(_) => Some(Found { mv: game.moves(&pos).ok()?.into_iter().next()?, info: info(None) }),
            }
        })
    }
}

/// Returns whether the player has a parameter for its nodes.
fn counts_nodes(spelled: &str) -> bool {
    ["negamax:", "mcts:", "mc:"].iter().any(|name| spelled.starts_with(name))
}

fn info(thought: Option<&Reasons>) -> Info {
    let Some(thought) = thought else { return Info { depth: 0, nodes: 0, full: None, lines: Vec::new() } };
    let mut lines: Vec<Line> = thought
        .alternatives
        .iter()
        .map(|other| Line {
            score: other.score,
            proven: other.proven.as_deref().and_then(proven),
            pv: other.pv.join(" "),
        })
        .collect();
    if lines.is_empty() {
        let score = thought.score.unwrap_or(SearchScore::Points(0));
        lines.push(Line { score, proven: thought.proven.as_deref().and_then(proven), pv: thought.pv.join(" ") });
    }
    Info { depth: thought.depth, nodes: thought.nodes, full: None, lines }
}

/// The value that `win in 5`, `draw` or `loss in 4` says.
fn proven(words: &str) -> Option<(Wdl, u32)> {
    let (value, plies) = words.split_once(" in ").unwrap_or((words, "0"));
    let value = [Wdl::Win, Wdl::Draw, Wdl::Loss].into_iter().find(|wdl| wdl.name() == value)?;
    Some((value, plies.trim().parse().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_become_parameters_unless_the_player_has_its_own() {
        let options = |player: &str| Options { player: player.into(), seed: 1, hash: 8, threads: 2, lines: 3 };
        let limits = Limits { nodes: Some(50), depth: None, time: None };
        for (player, limits, spelled) in [
            ("perfect", limits, "perfect"),
            ("negamax", limits, "negamax:memory=8,threads=2,lines=3,nodes=50"),
            ("negamax:memory=1,nodes=7", limits, "negamax:memory=1,nodes=7,threads=2,lines=3"),
            ("mcts", Limits::default(), "mcts:memory=8,threads=2,time=1000000"),
            ("mc", limits, "mc:playouts=50"),
        ] {
            assert_eq!(options(player).spelled(limits), spelled);
        }
    }

    #[test]
    fn values_in_words_are_read() {
        assert_eq!(proven("win in 5"), Some((Wdl::Win, 5)));
        assert_eq!(proven("draw"), Some((Wdl::Draw, 0)));
        assert_eq!(proven("unknown"), None);
    }
}
