//! Every command and flag, in one definition: parsing, help, completions and the man page come from it.

mod flags;
mod plan;
mod results;
mod why;

use crate::output::Color;
use agon_registry::Registry;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
pub use flags::*;
pub use plan::*;
pub use results::*;
use std::ffi::OsString;
use std::path::PathBuf;
pub use why::*;

const EXIT_CODES: &str = "\
Exit codes: 0 ok · 1 failed · 2 usage · 3 claim refuted · 4 corrupt file · 130 interrupted

A game is spelled FAMILY:PARAMETERS, for example mnk:4,4,3; `agon games` lists them all.
Answers go to standard output, everything else to standard error.";

/// The heading of the flags that set the starting position, in the help of agon itself.
const PLACE: &str =
    "Starting position (show, explain, analyse, play, count, perft, solve, tree, verify, distil, arena, table probe)";

/// The commands that start at a position and read `--from`, `--moves` and `--load`.
const AT_A_POSITION: [&str; 12] = [
    "show",
    "explain",
    "analyse",
    "play",
    "count",
    "perft",
    "solve",
    "tree",
    "verify",
    "distil",
    "arena",
    "table probe",
];

/// The commands that draw random numbers and read `--seed`.
const AT_RANDOM: [&str; 12] = [
    "tree",
    "puzzles",
    "play",
    "distil",
    "table find",
    "table export",
    "check",
    "arena",
    "plan arena",
    "train",
    "selftest",
    "tune",
];

/// The commands whose output another program reads: they have no use for the flags about work, answers and colour.
const FOR_PROGRAMS: [&str; 5] = ["engine", "tei", "mcp", "completions", "man"];

/// Play, count, solve and prove abstract strategy games.
#[derive(Parser, Debug)]
#[command(name = "agon", version, about, after_help = EXIT_CODES, max_term_width = 100)]
#[command(propagate_version = true, arg_required_else_help = true, infer_subcommands = false)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
    /// The flags and games that every command gets.
    #[command(flatten)]
    pub shared: Shared,
}

impl Cli {
    /// Reads a command line.
    pub fn read(args: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
        Cli::from_arg_matches(&Cli::definition().try_get_matches_from(args)?)
    }

    /// The definition of agon, in which the help of each command lists the shared flags that the command uses.
    #[must_use]
    pub fn definition() -> clap::Command {
        let agon = Cli::command();
        let shared: Vec<clap::Arg> = agon.get_arguments().filter(|flag| flag.is_global_set()).cloned().collect();
        agon.mut_subcommands(|command| with_flags(command, "", &shared))
    }
}

/// The command with its own form of the shared flags: those that it has no use for are hidden. They are still read, since a
/// script may give them to every command, or refused with a message that names the command.
fn with_flags(command: clap::Command, before: &str, shared: &[clap::Arg]) -> clap::Command {
    let name = format!("{before}{}", command.get_name());
    let own = shared.iter().map(|flag| {
        let used = match flag.get_id().as_str() {
            "from" | "moves" | "load" => AT_A_POSITION.contains(&name.as_str()),
            "seed" => AT_RANDOM.contains(&name.as_str()),
            "json" if name == "results" => false,
            _ => !FOR_PROGRAMS.contains(&name.as_str()),
        };
        let flag = flag.clone().hide(!used);
        if flag.get_help_heading() == Some(PLACE) { flag.help_heading("Starting position") } else { flag }
    });
    let inside = format!("{name} ");
    command.args(own).mut_subcommands(|command| with_flags(command, &inside, shared))
}

