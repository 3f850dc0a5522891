//! Checks every section of a certificate, and whether together they give its claim.

use crate::format::{Certificate, Claim, Corrupt, Section};
use crate::walk::Walker;
use crate::{arguments, lines, race, text};
use agon_core::family::shorten;
use agon_core::features::Features;
use agon_core::{Ctx, LineGame, Lines, Notation, Player, Stop, Symmetric, Wdl};

/// The statement that a certificate proves.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Proved {
    /// The statement, in one sentence.
    pub statement: String,
    /// The number of distinct positions checked, up to symmetry if the certificate uses it.
    pub positions: u64,
}

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejected {
    /// It is malformed: it names a position or move that does not exist, or contains unused evidence.
    Corrupt(String),
    /// It is well-formed and does not prove its claim, for this reason.
    Refuted(String),
    /// The check was stopped.
    Stopped(Stop),
}

impl From<Stop> for Rejected {
    fn from(stop: Stop) -> Rejected {
        Rejected::Stopped(stop)
    }
}

impl From<Corrupt> for Rejected {
    fn from(corrupt: Corrupt) -> Rejected {
        Rejected::Corrupt(corrupt.0)
    }
}

/// Checks a certificate by the plays of a game alone. The caller must pass the game that the certificate names, and
/// what strategies as text see of it: [`Family::vocabulary`](agon_core::Family::vocabulary), or for other games
/// [`Pictured`](agon_core::features::Pictured). Sections that argue about lines are corrupt; [`check_lines`] accepts
/// them.
pub fn check<G: Notation + Symmetric>(
    game: &G,
    features: &dyn Features<G>,
    certificate: &Certificate,
    ctx: &Ctx,
) -> Result<Proved, Rejected> {
    check_with(game, features, certificate, ctx, |_, _| None)
}

/// Checks a certificate of a game with lines, whose sections may argue about the lines instead of the plays.
///
/// ```
/// use agon_check::{Certificate, Claim, Section, check_lines};
/// use agon_core::{Ctx, Family, Wdl};
/// use agon_games::order_chaos::OrderChaos;
///
/// // Chaos answers in the other cell of the pair, with the other mark.
/// let (game, spelling) = OrderChaos::from_spelling("order-chaos:2x1,k=2,row=exact-final").unwrap();
/// let mut certificate = Certificate {
///     game: spelling, rules: None, from: "..".into(), claim: Claim::Value(Wdl::Loss), up_to_symmetry: false,
///     sections: vec![Section::Pairing(vec![("a1".into(), "b1".into(), false)])],
/// };
/// check_lines(&game, &*game.vocabulary(), &certificate, &Ctx::default()).unwrap();
///
/// certificate.claim = Claim::Value(Wdl::Win);
/// assert!(check_lines(&game, &*game.vocabulary(), &certificate, &Ctx::default()).is_err());
/// ```
pub fn check_lines<G: Notation + Symmetric + LineGame>(
    game: &G,
    features: &dyn Features<G>,
    certificate: &Certificate,
    ctx: &Ctx,
) -> Result<Proved, Rejected> {
    check_with(game, features, certificate, ctx, |root, section| match section {
        Section::Lines { maker, wins, entries } => Some(lined(game, root, *maker, *wins, entries, ctx)),
        Section::Race { winner, entries } => Some(raced(game, root, *winner, entries, ctx)),
        Section::Lifted(entries) => Some(arguments::lifted(game, root, entries, ctx)),
        Section::LiftedText(text) => Some(arguments::lifted_text(game, features, root, text, ctx)),
        Section::Pairing(pairs) => Some(arguments::pairing(game, root, pairs, ctx)),
        Section::Strategy { .. } | Section::Text { .. } | Section::Values(_) => None,
    })
}

/// The statement that a section proves: a side, its least result, and the number of positions checked.
pub(crate) type BoardFeatures = (Player, Wdl, u64);

/// Checks every section, and whether together they give the claim. `argue` answers for the sections about lines.
fn check_with<G: Notation + Symmetric>(
    game: &G,
    features: &dyn Features<G>,
    certificate: &Certificate,
    ctx: &Ctx,
    argue: impl Fn(&G::Position, &Section) -> Option<Result<BoardFeatures, Rejected>>,
) -> Result<Proved, Rejected> {
    let root = position(game, &certificate.from)?;
    let walker = Walker { game, root, symmetry: certificate.up_to_symmetry, ctx };
    let mut positions = 0;
    let mut shown = Vec::new();
    for section in &certificate.sections {
        if let Some(result) = argue(&walker.root, section) {
            let (side, least, looked_at) = result?;
            shown.push((side, least, None));
            positions += looked_at;
            continue;
        }
        positions += match section {
            Section::Strategy { side, least, within, entries } => {
                shown.push((*side, *least, *within));
                walker.strategy(*side, *least, *within, entries)?
            }
            Section::Text { side, least, within, text } => {
                shown.push((*side, *least, *within));
                walker.text(*side, *least, *within, &text::Strategy::new(game, features, text)?)?
            }
            Section::Values(entries) => walker.values(entries)?,
            Section::Lines { .. }
            | Section::Race { .. }
            | Section::Lifted(_)
            | Section::LiftedText(_)
            | Section::Pairing(_) => {
                return Err(Rejected::Corrupt("this argument needs a game with lines to complete".into()));
            }
        };
    }
    let statement = conclusion(game, certificate, &walker.root, &shown)?;
    Ok(Proved { statement, positions })
}

