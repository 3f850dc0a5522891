//! Every question that programs can ask, in one table. Tools, addresses and descriptions come from it.

use crate::answers;
use crate::arguments::{Arguments, Kind, Param};
use crate::{Games, MOST_SECONDS};
use agon_core::Ctx;
use agon_report::failure::Failure;
use serde_json::Value as Json;

/// The type of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// A text.
    Text,
    /// A text or null.
    TextOrNull,
    /// A number.
    Number,
    /// A number or null.
    NumberOrNull,
    /// True or false.
    Flag,
    /// A list.
    List,
    /// An object.
    Object,
}

/// A field that every answer to a question has. Answers may have others.
pub type Field = (&'static str, Type);

/// The function that answers a question.
pub(crate) type Answer = fn(&dyn Games, &Arguments, &Ctx) -> Result<Json, Failure>;

/// A question.
pub struct Operation {
    /// Its name: that of the command with the same answer.
    pub name: &'static str,
    /// Its meaning, in a sentence or two.
    pub about: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// The fields of the answer that are always there.
    pub fields: &'static [Field],
    /// True if an argument can be long, so that it does not fit into an address.
    pub long: bool,
    pub(crate) answer: Answer,
}

impl Operation {
    /// The answer. `ctx` limits the work; see [`limited`](crate::limited).
    pub fn answer(&self, games: &dyn Games, arguments: &Arguments, ctx: &Ctx) -> Result<Json, Failure> {
        (self.answer)(games, arguments, ctx)
    }
}

/// The most bytes of a position.
const POSITION_BYTES: usize = 64 << 10;
/// The most bytes of a text that is read: a strategy, games, a certificate.
const LONG_BYTES: usize = 4 << 20;

const fn param(name: &'static str, kind: Kind, required: bool, about: &'static str) -> Param {
    Param { name, kind, required, about }
}

const GAME: Param = param("game", Kind::Text(1024), true, "The game, such as tic-tac-toe, connect-four or mnk:4,4,3.");
const POSITION: Param = param(
    "position",
    Kind::Text(POSITION_BYTES),
    false,
    "The position in the notation of the game; the start if it is not given.",
);
const MOVES: Param =
    param("moves", Kind::Text(POSITION_BYTES), false, "Moves to play from the position, separated by blanks.");
const SECONDS: Param = param(
    "seconds",
    Kind::Number(0.01, MOST_SECONDS),
    false,
    "The time for the answer in seconds; 5 if it is not given.",
);

const PLACE: [Field; 3] = [("agon", Type::Text), ("game", Type::Text), ("position", Type::Text)];

/// The fields of a position.
const SHOWN: &[Field] = &[
    PLACE[0],
    PLACE[1],
    PLACE[2],
    ("status", Type::Text),
    ("over", Type::Flag),
    ("winner", Type::TextOrNull),
    ("turn", Type::Text),
    ("moves", Type::List),
    ("move_count", Type::Number),
    ("text", Type::Text),
];

/// Every question.
pub const OPERATIONS: &[Operation] = &[
    Operation {
        name: "games",
        about: "Lists the families of games with their parameters, aliases, methods, players and strategies.",
        params: &[],
        fields: &[("agon", Type::Text), ("families", Type::List)],
        long: false,
        answer: answers::games,
    },
    Operation {
        name: "rules",
        about: "Says how a game is played: its rules, the names of the sides, the starting position and how positions and \
                moves are written, with examples.",
        params: &[GAME],
        fields: &[
            ("agon", Type::Text),
            ("game", Type::Text),
            ("title", Type::Text),
            ("rules", Type::Text),
            ("sides", Type::List),
            ("start", Type::Text),
            ("first_moves", Type::List),
            ("text", Type::Text),
        ],
        long: false,
        answer: answers::rules,
    },
    Operation {
        name: "show",
        about: "Shows a position: a drawing as text, whose turn it is or who has won, and the legal moves.",
        params: &[GAME, POSITION, MOVES, param("svg", Kind::Flag, false, "Add the picture as SVG.")],
        fields: SHOWN,
        long: false,
        answer: answers::show,
    },
    Operation {
        name: "play",
        about: "Plays one move at a position and shows the position after it. An illegal move is refused, and the error \
                names the legal ones.",
        params: &[GAME, POSITION, MOVES, param("move", Kind::Text(1024), true, "The move to play.")],
        fields: SHOWN,
        long: false,
        answer: answers::play,
    },
    Operation {
        name: "solve",
        about: "Finds the proven value of a position for the side to move (win, draw or loss), the plies to the end, and \
                best play. If the value is not proven in time, it is unknown, and the answer has an estimate.",
        params: &[GAME, POSITION, MOVES, SECONDS],
        fields: &[
            PLACE[0],
            PLACE[1],
            PLACE[2],
            ("value", Type::Text),
            ("lo", Type::Text),
            ("hi", Type::Text),
            ("plies", Type::NumberOrNull),
            ("best", Type::TextOrNull),
            ("pv", Type::List),
            ("seconds", Type::Number),
        ],
        long: false,
        answer: answers::solve,
    },
    Operation {
        name: "values",
        about: "Gives the proven value of each legal move of a position, for the side that makes it.",
        params: &[GAME, POSITION, MOVES, SECONDS],
        fields: &[PLACE[0], PLACE[1], PLACE[2], ("values", Type::List), ("values_reason", Type::TextOrNull)],
        long: false,
        answer: answers::values,
    },
    Operation {
        name: "explain",
        about: "Says why a position is won, drawn or lost: a sentence, best play, what refutes each losing move, and a tree \
                in which every defence is answered.",
        params: &[GAME, POSITION, MOVES, SECONDS],
        fields: &[
            PLACE[0],
            PLACE[1],
            PLACE[2],
            ("value", Type::TextOrNull),
            ("sentence", Type::Text),
            ("moves", Type::List),
            ("refutations", Type::List),
            ("tree", Type::Object),
        ],
        long: false,
        answer: answers::explain,
    },
    Operation {
        name: "analyse",
        about: "Analyses a game move by move: what each position is worth, and which moves gave something away.",
        params: &[GAME, POSITION, param("moves", Kind::Text(POSITION_BYTES), true, "The moves of the game."), SECONDS],
        fields: &[
            ("agon", Type::Text),
            ("game", Type::Text),
            ("from", Type::Text),
            ("position", Type::Text),
            ("plies", Type::List),
            ("first_mistake", Type::NumberOrNull),
            ("proven", Type::Number),
        ],
        long: true,
        answer: answers::analyse,
    },
    Operation {
        name: "grade",
        about: "Grades players by their games: legal and illegal moves, moves that keep the value, and what the others give \
                away. Reads JSON lines, PTN, lists of moves with one game on each line, and OpenSpiel histories.",
        params: &[GAME, param("games", Kind::Text(LONG_BYTES), true, "The games as text."), SECONDS],
        fields: &[
            ("agon", Type::Text),
            ("game", Type::Text),
            ("players", Type::List),
            ("games", Type::List),
            ("unread", Type::List),
        ],
        long: true,
        answer: answers::grade,
    },
    Operation {
        name: "verify",
        about: "Tests a strategy written as text against every reply. If the claim is false, the answer has the shortest play \
                that refutes it. The language is described in docs/strategies.md; a rule narrows the legal moves, as in \
                `rule win` and `  only wins`.",
        params: &[
            GAME,
            POSITION,
            MOVES,
            param("text", Kind::Text(LONG_BYTES), true, "The strategy as text."),
            param("side", Kind::Text(64), true, "The side that it plays: first, second or the name of the side."),
            param("claim", Kind::Choice(&["win", "draw"]), false, "The claimed result; draw if it is not given."),
            param("repair", Kind::Flag, false, "Find the fewest exceptions that make the claim true."),
            SECONDS,
        ],
        fields: &[("agon", Type::Text), ("game", Type::Text), ("holds", Type::Flag), ("positions", Type::Number)],
        long: true,
        answer: answers::verify,
    },
    Operation {
        name: "check",
        about: "Checks a certificate of agon, given as text, with the rules of the game alone.",
        params: &[param("certificate", Kind::Text(LONG_BYTES), true, "The text of the certificate."), SECONDS],
        fields: &[
            ("agon", Type::Text),
            ("game", Type::TextOrNull),
            ("claim", Type::TextOrNull),
            ("holds", Type::Flag),
            ("verdict", Type::Text),
            ("statement", Type::Text),
            ("positions", Type::Number),
        ],
        long: true,
        answer: answers::check,
    },
    Operation {
        name: "puzzles",
        about: "Makes puzzles: positions with exactly one move that wins, or exactly one that saves the draw, each proven.",
        params: &[
            GAME,
            param("kind", Kind::Choice(&["win", "save"]), false, "What the right move does; win if it is not given."),
            param("count", Kind::Integer(1, 10), false, "The number of puzzles; 1 if it is not given."),
            param("seed", Kind::Integer(0, 1 << 53), false, "The seed; the same seed gives the same puzzles."),
            SECONDS,
        ],
        fields: &[("agon", Type::Text), ("game", Type::Text), ("kind", Type::Text), ("puzzles", Type::List)],
        long: false,
        answer: answers::puzzles,
    },
];

/// The question of that name.
#[must_use]
pub fn operation(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}
