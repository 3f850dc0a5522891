//! Every command and flag, in one definition: parsing, help, completions and the man page come from it.

use crate::output::Color;
use agon_core::Wdl;
use agon_registry::Registry;
use clap::{Args, Parser, Subcommand, ValueEnum};
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
        after_help = "Examples:\n  agon play tic-tac-toe\n  agon play mnk:4,4,3 --first perfect --second human\n  agon play tic-tac-toe --first singh-process --second skill:0.7 --seed 7\n  agon play tak:5 --second negamax:time=2\n  agon play tak:5 --load game.ptn\n  agon play connect-four --moves 4455\n  echo 'b2 a1' | agon play tic-tac-toe --second random\n\nPlayers: human, random, weighted, mc, mcts, negamax, perfect, skill:P (perfect with probability P), a strategy\nof the game, or learned:FILE (see `agon train`). Some take parameters, like negamax:time=2 or mcts:playouts=5000; docs/agents.md lists them.\nType `help` while playing for the commands."
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
        after_help = "Examples:\n  agon verify tic-tac-toe singh-process --as first --claim draw\n  agon verify tic-tac-toe singh-objectives --as second --claim draw --all\n  agon verify tic-tac-toe singh-objectives --as second --repair --exceptions fix.txt\n  agon verify tic-tac-toe singh-objectives@fix.txt --as second\n\nA strategy is spelled NAME, NAME:READING (one way to read an ambiguous rule), or either with @FILE for exceptions.\n\
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

/// `show`
#[derive(Args, Debug)]
pub struct Show {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// The position (default: the start)
    #[arg(allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Draw as SVG
    #[arg(long)]
    pub svg: bool,
    /// Solve, and show what each move is worth: ▲ wins, ■ draws, ▼ loses, and in how many plies
    #[arg(long)]
    pub values: bool,
    /// With --values: give up after that many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub time: f64,
    /// With --values: look them up in this directory of tables
    #[arg(long, value_name = "DIR", requires = "values")]
    pub table: Option<PathBuf>,
}

/// `table`
#[derive(Subcommand, Debug)]
pub enum Table {
    /// What each table holds: positions by value, longest wins and losses
    Stats {
        /// The directory
        folder: PathBuf,
    },
    /// The value of a position, and of every move there
    Probe {
        /// The directory
        folder: PathBuf,
        /// The position (default: the start)
        #[arg(allow_hyphen_values = true)]
        position: Option<String>,
    },
    /// A longest forced win, move by move
    Longest {
        /// The directory
        folder: PathBuf,
    },
    /// Read every block, compare checksums, count again
    Verify {
        /// The directory
        folder: PathBuf,
    },
}

impl Table {
    /// The directory asked.
    #[must_use]
    pub fn folder(&self) -> &std::path::Path {
        let (Table::Stats { folder }
        | Table::Probe { folder, .. }
        | Table::Longest { folder }
        | Table::Verify { folder }) = self;
        folder
    }
}

/// `play`
#[derive(Args, Debug)]
pub struct Play {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// Who moves first
    #[arg(long, default_value = "human", value_name = "PLAYER")]
    pub first: String,
    /// Who moves second
    #[arg(long, default_value = "perfect", value_name = "PLAYER")]
    pub second: String,
    /// Seconds for a move or a hint; a perfect player without a proof in the first part of it plays what its search finds
    /// in the rest, and says so
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    pub time: f64,
    /// A game between two programs is left as a draw after that many moves, or at the third occurrence of a position
    #[arg(long, value_name = "PLIES", default_value_t = 1000)]
    pub most_plies: u32,
    /// Perfect players and hints look values up in this directory of tables
    #[arg(long, value_name = "DIR")]
    pub table: Option<PathBuf>,
}