/// Checks a lines section.
fn lined<G: LineGame>(
    game: &G,
    root: &G::Position,
    maker: Player,
    wins: bool,
    entries: &[(String, String)],
    ctx: &Ctx,
) -> Result<BoardFeatures, Rejected> {
    let lines = game.lines(maker);
    let lines = lines.ok_or_else(|| Rejected::Corrupt(format!("{} has no lines to complete", maker.name())))?;
    if wins && !lines.decides {
        return Err(Rejected::Corrupt("a completed line decides nothing here".into()));
    }
    let (marks, to_move) = (game.line_marks(root, maker), game.turn(root) == maker);
    let looked_at = lines::check(&lines, marks, to_move, wins, entries, ctx)?;
    Ok(if wins { (maker, Wdl::Win, looked_at) } else { (maker.other(), lines.spoiled.flip(), looked_at) })
}

/// Checks a race section.
fn raced<G: LineGame>(
    game: &G,
    root: &G::Position,
    winner: Player,
    entries: &[(String, String)],
    ctx: &Ctx,
) -> Result<BoardFeatures, Rejected> {
    let fits = |lines: &Lines| !lines.decides && !lines.avoiding() && lines.lines.iter().all(|line| line.mark == 0);
    let lines = |side: Player| game.lines(side).filter(fits);
    let (Some(own), Some(other)) = (lines(winner), lines(winner.other())) else {
        return Err(Rejected::Corrupt("this argument is about races to complete a line only".into()));
    };
    let [own_marks, other_marks, ..] = game.line_marks(root, winner);
    let marks = [own_marks, other_marks];
    let looked_at = race::check([&own, &other], marks, game.turn(root) == winner, entries, ctx)?;
    Ok((winner, Wdl::Win, looked_at))
}

/// Returns whether the sections, each true, add up to the claim; and the claim in words.
fn conclusion<G: Notation>(
    game: &G,
    certificate: &Certificate,
    root: &G::Position,
    shown: &[(Player, Wdl, Option<u32>)],
) -> Result<String, Rejected> {
    let mover = game.turn(root);
    let needed: Vec<(Player, Wdl)> = match certificate.claim {
        Claim::Value(Wdl::Win) => vec![(mover, Wdl::Win)],
        Claim::Value(Wdl::Loss) => vec![(mover.other(), Wdl::Win)],
        Claim::Value(Wdl::Draw) => vec![(Player::First, Wdl::Draw), (Player::Second, Wdl::Draw)],
        Claim::AtLeast(_, Wdl::Loss) => return Err(Rejected::Corrupt("at least a loss is not a claim".into())),
        Claim::AtLeast(side, least) => vec![(side, least)],
        Claim::Table => Vec::new(),
    };
    let table = certificate.sections.iter().filter(|s| matches!(s, Section::Values(_))).count();
    let found: Vec<(Player, Wdl)> = shown.iter().map(|&(side, least, _)| (side, least)).collect();
    if found != needed || table != usize::from(certificate.claim == Claim::Table) {
        return Err(Rejected::Refuted(format!("the sections do not add up to the claim `{}`", certificate.claim)));
    }
    let at = format!("{} from {}", certificate.game, certificate.from);
    let name = |side: Player| format!("{} ({})", side.name(), game.player_name(side));
    let within = shown.first().and_then(|s| s.2).map_or(String::new(), |n| format!(" within {n} plies"));
    Ok(match (certificate.claim, needed.first()) {
        (Claim::Table, _) => format!("{at}: the value and distance of every reachable position"),
        (Claim::Value(Wdl::Draw), _) => format!("{at}: a draw; each side can hold it against every reply"),
        (_, Some(&(side, Wdl::Win))) => format!("{at}: {} wins{within} against every reply", name(side)),
        (_, Some(&(side, _))) => format!("{at}: {} gets at least a draw against every reply", name(side)),
        (_, None) => return Err(Rejected::Corrupt("the claim is empty".into())),
    })
}

/// Reads a position, which must be in canonical notation.
pub(crate) fn position<G: Notation>(game: &G, text: &str) -> Result<G::Position, Rejected> {
    let pos = game.parse(text).map_err(|error| Rejected::Corrupt(error.to_string()))?;
    if game.show(&pos) != text {
        return Err(Rejected::Corrupt(format!("position `{}` is not in canonical notation", shorten(text))));
    }
    Ok(pos)
}
