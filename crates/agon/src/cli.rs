//! Every command and flag, in one definition: parsing, help, completions and the man page come from it.

mod flags;

use crate::output::Color;
use agon_registry::Registry;
use clap::{Args, Parser, Subcommand};
pub use flags::*;
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit codes: 0 ok · 1 failed · 2 usage · 3 claim refuted · 4 corrupt file · 130 interrupted

A game is spelled FAMILY:PARAMETERS, for example mnk:4,4,3; `agon games` lists them all.
Answers go to standard output, everything else to standard error.";

/// The heading of the flags that say where to begin.
const PLACE: &str = "Where to begin (show, play, count, perft, solve, verify, arena, table probe)";

/// Play, count, solve and prove abstract strategy games.
#[derive(Parser, Debug)]
#[command(name = "agon", version, about, after_help = EXIT_CODES, max_term_width = 100)]
#[command(propagate_version = true, arg_required_else_help = true, infer_subcommands = false)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// What every command gets: flags, and the games.
    #[command(flatten)]
    pub shared: Shared,
}

/// What every command gets: flags, and the games.
#[derive(Args, Debug, Clone)]
pub struct Shared {
    /// Answer with one JSON object
    #[arg(long, global = true)]
    pub json: bool,
    /// Begin at this position instead of the start; `-` reads it from standard input
    #[arg(long, global = true, value_name = "POS", allow_hyphen_values = true, help_heading = PLACE)]
    pub from: Option<String>,
    /// Begin after these moves, in quotes, with spaces between (connect-four: also 4455); `-` reads them from standard
    /// input
    #[arg(long, global = true, value_name = "MOVES", allow_hyphen_values = true, help_heading = PLACE)]
    pub moves: Option<String>,
    /// Begin where the game in this file ends: a saved game, PTN for Tak, or a list of moves; `-` reads standard input
    #[arg(long, global = true, value_name = "FILE", help_heading = PLACE)]
    pub load: Option<PathBuf>,
    /// Seed of everything random [default: a new one for `play`, which says it; else 1]
    #[arg(long, global = true, value_name = "N")]
    pub seed: Option<u64>,
    /// Threads to use [default: all cores]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// No progress on standard error
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// When to use colour; NO_COLOR is honoured
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = Color::Auto)]
    pub color: Color,
    /// The games.
    #[arg(skip)]
    pub registry: Registry,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// List the games, their parameters, solvers, agents and strategies
    #[command(after_help = "Examples:\n  agon games\n  agon games --json")]
    Games,
    /// Show a position
    #[command(
        after_help = "Examples:\n  agon show tic-tac-toe\n  agon show mnk:4,4,3 X.../.O../..../....\n  agon show tic-tac-toe XOX/.O./... --values\n  agon show connect-four --moves 4455\n  agon show tak:5 --load game.ptn\n  cat game.txt | agon show tic-tac-toe --load -\n  agon show tic-tac-toe --svg > board.svg"
    )]
    Show(Show),
    /// Play against another human, a solver, a strategy or chance
    #[command(
        after_help = "Examples:\n  agon play tic-tac-toe\n  agon play mnk:4,4,3 --first perfect --second human\n  agon play tic-tac-toe --first singh-process --second skill:0.7 --seed 7\n  agon play tak:5 --second negamax:time=2\n  agon play tak:5 --load game.ptn\n  agon play connect-four --moves 4455\n  echo 'b2 a1' | agon play tic-tac-toe --second random\n\nPlayers: human, random, weighted, mc, mcts, negamax, perfect, skill:P (perfect with probability P), a strategy\nof the game or FILE.rules, or learned:FILE (see `agon train`). Some take parameters, like negamax:time=2 or mcts:playouts=5000; docs/agents.md lists them.\nType `help` while playing for the commands."
    )]
    Play(Play),
    /// Count positions and games exactly
    #[command(
        after_help = "Examples:\n  agon count tic-tac-toe\n  agon count mnk:4,4,4 --plies 8\n  agon count tic-tac-toe --from X../.../... --json\n  agon count antrin:3 --plies 6\n  agon count antrin:3 --export boards.csv"
    )]
    Count(Count),
    /// Count move sequences by length
    #[command(
        after_help = "Examples:\n  agon perft tic-tac-toe 9\n  agon perft mnk:5,5,4 6 --threads 2\n  agon perft tic-tac-toe 5 --divide\n  agon perft tic-tac-toe 4 --moves \"b2 a1\"\n  agon perft tak:6 5 --table 512"
    )]
    Perft(Perft),
    /// Find the value of a position
    #[command(
        after_help = "Examples:\n  agon solve tic-tac-toe\n  agon solve mnk:4,4,3 --solver alphabeta --certificate win.agon\n  agon solve tic-tac-toe --strong --json\n  agon solve mnk:5,5,4 --time 60\n  agon solve tic-tac-toe --moves \"b2 a1\"\n  agon solve tak:5 --load game.ptn --time 10\n\nThe value, the best moves and the line are proved. A line that begins with ≈ is an estimate by a search, for a value that\nstays unknown; one that begins with `known` is published, with its source.\n--solver brute prunes nothing and remembers nothing: it is there to check the others."
    )]
    Solve(Solve),
    /// Play a strategy against every reply, following every tie
    #[command(
        after_help = "Examples:\n  agon verify tic-tac-toe singh-process --as first --claim draw\n  agon verify tic-tac-toe singh-objectives --as second --claim draw --all\n  agon verify tic-tac-toe singh-objectives --as second --repair --exceptions fix.txt\n  agon verify tic-tac-toe singh-objectives@fix.txt --as second\n  agon verify order-chaos:4x4,k=4 my.rules --as order --claim win\n  agon verify tic-tac-toe my.rules --as second --repair --out fixed.rules\n\nA strategy is spelled NAME, NAME:READING (one way to read an ambiguous rule) or FILE.rules (docs/strategies.md), each perhaps with\n@FILE for exceptions.\n\
                      A line is one complete play; a tie is a choice the rule leaves open. Exit code 3 when the claim as given is\n\
                      refuted, even if it was repaired."
    )]
    Verify(Verify),
    /// Grundy values of games on heaps, by the million
    #[command(
        after_help = "Examples:\n  agon grundy 0.007 --to 500\n  agon grundy kayles --to 1000000 --period\n  agon grundy 0.007 --to 2097152 --stats --zeros --out ellie.grundy && agon check ellie.grundy\n  agon grundy 0.007 --to 16777216 --out ellie.grundy --resume\n  agon grundy 0.007 --to 25000 --plot freq --plot values.svg\n  agon grundy 0.007 --misere --to 120\n  agon grundy --survey 3\n  agon grundy --audit table.csv\n\nA code d0.d1d2… is octal or hexadecimal: bit j of digit d_i allows taking i counters from a heap and leaving j heaps.\nThe names kayles, dawson and grundy do too. Lines of an audit: CODE,period,P  CODE,preperiod,N  CODE,value,N,V"
    )]
    Grundy(Grundy),
    /// Ask tables on disk: what they hold, what a position is worth, whether they are whole
    #[command(
        subcommand,
        after_help = "Examples:\n  agon solve morris:six --strong --table six && agon table stats six\n  agon table probe six\n  agon table probe six --moves \"d5 d3\"\n  agon table longest six\n  agon table verify six"
    )]
    Table(Table),
    /// Check a certificate, or a directory of tables, with the rules alone
    #[command(
        after_help = "Examples:\n  agon solve mnk:4,4,3 --certificate win.agon && agon check win.agon\n  agon solve antrin:4 --strong --table four && agon check four\n  agon check six --sample 100000 --seed 7\n  agon check nine --only 5-5\n\nExit code 1 when tables are missing, 3 when the claim is false, 4 when the file is damaged."
    )]
    Check(CheckFile),
    /// Recompute the claims of published documents
    #[command(
        after_help = "Examples:\n  agon reproduce\n  agon reproduce --list\n  agon reproduce 001\n  agon reproduce 001/games 001/table-1\n  agon reproduce 001 --out report\n\nVerdicts: reproduced, corrected (the document is wrong; the note says how), differs, and for\nmeasured shares statistical: agrees or statistical: differs."
    )]
    Reproduce(Reproduce),
    /// Let players meet, and measure who is stronger
    #[command(
        after_help = "Examples:\n  agon arena tic-tac-toe perfect random --games 200\n  agon arena mnk:4,4,3 perfect skill:0.8 skill:0.5 random --games 50 --opening-plies 2\n  agon arena tak:5 negamax:nodes=20000 mcts:playouts=2000 --games 40 --out match.sqlite\n  agon arena --resume match.sqlite\n  agon arena tak:5 'tei:./engine --threads 1' negamax --time 0.5\n  agon arena drop skill:0.9 skill:0.8 --games 2000 --sprt elo0=0,elo1=50\n  agon arena tak:4 random random --games 10000 --shard 1/2 --out part1.sqlite\n\nPlayers are spelled as for `agon play`; learned:FILE plays by a model of `agon train`, and tei:COMMAND is a\nTak engine in a process of its own.\nThe same seed gives the same games for any number of threads, as long as no player is limited by time.\nSee docs/arena.md."
    )]
    Arena(Arena),
    /// Bring the parts of a tournament together
    #[command(
        after_help = "Examples:\n  agon merge whole.sqlite part1.sqlite part2.sqlite\n  agon merge whole.sqlite part3.sqlite"
    )]
    Merge(Merge),
    /// Let a player learn a small game by playing against itself
    #[command(
        after_help = "Examples:\n  agon train antrin:3 --games 20000 --out antrin.model\n  agon play antrin:3 --second learned:antrin.model\n  agon arena antrin:3 learned:antrin.model perfect random\n\nThe table of values is learned by Q-learning; the model is text, sealed by a hash. Beside it goes a picture of the\nlearning curve. Exit code 4 when a model is damaged."
    )]
    Train(Train),
    /// Open the workbench: play, analyse, solve and prove in a browser
    #[command(
        after_help = "Examples:\n  agon serve --open\n  agon serve --port 8080\n  agon serve --data none\n\nJobs that run when the server is stopped or killed continue when you start it again.\nOnly this machine can reach it: it listens on 127.0.0.1 and asks other sites' pages for a token they do not have."
    )]
    Serve(Serve),
    /// Compute the table of values of a family again
    #[command(
        after_help = "Examples:\n  agon results order-chaos > docs/results/order-chaos.md\n  agon results order-chaos --nodes 1000\n  agon results octal > docs/results/octal.md\n  agon results ellie --nodes 100000\n  agon results antrin"
    )]
    Results(Results),
    /// Run fixed work, check its answers, and measure
    #[command(after_help = "Examples:\n  agon bench\n  agon bench strong playouts\n  agon bench --json")]
    Bench(Bench),
    /// Compare every method of solving with a brute force that knows the rules alone
    #[command(
        after_help = "Examples:\n  agon selftest --quick\n  agon selftest\n  agon selftest grundy order-chaos\n  agon selftest sum --seed 7 --json\n\nGames of every family, at fixed sizes and with random rules, are explored move by move; every solver, table,\ncertificate, player and count must say the same about their positions. The whole has more and larger\ngames; --quick takes a minute or two on two cores. The same seed compares the same things.\nExit code 3 when something disagrees; each disagreement comes with commands that show it.\nThe second checker takes part where python3 is installed."
    )]
    Selftest(Selftest),
    /// Speak the Tak Engine Interface on standard input and output
    #[command(
        after_help = "Examples:\n  printf 'tei\\nteinewgame 6\\nposition startpos moves a1 f6\\ngo movetime 1000\\n' | agon tei\n\nBoth dialects are understood: `teinewgame 6`, and `teinewgame size 6 halfkomi 4`.\nOptions: HalfKomi, Hash (MiB), Threads, MultiPV, Player (negamax or mcts)."
    )]
    Tei,
    /// Find what the features of Tak's evaluation are worth, from games against itself
    #[command(
        after_help = "Examples:\n  agon tune tak:6\n  agon tune tak:5 --games 2000 --nodes 5000 --seed 7 --json\n\nThe same seed, games and nodes give the same weights on any number of threads."
    )]
    Tune(Tune),
    /// Write shell completions
    #[command(after_help = "Examples:\n  agon completions bash > ~/.local/share/bash-completion/completions/agon")]
    Completions {
        /// For which shell
        shell: clap_complete::Shell,
    },
    /// Write the manual page of agon or of one command
    #[command(after_help = "Examples:\n  agon man > agon.1 && man ./agon.1\n  agon man solve > agon-solve.1")]
    Man {
        /// Which command; agon itself when left out
        about: Option<String>,
    },
}

impl Command {
    /// Whether it begins at a position, so that `--from`, `--moves` and `--load` mean something.
    #[must_use]
    pub fn begins_at_a_position(&self) -> bool {
        matches!(
            self,
            Command::Show(_)
                | Command::Play(_)
                | Command::Count(_)
                | Command::Perft(_)
                | Command::Solve(_)
                | Command::Verify(_)
                | Command::Arena(_)
                | Command::Table(Table::Probe { .. })
        )
    }

    /// Whether the games it names may stand in files: only where the person who asks could read them anyway.
    #[must_use]
    pub fn reads_boards(&self) -> bool {
        matches!(
            self,
            Command::Show(_)
                | Command::Play(_)
                | Command::Count(_)
                | Command::Perft(_)
                | Command::Solve(_)
                | Command::Verify(_)
                | Command::Arena(_)
                | Command::Merge(_)
                | Command::Train(_)
                | Command::Selftest(_)
        )
    }
}