/// `arena`
#[derive(Args, Debug)]
pub struct Arena {
    /// The game, like tic-tac-toe or tak:5 (see `agon games`)
    #[arg(required_unless_present = "resume")]
    pub game: Option<String>,
    /// The players, at least two
    #[arg(value_name = "PLAYER")]
    pub players: Vec<String>,
    /// Games of each pairing; even, for the sides change
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub games: u64,
    /// The first player meets each of the others, instead of everybody everybody
    #[arg(long)]
    pub gauntlet: bool,
    /// Random plies before the players take over, the same for both games of a pair
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub opening_plies: u32,
    /// A file of openings: on each line moves, or `position POS`; # begins a remark
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Seconds a move may take [default: 10; 1 for external engines]
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<f64>,
    /// Seconds an external engine may take to start
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    pub start_time: f64,
    /// A game that lasts longer is a draw
    #[arg(long, value_name = "PLIES", default_value_t = 1000)]
    pub most_plies: u32,
    /// Stop as soon as a sequential test is decided, like elo0=0,elo1=10
    #[arg(long, value_name = "TEST")]
    pub sprt: Option<String>,
    /// Keep every game in this SQLite file
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Resume the tournament in this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "players", "games", "gauntlet", "opening_plies", "book", "time", "start_time", "most_plies", "sprt", "from", "moves", "load", "seed"])]
    pub resume: Option<PathBuf>,
    /// With --resume: run the programs (tei:COMMAND) that the file names as players
    #[arg(long, requires = "resume")]
    pub allow_programs: bool,
    /// Play only part i of n, to be merged later
    #[arg(long, value_name = "i/n")]
    pub shard: Option<String>,
    /// Perfect players look values up in this directory of tables
    #[arg(long, value_name = "DIR")]
    pub table: Option<PathBuf>,
}

/// `merge`
#[derive(Args, Debug)]
pub struct Merge {
    /// The file to merge into
    pub out: PathBuf,
    /// The parts
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}

/// `train`
#[derive(Args, Debug)]
pub struct Train {
    /// The game, a small one, like antrin:3 or tic-tac-toe
    pub game: String,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub games: u64,
    /// Write the model here
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw the learning curve here [default: FILE.svg beside the model]
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// How far a value is drawn towards a new one
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    pub alpha: f64,
    /// How much of a value is left one move earlier
    #[arg(long, value_name = "SHARE", default_value_t = 0.97)]
    pub gamma: f64,
    /// The chance of a random move at the beginning; it falls to a tenth of that
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    pub epsilon: f64,
    /// Points of the learning curve
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub points: u64,
    /// Games against each opponent for a point of the curve
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(2..=100_000))]
    pub exam: u64,
    /// Seconds the perfect opponent may take for a point of the curve; without proof in that time it is left out
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub time: f64,
}

/// `count`
#[derive(Args, Debug)]
pub struct Count {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// Stop after that many plies (needed where play can cycle)
    #[arg(long, value_name = "N")]
    pub plies: Option<u32>,
    /// Write every board up to symmetry, with weight, value and distance, to FILE.csv or FILE.json (mill games)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plies", "from", "moves", "load"])]
    pub export: Option<PathBuf>,
    /// Memory to use at most, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 8192)]
    pub memory: usize,
}

/// `perft`
#[derive(Args, Debug)]
pub struct Perft {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// The longest sequences to count
    #[arg(value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub depth: u32,
    /// Split the last count by first move
    #[arg(long)]
    pub divide: bool,
    /// Remember counts, up to symmetry, in a table of that many MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub table: Option<u64>,
}

/// `results`
#[derive(Args, Debug)]
pub struct Results {
    /// Which table
    #[arg(value_enum)]
    pub table: ResultsTable,
    /// Give each value of a game up after about that many nodes [default: 10000; for ellie 40000000]
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// The largest board of antrin; 5 takes half an hour of processor time and 1 GB
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(3..=5))]
    pub size: u8,
}

/// Tables that `results` can compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum ResultsTable {
    /// Antrin on 3×3, 4×4 (and 5×5) under every rule: values, distances, longest wins, draws
    Antrin,
    /// Order and Chaos up to 7×7, and m,n,k games by their lines
    OrderChaos,
    /// Octal games of up to three digits, and published periods
    Octal,
    /// Every method of computing Grundy values, value by value to 2^18
    Agreement,
    /// The nim-values of Ellie on boards of three to six rows
    Ellie,
}

