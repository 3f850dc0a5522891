//! Antrin solved: counts by value and distance, longest wins, every rule, and what draws are made of.

use crate::failure::Failure;
use crate::output::grouped;
use agon_core::indexed::Indexed;
use agon_core::{Ctx, Game, Notation, Player, Value, Wdl, collect_moves};
use agon_games::mill::presets::ANTRIN;
use agon_games::mill::{Men, Mill};
use agon_solve::Retro;
use agon_solve::retro::{NoTable, Stats};
use std::collections::HashMap;
use std::fmt::Write as _;

const MEMORY: u64 = 1 << 30;

fn solved(spelling: &str, ctx: &Ctx) -> Result<(Mill, Retro<Mill>), Failure> {
    let game = Mill::of_family(&ANTRIN, spelling)?.0;
    let retro = Retro::solve(&game, MEMORY, ctx).map_err(|why| match why {
        NoTable::Stopped(stop) => stop.into(),
        other => Failure::Failed(format!("no tables: {other:?}")),
    })?;
    Ok((game, retro))
}

fn moving(game: &Mill, retro: &Retro<Mill>) -> Result<Stats, Failure> {
    let shards: Vec<_> = retro.shards().iter().copied().filter(|&shard| game.phase(shard) == "moving").collect();
    retro.stats(game, &shards).map_err(|bad| Failure::Failed(bad.to_string()))
}

/// The tables of `agon results antrin`.
pub(super) fn antrin(ctx: &Ctx) -> Result<String, Failure> {
    let mut out = String::new();
    for n in [3, 4] {
        let _ = writeln!(out, "## {n} × {n}\n");
        out.push_str(&rules(n, ctx)?);
        let (game, retro) = solved(&format!("antrin:{n}"), ctx)?;
        out.push_str(&distances(&moving(&game, &retro)?));
        out.push_str(&longest(&game, &retro)?);
        out.push_str(&draws(&game, &retro)?);
    }
    Ok(out)
}