/// The flags and games that every command gets.
#[derive(Args, Debug, Clone)]
pub struct Shared {
    /// Print the answer as one JSON object
    #[arg(long, global = true)]
    pub json: bool,
    /// Start at this position; `-` reads it from standard input
    #[arg(long, global = true, value_name = "POS", allow_hyphen_values = true, help_heading = PLACE)]
    pub from: Option<String>,
    /// Start after these moves, in quotes and separated by spaces (connect-four: also 4455); `-` reads standard input
    #[arg(long, global = true, value_name = "MOVES", allow_hyphen_values = true, help_heading = PLACE)]
    pub moves: Option<String>,
    /// Start where the game in this file ends: a saved game, PTN for Tak, or a list of moves; `-` reads standard input
    #[arg(long, global = true, value_name = "FILE", help_heading = PLACE)]
    pub load: Option<PathBuf>,
    /// Seed for random numbers [default: 1; `play` draws a new one and prints it]
    #[arg(long, global = true, value_name = "N")]
    pub seed: Option<u64>,
    /// Number of threads [default: all cores]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Show no progress on standard error
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// When to use colour; NO_COLOR is respected
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = Color::Auto)]
    pub color: Color,
    /// The games.
    #[arg(skip)]
    pub registry: Registry,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// List the games with their parameters, methods, players and strategies
    #[command(after_help = "Examples:\n  agon games\n  agon games --json")]
    Games,
    /// Show a position
    #[command(after_help = "\
            Examples:\n  \
            agon show tic-tac-toe\n  \
            agon show mnk:4,4,3 X.../.O../..../....\n  \
            agon show tic-tac-toe XOX/.O./... --values\n  \
            agon show order-chaos:4x4,k=4 XX../.O../..X./.... --measures\n  \
            agon show connect-four --moves 4455\n  \
            agon show tak:5 --load game.ptn\n  \
            cat game.txt | agon show tic-tac-toe --load -\n  \
            agon show tic-tac-toe --svg > board.svg")]
    Show(Show),
    /// Say why a position is won, drawn or lost: what refutes each move, and every defence with its answer
    #[command(after_help = "\
            Examples:\n  \
            agon explain tic-tac-toe XOX/.O./...\n  \
            agon explain mnk:4,4,3\n  \
            agon explain connect-four --moves 444443 --time 60\n  \
            agon explain nim:3+5+7\n  \
            agon explain tic-tac-toe --moves \"b2 a1\" --strategy singh-process\n  \
            agon explain order-chaos:4x4,k=4 --strategy my.rules --as order\n  \
            agon explain tic-tac-toe XOX/.O./... --json\n\n\
            Every statement is proven: each leaf of a tree is the end of play, or a position whose value is proven \
            and whose continuation is left out; the answer says which. The exit code is 1 if the value stays \
            unknown.")]
    Explain(Explain),
    /// Show the game tree of a small game, with the value of every position
    #[command(after_help = "\
            Examples:\n  \
            agon tree ellie:3x2\n  \
            agon tree tic-tac-toe XOX/.O./... --svg tree.svg\n  \
            agon tree antrin:3 --plies 3 --merge\n  \
            agon tree order-chaos:4x4,k=4 --player mcts:playouts=60,solver=off --most 30\n  \
            agon tree nim:1+2 --json\n\n\
            Moves that lead to equivalent positions are one branch, marked ×N. In impartial games, P means that the \
            previous player wins and N that the next player wins, followed by the nim-value. A value that is not found \
            within a quarter of a million nodes is shown as ?.")]
    Tree(Tree),
    /// Analyse games move by move: what each position is worth, and which moves are mistakes
    #[command(after_help = "\
            Examples:\n  \
            agon analyse tic-tac-toe --moves \"b2 b1 a1\"\n  \
            agon analyse connect-four game.txt --time 5\n  \
            agon analyse tak:5 game.ptn --ptn > annotated.ptn\n  \
            agon analyse tak:5 games/ --json\n  \
            echo 4455 | agon analyse connect-four -\n\n\
            A mistake is a move that gives a proven value away: win-to-draw, win-to-loss (??) or draw-to-loss. A \
            value that is not proven in the time given for a position stays open; this is not an error. If some of \
            several files hold no game, they are listed and the exit code is 4.")]
    Analyse(Analyse),
    /// Grade players by their games: legal moves, moves that keep the value, and what the others give away
    #[command(after_help = "\
            Examples:\n  \
            agon grade connect-four games.jsonl\n  \
            agon grade tic-tac-toe games/ --json\n  \
            agon grade tak:5 match.ptn --time 2 --out report\n  \
            agon grade connect-four games.jsonl --csv > players.csv\n  \
            agon grade morris:nine games.jsonl --table nine\n  \
            echo '{\"players\": [\"ada\", \"bob\"], \"moves\": \"b2 b1 a1\"}' | agon grade tic-tac-toe -\n\n\
            Reads JSON lines (docs/json.md has the fields), PTN, saved games, lists of moves with one game on each line, \
            and OpenSpiel histories of tic_tac_toe, mnk and connect_four. Players without a name are called first and \
            second.\n\n\
            An illegal move is counted for its player and ends its game. Estimates, marked ≈, are counted apart from \
            proven values. If something cannot be read, it is listed and the exit code is 4.")]
    Grade(Grade),
    /// Make puzzles: positions with exactly one move that wins, or that saves a draw
    #[command(after_help = "\
            Examples:\n  \
            agon puzzles tic-tac-toe\n  \
            agon puzzles connect-four --count 5 --seed 7\n  \
            agon puzzles antrin:3 --kind save --json\n  \
            agon puzzles mnk:4,4,4 --csv > puzzles.csv\n  \
            agon puzzles tic-tac-toe games/\n\n\
            Every puzzle is proven: the right move has the value asked for, and each other move is worse. No two \
            puzzles are equal up to symmetry. The grade, 1 to 5, grows with the distance and with the number of \
            wrong moves. The same seed gives the same puzzles, unless --time ends the search.")]
    Puzzles(Puzzles),
    /// Play a game against the computer, another person or a strategy
    #[command(after_help = "\
            Examples:\n  \
            agon play tic-tac-toe\n  \
            agon play mnk:4,4,3 --first perfect --second human\n  \
            agon play tic-tac-toe --first singh-process --second skill:0.7 --seed 7\n  \
            agon play tak:5 --second negamax:time=2\n  \
            agon play tak:5 --load game.ptn\n  \
            agon play connect-four --moves 4455\n  \
            echo 'b2 a1' | agon play tic-tac-toe --second random\n\n\
            Players: human, level:1 (easiest) to level:5 (strongest), random, weighted, mc, mcts, negamax, perfect, \
            skill:P (perfect with probability P), a strategy of the game or FILE.rules, or learned:FILE (see `agon \
            train`). Some take parameters, like \
            negamax:time=2 or mcts:playouts=5000; docs/agents.md lists them.\n\n\
            Type `help` while playing for the commands.")]
    Play(Play),
    /// Count positions and games exactly
    #[command(after_help = "\
            Examples:\n  \
            agon count tic-tac-toe\n  \
            agon count mnk:4,4,4 --plies 8\n  \
            agon count tic-tac-toe --from X../.../... --json\n  \
            agon count antrin:3 --plies 6\n  \
            agon count antrin:3 --export boards.csv")]
    Count(Count),
    /// Count move sequences by length
    #[command(after_help = "\
            Examples:\n  \
            agon perft tic-tac-toe 9\n  \
            agon perft mnk:5,5,4 6 --threads 2\n  \
            agon perft tic-tac-toe 5 --divide\n  \
            agon perft tic-tac-toe 4 --moves \"b2 a1\"\n  \
            agon perft tak:6 5 --table 512")]
    Perft(Perft),
    /// Find the value of a position
    #[command(after_help = "\
            Examples:\n  \
            agon solve tic-tac-toe\n  \
            agon solve mnk:4,4,3 --method alphabeta --certificate win.agon\n  \
            agon solve tic-tac-toe --strong --json\n  \
            agon solve mnk:5,5,4 --time 60\n  \
            agon solve tic-tac-toe --moves \"b2 a1\"\n  \
            agon solve tak:5 --load game.ptn --time 10\n\n\
            The value, the best moves and the line are proven. A line that begins with ≈ is an estimate by a \
            search, given when the value is not proven; a line that begins with `known` is a published value with \
            its source.\n\n\
            Methods (--method):\n  \
            nimbers       nim-values of impartial games\n  \
            sweep         a table of all boards of a line game\n  \
            lines         df-pn over the lines that can still be completed\n  \
            race          proves which side completes a line first\n  \
            portfolio     several methods in turn; m,n,k games: alphabeta, race, lines;\n                \
            line games: decomposition, relaxation, lines\n  \
            null-window   null-window search, one bound after another (drop games)\n  \
            alphabeta     search with a transposition table, or for the shortest forced win\n  \
            proof-number  a win by threats alone (tak: tinue)\n  \
            strong        every reachable position, the same as --strong\n  \
            brute         exhaustive search without a table, to check the other methods")]
    Solve(Solve),
    /// Test a strategy against every reply
    #[command(after_help = "\
            Examples:\n  \
            agon verify tic-tac-toe singh-process --as first --claim draw\n  \
            agon verify tic-tac-toe singh-objectives --as second --claim draw --all\n  \
            agon verify tic-tac-toe singh-objectives --as second --repair --exceptions fix.txt\n  \
            agon verify tic-tac-toe singh-objectives@fix.txt --as second\n  \
            agon verify order-chaos:4x4,k=4 my.rules --as order --claim win\n  \
            agon verify tic-tac-toe my.rules --as second --repair --out fixed.rules\n  \
            agon verify nim:3+5+7 my.rules --claim win --certificate c.agon && agon check c.agon\n\n\
            A strategy is spelled NAME, NAME:READING (one way to read an ambiguous rule) or FILE.rules \
            (docs/strategies.md), each optionally followed by @FILE, a file of exceptions.\n\n\
            A line is one complete play. Where a strategy leaves a choice open, every choice is tried. The exit \
            code is 3 if the claim is refuted, even if the strategy was repaired.")]
    Verify(Verify),
    /// Find a short list of rules that wins or never loses, proven against every reply
    #[command(after_help = "\
            Examples:\n  \
            agon distil tic-tac-toe --as second --claim draw\n  \
            agon distil tic-tac-toe --as either --claim draw --out never-lose.rules\n  \
            agon distil mnk:4,4,3 --claim win --certificate win.agon && agon check win.agon\n  \
            agon distil order-chaos:4x4,k=4 --as order --claim win --time 600\n  \
            agon distil tic-tac-toe --as second --features blocks,centre,corner,wins,forks-left\n\n\
            The answer is a text that `agon verify` reads, its size in bits, and the bits that no such list can have \
            fewer of (docs/strategies.md). A small game gets a shortest list, with the proof. A quarter of the time \
            goes into this proof; if it does not suffice, the rest goes into finding any list and making it shorter. \
            The exit code is 3 if the other side can prevent the result, and 1 if no list was found in time.")]
    Distil(Distil),
    /// Compute Grundy values of heap games, and prove their periods
    #[command(after_help = "\
            Examples:\n  \
            agon grundy 0.007 --to 500\n  \
            agon grundy kayles --to 1000000 --period\n  \
            agon grundy 0.007 --to 2097152 --stats --zeros --out ellie.grundy && agon check ellie.grundy\n  \
            agon grundy 0.007 --to 16777216 --out ellie.grundy --resume\n  \
            agon grundy 0.007 --to 25000 --plot freq --plot values.svg\n  \
            agon grundy 0.007 --misere --to 120\n  \
            agon grundy kayles --options 9\n  \
            agon grundy 0.123 --quotient --to 30\n  \
            agon grundy --survey 3\n  \
            agon grundy --audit table.csv\n\n\
            A code d0.d1d2… is octal or hexadecimal: bit j of digit d_i allows taking i counters from a heap and \
            leaving j heaps. The names kayles, dawson and grundy are codes too.\n\n\
            Lines of an audit file: CODE,period,P  CODE,preperiod,N  CODE,value,N,V")]
    Grundy(Grundy),
    /// Query tables on disk: statistics, values of positions, integrity
    #[command(
        subcommand,
        after_help = "\
            Examples:\n  \
            agon solve morris:six --strong --table six && agon table stats six\n  \
            agon table probe six\n  \
            agon table probe six --moves \"d5 d3\"\n  \
            agon table longest six\n  \
            agon table find six --value win --plies 31\n  \
            agon table verify six\n  \
            agon table records six\n  \
            agon table export six small --budget 1MB"
    )]
    Table(Table),
    /// Check a certificate or a directory of tables, using only the rules of the game
    #[command(after_help = "\
            Examples:\n  \
            agon solve mnk:4,4,3 --certificate win.agon && agon check win.agon\n  \
            agon solve antrin:4 --strong --table four && agon check four\n  \
            agon check six --sample 100000 --seed 7\n  \
            agon check nine --only 5-5\n\n\
            The exit code is 1 if tables are missing, 3 if the claim is false, and 4 if the file is damaged.")]
    Check(CheckFile),
    /// Recompute the claims of published documents
    #[command(after_help = "\
            Examples:\n  \
            agon reproduce\n  \
            agon reproduce --list\n  \
            agon reproduce 001\n  \
            agon reproduce 001/games 001/table-1\n  \
            agon reproduce 001 --out report\n\n\
            Verdicts: reproduced, corrected (the document is wrong; the note says how), differs, and for measured \
            shares statistical: agrees or statistical: differs.")]
    Reproduce(Reproduce),
    /// Run a tournament between players, and measure their strength
    #[command(after_help = "\
            Examples:\n  \
            agon arena tic-tac-toe perfect random --games 200\n  \
            agon arena mnk:4,4,3 perfect skill:0.8 skill:0.5 random --games 50 --opening-plies 2\n  \
            agon arena tak:5 negamax:nodes=20000 mcts:playouts=2000 --games 40 --out match.sqlite\n  \
            agon arena --resume match.sqlite\n  \
            agon arena tak:5 'tei:./engine --threads 1' negamax --time 0.5\n  \
            agon arena connect-four 'engine:./engine.py' level:3 --games 20\n  \
            agon arena drop skill:0.9 skill:0.8 --games 2000 --sprt elo0=0,elo1=50\n  \
            agon arena tak:4 random random --games 10000 --shard 1/2 --out part1.sqlite\n\n\
            Players are spelled as for `agon play`; learned:FILE is a model from `agon train`, engine:COMMAND \
            runs an external engine that speaks UGI, and tei:COMMAND one for Tak that speaks TEI (docs/engines.md).\n\n\
            The same seed gives the same games for any number of threads, as long as no player is limited by time. \
            See docs/arena.md.")]
    Arena(Arena),
    /// Write work as a plan of tasks, which Snakemake, Slurm or make run on one machine or many
    #[command(after_help = "\
            Examples:\n  \
            agon plan morris:six --table six --json\n  \
            agon plan morris:six --table six --format make --out six.make && make -j2 -f six.make\n  \
            agon plan morris:nine --table nine --verify 0.01 --format snakemake --out Snakefile\n  \
            agon plan morris:nine --table /shared/nine --task-threads 8 --format slurm --out nine.sh && bash nine.sh\n  \
            agon plan antrin:6 --table six --task-threads 32 --simulate 16,256,4096\n  \
            agon plan arena tak:5 negamax mcts --games 1000 --db match.sqlite --parts 16 --format make\n\n\
            A task is a plain agon command. You can run it twice or on two machines at once, stop it, kill it, and \
            start it again anywhere: the tables are the same byte for byte. See docs/cluster.md.")]
    Plan(Box<Plan>),
    /// Merge the parts of a tournament into one file
    #[command(after_help = "\
            Examples:\n  \
            agon merge whole.sqlite part1.sqlite part2.sqlite\n  \
            agon merge whole.sqlite part3.sqlite")]
    Merge(Merge),
    /// Train a player for a small game by self-play
    #[command(after_help = "\
            Examples:\n  \
            agon train antrin:3 --games 20000 --out antrin.model\n  \
            agon count antrin:3 --export boards.csv && agon train antrin:3 --boards boards.csv --games 0\n  \
            agon play antrin:3 --second learned:antrin.model\n  \
            agon arena antrin:3 learned:antrin.model perfect random\n\n\
            Training is tabular Q-learning. The model is a text file with a checksum; a plot of the learning curve \
            is written beside it. The exit code is 4 if a model is damaged.")]
    Train(Train),
    /// Open the workbench: play, analyse, solve and prove in a browser
    #[command(after_help = "\
            Examples:\n  \
            agon serve --open\n  \
            agon serve --port 8080\n  \
            agon serve --data none\n  \
            agon serve --openapi > openapi.json\n\n\
            Jobs that are running when the server stops continue when you start it again.\n\n\
            Only this machine can reach the server: it listens on 127.0.0.1 and refuses requests from other sites' \
            pages.")]
    Serve(Serve),
    /// Recompute a page of docs/results
    #[command(after_help = "\
            Examples:\n  \
            agon results order-chaos > docs/results/order-chaos.md\n  \
            agon results order-chaos --nodes 1000\n  \
            agon results connect-four --most 13\n  \
            agon results known --only order-chaos:6x6\n  \
            agon results octal > docs/results/octal.md\n  \
            agon results ellie --nodes 100000\n  \
            agon results antrin")]
    Results(Results),
    /// Run the benchmarks, which also check their answers
    #[command(after_help = "Examples:\n  agon bench\n  agon bench strong playouts\n  agon bench --json")]
    Bench(Bench),
    /// Compare every method, table, certificate and player with brute force
    #[command(after_help = "\
            Examples:\n  \
            agon selftest --quick\n  \
            agon selftest\n  \
            agon selftest grundy order-chaos\n  \
            agon selftest sum --seed 7 --json\n\n\
            Explores games of every family, with fixed and random rules, move by move, and compares every method, \
            table, certificate, player and count with the result. --quick takes a minute or two on two cores.\n\n\
            The same seed makes the same comparisons. The exit code is 3 if there is a disagreement, and each \
            disagreement is printed with commands that show it. If python3 is installed, the second checker is \
            compared too.")]
    Selftest(Selftest),
    /// Run as an engine for any game: the Universal Game Interface (UGI) on standard input and output
    #[command(after_help = "\
            Examples:\n  \
            printf 'ugi\\n\
            isready\\n\
            uginewgame\\n\
            position startpos moves d d\\n\
            query p1turn\\n\
            go movetime 1000\\n\
            ' | agon engine connect-four\n  \
            agon engine tak:6 --player mcts\n  \
            agon arena connect-four 'engine:agon engine connect-four' perfect\n\n\
            Positions and moves are written as everywhere in agon. Options: Game, Player, Seed, Hash (MiB), Threads, \
            MultiPV. docs/engines.md describes the protocol, with an engine in Python.")]
    Engine(Engine),
    /// Run as a Tak engine: the Tak Engine Interface (TEI) on standard input and output
    #[command(after_help = "\
            Examples:\n  \
            printf 'tei\\n\
            teinewgame 6\\n\
            position startpos moves a1 f6\\n\
            go movetime 1000\\n\
            ' | agon tei\n\n\
            Both forms are read: `teinewgame 6` and `teinewgame size 6 halfkomi 4`.\n\n\
            Options: HalfKomi, Hash (MiB), Threads, MultiPV, Player (negamax or mcts).")]
    Tei,
    /// Run as a tool server: the Model Context Protocol (MCP) on standard input and output
    #[command(after_help = "\
            Examples:\n  \
            agon mcp\n  \
            agon mcp < messages.jsonl\n\n\
            A client starts it with an entry such as {\"mcpServers\": {\"agon\": {\"command\": \"agon\", \"args\": [\"mcp\"]}}}.\n\n\
            The tools are games, rules, show, play, solve, values, explain, analyse, grade, verify, check and puzzles. Every \
            call has limits, and none opens a file or starts a program. See docs/mcp.md.")]
    Mcp,
    /// Tune the weights of Tak's evaluation by self-play
    #[command(after_help = "\
            Examples:\n  \
            agon tune tak:6\n  \
            agon tune tak:5 --games 2000 --nodes 5000 --seed 7 --json\n\n\
            The same seed, games and nodes give the same weights, whatever the number of threads.")]
    Tune(Tune),
    /// Write shell completions
    #[command(after_help = "Examples:\n  agon completions bash > ~/.local/share/bash-completion/completions/agon")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual page of agon or of one command
    #[command(after_help = "Examples:\n  agon man > agon.1 && man ./agon.1\n  agon man solve > agon-solve.1")]
    Man {
        /// The command [default: agon itself]
        about: Option<String>,
    },
}