/// `solve`
#[derive(Args, Debug)]
pub struct Solve {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// Which method, by a name that the game offers (`agon games` lists them); auto takes the first. nimbers:
    /// nim-values of impartial games; sweep: a table of all boards of a game of lines; lines: proofs over lines that
    /// can still be completed; race: who completes a line first; portfolio: alphabeta, race and lines in turns;
    /// alphabeta: search with a table over positions up to symmetry, or for the shortest forced win; proof-number: a
    /// win by threats alone (tak: tinue); strong: every reachable position, the same as --strong; brute: plain
    /// exhaustion, to compare the others with
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,
    /// Value every reachable position
    #[arg(long, conflicts_with = "solver")]
    pub strong: bool,
    /// Value every move of the position, however long that takes
    #[arg(long)]
    pub all: bool,
    /// Write a certificate that `agon check` accepts
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Give up after about that many nodes
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Give up after that many seconds
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<f64>,
    /// Memory to use at most, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: usize,
    /// Keep tables in this directory (with --strong), or look values up there (without)
    #[arg(long, value_name = "DIR")]
    pub table: Option<PathBuf>,
    /// With --table: continue with the tables that are there
    #[arg(long, requires_all = ["table", "strong"])]
    pub resume: bool,
    /// With --table: only this table, such as 5-5, and those it leads to
    #[arg(long, value_name = "NAME", requires_all = ["table", "strong"])]
    pub only: Option<String>,
    /// With --table: save unfinished work that often
    #[arg(long, value_name = "SECONDS", default_value_t = 50.0, requires = "table")]
    pub save_every: f64,
}

/// What a strategy is claimed to reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Claimed {
    /// It always wins
    Win,
    /// It gets at least a draw
    Draw,
}

impl From<Claimed> for Wdl {
    fn from(claimed: Claimed) -> Wdl {
        match claimed {
            Claimed::Win => Wdl::Win,
            Claimed::Draw => Wdl::Draw,
        }
    }
}

/// `verify`
#[derive(Args, Debug)]
pub struct Verify {
    /// The game, like tic-tac-toe or mnk:4,4,3 (see `agon games`)
    pub game: String,
    /// The strategy
    pub strategy: String,
    /// The side it plays: first, second, or the game's own name
    #[arg(long = "as", default_value = "first", value_name = "SIDE")]
    pub side: String,
    /// What it should reach
    #[arg(long, value_enum, default_value_t = Claimed::Draw)]
    pub claim: Claimed,
    /// List every position where it first goes wrong, and the lines that break the claim
    #[arg(long)]
    pub all: bool,
    /// Find the fewest exceptions, up to symmetry, that make the claim hold
    #[arg(long)]
    pub repair: bool,
    /// With --repair: try at most that many exceptions
    #[arg(long, value_name = "N", default_value_t = 16, requires = "repair")]
    pub most: usize,
    /// With --repair: write the exceptions to a file that NAME@FILE reads
    #[arg(long, value_name = "FILE", requires = "repair")]
    pub exceptions: Option<PathBuf>,
    /// Write a certificate that `agon check` accepts; with --repair, of the repaired strategy
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
}

