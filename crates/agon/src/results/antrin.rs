//! Antrin solved: counts by value and distance, longest wins, every rule, and what draws are made of.

use crate::failure::Failure;
use crate::output::grouped;
use agon_core::Family as _;
use agon_core::indexed::Indexed;
use agon_core::{Ctx, Game, Notation, Player, Value, Wdl};
use agon_games::mill::Mill;
use agon_solve::Retro;
use agon_solve::retro::{Count, Stats, unreadable};

const MEMORY: u64 = 1 << 30;
/// Strongly connected components whose sizes are written out.
const COMPONENTS_SHOWN: usize = 12;

fn solved(spelling: &str, ctx: &Ctx) -> Result<(Mill, Retro<Mill>), Failure> {
    let game = Mill::from_spelling(spelling)?.0;
    let retro = Retro::solve(&game, MEMORY, ctx).map_err(|why| why.failed(MEMORY))?;
    Ok((game, retro))
}

fn moving(game: &Mill, retro: &Retro<Mill>) -> Result<Stats, Failure> {
    let shards: Vec<_> = retro.shards().iter().copied().filter(|&shard| game.phase(shard) == "moving").collect();
    Ok(retro.stats(game, &shards).map_err(unreadable)?)
}

/// The tables of `agon results antrin`, up to boards of that size, reported part by part.
pub(super) fn antrin(
    largest: usize,
    ctx: &Ctx,
    tell: &mut dyn FnMut(&str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for n in 3..=largest {
        tell(&format!("## {n} × {n}\n\n"))?;
        rules(n, ctx, tell)?;
        let (game, retro) = solved(&format!("antrin:{n}"), ctx)?;
        let stats = moving(&game, &retro)?;
        tell(&distances(&stats))?;
        tell(&longest(&game, &retro, &stats)?)?;
        tell(&draws(&game, &retro, ctx)?)?;
    }
    Ok(())
}

/// The value and the moving phase under every rule for blocked sides and early lines.
fn rules(n: usize, ctx: &Ctx, tell: &mut dyn FnMut(&str) -> Result<(), Failure>) -> Result<(), Failure> {
    tell(
        "| blocked | early | value | win | draw | loss | longest win | longest loss |\n|---|---|---|---|---|---|---|---|\n",
    )?;
    for blocked in ["loses", "passes", "draws"] {
        for early in ["wins", "ignored", "forbidden"] {
            let (game, retro) = solved(&format!("antrin:{n},blocked={blocked},early={early}"), ctx)?;
            let stats = moving(&game, &retro)?;
            let value = retro.value(&game, &game.start()).map_or_else(String::new, |value| value.to_string());
            let count = |total: u64, classes: u64| format!("{} ({})", grouped(total), grouped(classes));
            let plies = |n: Option<u32>| n.map_or("-".to_string(), |n| n.to_string());
            let (t, c) = (stats.totals, stats.classes);
            tell(&format!(
                "| {blocked} | {early} | {value} | {} | {} | {} | {} | {} |\n",
                count(t.win, c.win),
                count(t.draw, c.draw),
                count(t.loss, c.loss),
                plies(stats.longest_win),
                plies(stats.longest_loss)
            ))?;
        }
    }
    Ok(())
}

fn distances(stats: &Stats) -> String {
    let of = |wdl: Wdl| {
        let of = stats.by_distance.iter().filter(|((w, plies), _)| *w == wdl && plies.is_some());
        of.map(|((_, plies), n)| format!("{}: {}", plies.unwrap_or(0), grouped(n))).collect::<Vec<_>>().join(", ")
    };
    format!(
        "\nMoving phase up to symmetry by plies (preset rules). Won in {}. Lost in {}. Drawn: {}.\n",
        of(Wdl::Win),
        of(Wdl::Loss),
        grouped(stats.classes.draw)
    )
}

/// The table of the moving phase: with both sides complete there is one.
fn moving_shard(game: &Mill, retro: &Retro<Mill>) -> Option<<Mill as Indexed>::Shard> {
    retro.shards().iter().copied().find(|&shard| game.phase(shard) == "moving")
}

/// A longest win of the moving phase, move by move.
fn longest(game: &Mill, retro: &Retro<Mill>, stats: &Stats) -> Result<String, Failure> {
    let (Some(shard), Some(plies)) = (moving_shard(game, retro), stats.longest_win) else { return Ok(String::new()) };
    let from = retro.find(game, shard, Value::win_in(plies)).map_err(unreadable)?;
    let Some(from) = from else { return Err(Failure::Failed("the longest win is in no table".into())) };
    let line = retro.line(game, &from, plies as usize).map_err(unreadable)?;
    let (names, last) = game.show_line(&from, &line);
    let end = game.outcome(&last).and_then(agon_core::Outcome::winner) == Some(Player::First);
    if !end || names.len() != plies as usize {
        return Err(Failure::Failed("the longest win does not end as it should".into()));
    }
    Ok(format!("\nA longest win, {plies} plies from `{}`: {}.\n", game.show(&from), names.join(" ")))
}

/// Statistics of draws: positions with a single drawing move, and the components in which drawn play cycles.
fn draws(game: &Mill, retro: &Retro<Mill>, ctx: &Ctx) -> Result<String, Failure> {
    let Some(shard) = moving_shard(game, retro) else { return Ok(String::new()) };
    let Some(draws) = retro.draws(game, shard, ctx)? else { return Ok(String::new()) };
    let count = |n: Count| format!("{} ({})", grouped(n.positions), grouped(n.classes));
    let inside: u64 = draws.sccs.iter().sum();
    let sizes: Vec<String> = draws.sccs.iter().take(COMPONENTS_SHOWN).map(grouped).collect();
    let more = if draws.sccs.len() > COMPONENTS_SHOWN { " …" } else { "" };
    Ok(format!(
        "\n| drawn positions (orbits) of the moving phase | {} |\n|---|---|\n\
         | one move keeps the draw, others lose | {} |\n| every move keeps the draw | {} |\n\
         | both sides can go there and back, four plies | {} |\n\
         | strongly connected components, by orbits | {}: {}{more} |\n| orbits in no component, from which play enters one | {} |\n\n",
        count(draws.all),
        count(draws.only_move),
        count(draws.every_move),
        count(draws.there_and_back),
        grouped(draws.sccs.len()),
        sizes.join(" "),
        grouped(draws.all.classes - inside),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_holds_what_is_computed_now() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/antrin.md");
        let document = std::fs::read_to_string(path).expect("the document is in the repository");
        let mut computed = String::new();
        let mut tell = |part: &str| {
            computed.push_str(part);
            Ok(())
        };
        antrin(4, &Ctx::default().with_threads(2), &mut tell).unwrap();
        for line in computed.lines().filter(|line| !line.is_empty()) {
            assert!(document.contains(line), "missing from docs/results/antrin.md: {line}");
        }
    }
}