/// The value and the moving phase under every rule for blocked sides and early lines.
fn rules(n: usize, ctx: &Ctx) -> Result<String, Failure> {
    let mut out = String::from(
        "| blocked | early | value | win | draw | loss | longest win | longest loss |\n|---|---|---|---|---|---|---|---|\n",
    );
    for blocked in ["loses", "passes", "draws"] {
        for early in ["wins", "ignored", "forbidden"] {
            let (game, retro) = solved(&format!("antrin:{n},blocked={blocked},early={early}"), ctx)?;
            let stats = moving(&game, &retro)?;
            let value = retro.value(&game, &game.start()).map_or_else(String::new, |value| value.to_string());
            let count = |total: u64, classes: u64| format!("{} ({})", grouped(total), grouped(classes));
            let plies = |n: Option<u32>| n.map_or("-".to_string(), |n| n.to_string());
            let (t, c) = (stats.totals, stats.classes);
            let _ = writeln!(
                out,
                "| {blocked} | {early} | {value} | {} | {} | {} | {} | {} |",
                count(t.win, c.win),
                count(t.draw, c.draw),
                count(t.loss, c.loss),
                plies(stats.longest_win),
                plies(stats.longest_loss)
            );
        }
    }
    Ok(out)
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

/// A longest win of the moving phase, move by move.
fn longest(game: &Mill, retro: &Retro<Mill>) -> Result<String, Failure> {
    let mut best: Option<(u32, Men)> = None;
    for &shard in retro.shards().iter().filter(|&&shard| game.phase(shard) == "moving") {
        let read = retro.each(game, shard, |pos, _, value| {
            let plies = value.plies().unwrap_or(0);
            if value.wdl() == Wdl::Win && best.is_none_or(|(most, _)| plies > most) {
                best = Some((plies, *pos));
            }
        });
        read.map_err(|bad| Failure::Failed(bad.to_string()))?;
    }
    let Some((plies, from)) = best else { return Ok(String::new()) };
    let (mut pos, mut names) = (from, Vec::new());
    for mv in retro.line(game, &from, plies as usize) {
        names.push(game.show_move(&pos, mv));
        game.play(&mut pos, mv);
    }
    let end = game.outcome(&pos).and_then(agon_core::Outcome::winner) == Some(Player::First);
    if !end || names.len() != plies as usize {
        return Err(Failure::Failed("the longest win does not end as it should".into()));
    }
    Ok(format!("\nA longest win, {plies} plies from `{}`: {}.\n", game.show(&from), names.join(" ")))
}

/// How draws hold: where one move alone keeps them, and how they go round.
fn draws(game: &Mill, retro: &Retro<Mill>) -> Result<String, Failure> {
    let mut drawn: HashMap<Men, u32> = HashMap::new();
    let mut list: Vec<Men> = Vec::new();
    for &shard in retro.shards().iter().filter(|&&shard| game.phase(shard) == "moving") {
        let read = retro.each(game, shard, |pos, _, value| {
            if value == Value::DRAW {
                drawn.insert(*pos, list.len() as u32);
                list.push(*pos);
            }
        });
        read.map_err(|bad| Failure::Failed(bad.to_string()))?;
    }
    // A drawn class leads to drawn classes, seen by the next mover.
    let next = |pos: &Men| -> (Vec<u32>, usize) {
        let moves = collect_moves(game, pos);
        let keeping = moves.iter().map(|&mv| game.after(pos, mv)).filter_map(|after| {
            let place = game.place(&after);
            drawn.get(&game.position(place.shard, place.index)?).copied()
        });
        (keeping.collect(), moves.len())
    };
    let edges: Vec<(Vec<u32>, usize)> = list.iter().map(next).collect();
    let single: u64 = edges.iter().filter(|(keeping, moves)| keeping.len() == 1 && *moves > 1).count() as u64;
    let free = edges.iter().filter(|(keeping, moves)| keeping.len() == *moves).count();
    let parts = components(&edges.iter().map(|(keeping, _)| keeping.as_slice()).collect::<Vec<_>>());
    let round = |size: &&usize| **size > 1;
    let cyclic = parts.iter().filter(round).count();
    let (most, inside) = (parts.iter().max().copied().unwrap_or(0), parts.iter().filter(round).sum::<usize>());
    Ok(format!(
        "\nOf {} drawn classes of the moving phase {} have exactly one move that keeps the draw and others that lose, in \
         {} every move keeps it. Moves that keep the draw join them into {} that can be gone round for ever, {} classes \
         in all, the largest {}; from the other {} play enters these.\n\n",
        grouped(list.len()),
        grouped(single),
        grouped(free),
        crate::output::counted(cyclic, "knot"),
        grouped(inside),
        grouped(most),
        grouped(list.len() - inside)
    ))
}

/// Sizes of the strongly connected parts of a graph (Tarjan, without recursion).
fn components(next: &[&[u32]]) -> Vec<usize> {
    const NEW: u32 = u32::MAX;
    let n = next.len();
    let (mut order, mut low) = (vec![NEW; n], vec![0u32; n]);
    let (mut on_stack, mut stack, mut sizes, mut count) = (vec![false; n], Vec::new(), Vec::new(), 0);
    for root in 0..n {
        if order[root] != NEW {
            continue;
        }
        let mut calls: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some(&mut (node, ref mut edge)) = calls.last_mut() {
            if *edge == 0 && order[node] == NEW {
                (order[node], low[node]) = (count, count);
                count += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&to) = next[node].get(*edge) {
                *edge += 1;
                let to = to as usize;
                if order[to] == NEW {
                    calls.push((to, 0));
                } else if on_stack[to] {
                    low[node] = low[node].min(order[to]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(parent, _)) = calls.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == order[node] {
                let at = stack.iter().rposition(|&other| other == node).unwrap_or(0);
                sizes.push(stack.len() - at);
                stack.drain(at..).for_each(|node| on_stack[node] = false);
            }
        }
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_graphs() {
        let sizes = |edges: &[&[u32]]| {
            let mut sizes = components(edges);
            sizes.sort_unstable();
            sizes
        };
        assert_eq!(sizes(&[&[1], &[2], &[0], &[0]]), [1, 3]);
        assert_eq!(sizes(&[&[1], &[0], &[3, 0], &[2]]), [2, 2]);
        assert_eq!(sizes(&[&[], &[0]]), [1, 1]);
    }

    #[test]
    fn the_document_holds_what_is_computed_now() {
        let document = include_str!("../../../../docs/results/antrin.md");
        let (game, retro) = solved("antrin:3", &Ctx::default()).unwrap();
        let ctx = Ctx::default();
        for part in [
            rules(3, &ctx).unwrap(),
            distances(&moving(&game, &retro).unwrap()),
            longest(&game, &retro).unwrap(),
            draws(&game, &retro).unwrap(),
            rules(4, &ctx).unwrap(),
        ] {
            for line in part.lines().filter(|line| !line.is_empty()) {
                assert!(document.contains(line), "missing from docs/results/antrin.md: {line}");
            }
        }
    }
}