/// `grundy`
#[derive(Args, Debug)]
pub struct Grundy {
    /// The code, such as 0.007
    #[arg(required_unless_present_any = ["audit", "survey", "self_test"], allow_hyphen_values = true)]
    pub code: Option<String>,
    /// The largest heap [default: 100, or the largest of --at; with --survey 16384; with --misere 120]
    #[arg(long, value_name = "N", value_parser = heap, allow_hyphen_values = true)]
    pub to: Option<usize>,
    /// List all values even if something else is asked for
    #[arg(long)]
    pub values: bool,
    /// List the heaps of value zero
    #[arg(long)]
    pub zeros: bool,
    /// Largest, most frequent, last new, missing values
    #[arg(long)]
    pub stats: bool,
    /// Find the period and prove it
    #[arg(long)]
    pub period: bool,
    /// Values of these heaps, such as 5,17,100..=120
    #[arg(long, value_name = "HEAPS", allow_hyphen_values = true)]
    pub at: Option<String>,
    /// Keep the values in a file that `agon check` accepts
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Resume the file of --out
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Draw: FILE.svg, or values, freq or density, alone or as KIND:FILE.svg
    #[arg(long, value_name = "PLOT")]
    pub plot: Vec<String>,
    /// Outcomes and genus in misère play
    #[arg(long, conflicts_with_all = ["out", "resume", "period", "stats", "zeros", "at", "plot", "values"])]
    pub misere: bool,
    /// All octal codes of up to that many digits, and their periods
    #[arg(long, value_name = "DIGITS", conflicts_with = "code", value_parser = clap::value_parser!(u32).range(1..=4))]
    pub survey: Option<u32>,
    /// Check a file of published statements
    #[arg(long, value_name = "FILE", conflicts_with = "code")]
    pub audit: Option<PathBuf>,
    /// Compare every method value by value, on many codes or the one given [default --to: 16384]
    #[arg(long)]
    pub self_test: bool,
    /// Time the engine against the plain loop
    #[arg(long)]
    pub race: bool,
}

/// A heap that a machine could hold.
fn heap(text: &str) -> Result<usize, String> {
    const LARGEST: usize = 1 << 40;
    let heap = text.replace(['_', ','], "").parse().ok().filter(|&n| n <= LARGEST);
    heap.ok_or_else(|| format!("expected a heap, 0..={LARGEST}"))
}

/// `check`
#[derive(Args, Debug)]
pub struct CheckFile {
    /// The certificate, a file of Grundy values, or a directory of tables
    pub file: PathBuf,
    /// Derive every value, which proves them all (tables: the default)
    #[arg(long, conflicts_with = "sample")]
    pub full: bool,
    /// How many random values to derive [default for Grundy values: 500; for tables: of each one, instead of all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,
    /// Tables: this one, such as 5-5, and those it leads to must be there, instead of all
    #[arg(long, value_name = "NAME")]
    pub only: Option<String>,
}

/// `reproduce`
#[derive(Args, Debug)]
pub struct Reproduce {
    /// Documents (001) or items (001/games); all when left out
    pub items: Vec<String>,
    /// Only list the items
    #[arg(long)]
    pub list: bool,
    /// Include the slow items
    #[arg(long)]
    pub full: bool,
    /// Also write Markdown, JSON, CSV and an HTML page into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// `serve`
#[derive(Args, Debug)]
pub struct Serve {
    /// The port; 0 chooses a free one
    #[arg(long, value_name = "N", default_value_t = 4774)]
    pub port: u16,
    /// Show it in the browser at once
    #[arg(long)]
    pub open: bool,
    /// Keep jobs in this directory, so that they continue after a restart; `none` keeps no jobs
    /// [default: agon in $XDG_STATE_HOME, or in ~/.local/state]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
}

/// `tune`
#[derive(Args, Debug)]
pub struct Tune {
    /// The game, like tak:6
    pub game: String,
    /// Games to learn from in each round; every fifth is kept back for testing
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(5..=10_000_000))]
    pub games: u64,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 1500, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Random plies at the start of each game
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=40))]
    pub opening: u32,
    /// Begin with the weights set by hand, not with those in use
    #[arg(long)]
    pub by_hand: bool,
    /// Rounds; from the second on, the weights found so far play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100))]
    pub rounds: u64,
    /// Games of the new weights against the old
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub compare: u64,
    /// Nodes for each move of these games [default: those of the games learnt from]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub compare_nodes: Option<u64>,
}

/// `bench`
#[derive(Args, Debug)]
pub struct Bench {
    /// Only items whose name contains one of these words
    pub only: Vec<String>,
}

/// `selftest`
#[derive(Args, Debug)]
pub struct Selftest {
    /// Families to test; all when left out
    #[arg(value_name = "FAMILY")]
    pub families: Vec<String>,
    /// Fewer and smaller games, fewer positions
    #[arg(long)]
    pub quick: bool,
}