impl Command {
    /// The name of the command, as it is typed.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Command::Games => "games",
            Command::Show(_) => "show",
            Command::Explain(_) => "explain",
            Command::Analyse(_) => "analyse",
            Command::Grade(_) => "grade",
            Command::Puzzles(_) => "puzzles",
            Command::Tree(_) => "tree",
            Command::Play(_) => "play",
            Command::Count(_) => "count",
            Command::Perft(_) => "perft",
            Command::Solve(_) => "solve",
            Command::Verify(_) => "verify",
            Command::Distil(_) => "distil",
            Command::Grundy(_) => "grundy",
            Command::Table(Table::Stats { .. }) => "table stats",
            Command::Table(Table::Probe { .. }) => "table probe",
            Command::Table(Table::Longest { .. }) => "table longest",
            Command::Table(Table::Find(_)) => "table find",
            Command::Table(Table::Verify { .. }) => "table verify",
            Command::Table(Table::Records { .. }) => "table records",
            Command::Table(Table::Export(_)) => "table export",
            Command::Check(_) => "check",
            Command::Reproduce(_) => "reproduce",
            Command::Arena(_) => "arena",
            Command::Plan(_) => "plan",
            Command::Merge(_) => "merge",
            Command::Train(_) => "train",
            Command::Serve(_) => "serve",
            Command::Results(_) => "results",
            Command::Bench(_) => "bench",
            Command::Selftest(_) => "selftest",
            Command::Engine(_) => "engine",
            Command::Tei => "tei",
            Command::Mcp => "mcp",
            Command::Tune(_) => "tune",
            Command::Completions { .. } => "completions",
            Command::Man { .. } => "man",
        }
    }

    /// Returns whether the command starts at a position and reads `--from`, `--moves` and `--load`.
    #[must_use]
    pub fn begins_at_a_position(&self) -> bool {
        AT_A_POSITION.contains(&self.name())
    }

    /// Returns whether the command may read rules from files that a game names: the user could read them anyway.
    #[must_use]
    pub fn reads_boards(&self) -> bool {
        let by_position = self.begins_at_a_position() && !matches!(self, Command::Table(_));
        by_position
            || matches!(
                self,
                Command::Engine(_)
                    | Command::Grade(_)
                    | Command::Merge(_)
                    | Command::Plan(_)
                    | Command::Train(_)
                    | Command::Selftest(_)
                    | Command::Puzzles(_)
            )
    }
}
