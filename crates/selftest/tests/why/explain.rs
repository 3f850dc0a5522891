use super::{game, graph, identity, texts, truth, wander, worth};
use agon_core::{Ctx, Player, Rng, Status};
use agon_registry::erased::{AnyGame, ExplainRequest};
use agon_selftest::graph::Graph;
use agon_solve::explain::Limits;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// Games of ten families, with the number of random moves before a position is explained: some with cycles, some without
/// draws, in normal and in misère play, by every kind of solver.
const SUBJECTS: [(&str, usize); 18] = [
    ("mnk:3,3,3", 2),
    ("mnk:4,3,3", 4),
    ("mnk:3,3,2", 0),
    ("drop:4,3,3", 2),
    ("drop:3,3,3", 0),
    ("order-chaos:3x2,k=2,symbols=3,row=exact", 1),
    ("order-chaos:3x3,k=3,symbols=1,first=chaos", 1),
    ("order-chaos:3x3,k=3", 4),
    ("nim:1+2+3", 0),
    ("nim:2+3+4,play=misere", 0),
    ("kayles:5+5,play=misere", 0),
    ("heap:0.137:8+4", 0),
    ("cram:3x3", 0),
    ("sum:grundy:5++nim:2", 0),
    ("antrin:3", 3),
    ("tapatan:blocked=passes", 4),
    ("rota:men=2", 2),
    ("tak:2x2,flats=2,caps=0", 2),
];

struct Case<'a> {
    game: &'a dyn AnyGame,
    graph: &'a Graph,
    /// The number of positions that were compared.
    compared: usize,
}

fn explained(game: &dyn AnyGame, pos: &str, limits: Limits) -> Json {
    let request = ExplainRequest { limits, ..ExplainRequest::default() };
    serde_json::to_value(game.explain(pos, &request, &Ctx::default()).unwrap()).unwrap()
}

impl Case<'_> {
    fn at(&self, pos: &str) -> usize {
        self.graph.find(&identity(self.game, pos)).unwrap_or_else(|| panic!("no play leads to {pos}"))
    }

    /// Compares a position of a tree with the graph, and all below it.
    fn node(&mut self, node: &Json) {
        let pos = node["position"].as_str().unwrap();
        let at = self.at(pos);
        let (value, plies) = truth(self.graph, at);
        self.compared += 1;
        assert!(node["value"] == value || node["value"].is_null(), "{pos}: {} is {value}", node["value"]);
        if value != "draw" && !node["plies"].is_null() {
            assert_eq!(node["plies"], json!(plies), "{pos}");
        }
        let children = node["moves"].as_array().unwrap();
        let shown: Vec<&str> = children.iter().map(|child| child["move"].as_str().unwrap()).collect();
        let legal = &self.graph.nodes()[at].moves;
        match node["shown"].as_str().unwrap() {
            "end" => {
                let Status::Over(outcome) = self.game.status(pos).unwrap() else { panic!("{pos} is not an end") };
                assert_eq!(node["winner"], json!(outcome.winner().map(Player::name)), "{pos}");
                assert!(shown.is_empty());
            }
            "every" => assert_eq!(shown, legal.iter().map(|(mv, _)| mv.as_str()).collect::<Vec<_>>(), "{pos}"),
            "answer" => {
                let (_, child) = legal.iter().find(|(mv, _)| *mv == shown[0]).expect("a legal answer");
                assert_eq!((shown.len(), worth(self.graph, at, *child).0), (1, value), "{pos}");
            }
            "proven" => assert!(node["value"] == value && shown.is_empty(), "{pos}"),
            "open" => assert!(node["value"].is_null() && shown.is_empty(), "{pos}"),
            other => panic!("{pos}: {other}"),
        }
        for child in children {
            let (mv, after) = (child["move"].as_str().unwrap(), child["position"].as_str().unwrap());
            assert_eq!(self.game.play(pos, mv).unwrap().1, after, "{pos} {mv}");
            assert_eq!(child["by"], self.game.turn(pos).unwrap().name());
            self.node(child);
        }
    }

    /// In the tree of a move by which one side wins, that side has one answer everywhere, and the other side every move.
    /// Returns whether play reaches its ends.
    fn won_by(&self, winner: &str, node: &Json) -> bool {
        let (shown, pos) = (node["shown"].as_str().unwrap(), node["position"].as_str().unwrap());
        assert_eq!(node["winner"], winner, "{pos}");
        match shown {
            "end" => return true,
            "proven" => return false,
            _ => assert_eq!(shown, if node["mover"] == winner { "answer" } else { "every" }, "{pos}"),
        }
        let ends: Vec<bool> = node["moves"].as_array().unwrap().iter().map(|node| self.won_by(winner, node)).collect();
        ends.into_iter().all(|ends| ends)
    }

    /// The refutations are those of the moves that lose, legal, and they end as they say.
    fn refutations(&self, why: &Json) {
        let pos = why["position"].as_str().unwrap();
        let (at, opponent) = (self.at(pos), self.game.turn(pos).unwrap().other());
        let legal = &self.graph.nodes()[at].moves;
        let lost: BTreeSet<&str> = legal
            .iter()
            .filter(|(_, child)| worth(self.graph, at, *child).0 == "loss")
            .map(|(mv, _)| mv.as_str())
            .collect();
        let refuted = why["refutations"].as_array().unwrap();
        let named: BTreeSet<&str> = refuted.iter().map(|one| one["move"].as_str().unwrap()).collect();
        assert!(named.is_subset(&lost) && named.len() == refuted.len(), "{pos}");
        assert!(named == lost || self.game.facts().family == "tak", "{pos}");
        for one in refuted {
            let line = texts(&one["line"]);
            let end = line.iter().fold(pos.to_string(), |pos, mv| self.game.play(&pos, mv).expect("a legal line").1);
            assert_eq!(line[0], one["move"].as_str().unwrap());
            assert_eq!(
                (self.game.winner(&end).unwrap(), &one["ends"]),
                (Some(opponent.name()), &json!("over")),
                "{pos}"
            );
            let (_, child) = legal.iter().find(|(mv, _)| *mv == line[0]).unwrap();
            if !one["plies"].is_null() {
                let plies = worth(self.graph, at, *child).1;
                assert_eq!((&one["plies"], Some(line.len() as u32)), (&json!(plies), plies), "{pos} {line:?}");
            }
            assert!(one["sentence"].as_str().unwrap().starts_with(&format!("{} loses", line[0])));
        }
    }
}

#[test]
fn every_defence_is_answered_and_every_leaf_is_an_end_or_proven() {
    let (mut rng, mut positions, mut whole, mut refuted, mut compared) = (Rng::new(7), 0, 0, 0, 0);
    for (spelling, plies) in SUBJECTS {
        let game = game(spelling);
        for i in 0..4 {
            let pos = wander(game.as_ref(), plies + i, &mut rng);
            let graph = graph(game.as_ref(), &pos);
            let mut case = Case { game: game.as_ref(), graph: &graph, compared: 0 };
            for most in [100_000, 12] {
                let why = explained(case.game, &pos, Limits { positions: most, depth: 40 });
                let (root, (value, plies)) = (&why["tree"], truth(&graph, 0));
                if why["value"].is_null() && spelling.starts_with("tak") {
                    // Wins are looked for, and draws near the end alone.
                    case.node(root);
                    continue;
                }
                assert_eq!((&why["value"], &why["stopped"]), (&json!(value), &json!(null)), "{spelling} {pos}");
                assert!(why["plies"].is_null() || value == "draw" || why["plies"] == json!(plies), "{spelling} {pos}");
                case.node(root);
                case.refutations(&why);
                let cut = &why["cut"];
                assert_eq!((&cut["effort"], &cut["moves"]), (&json!(0), &json!(0)));
                let mut left = cut["size"].as_u64().unwrap() + cut["depth"].as_u64().unwrap();
                for child in root["moves"].as_array().unwrap() {
                    let loses = child["winner"] == case.game.turn(&pos).unwrap().other().name();
                    let best = why["best"] == child["move"] && !child["winner"].is_null();
                    if loses || best {
                        let ends = case.won_by(child["winner"].as_str().unwrap(), child);
                        assert!(ends || left > 0, "{spelling} {pos} {}", child["move"]);
                        left -= u64::from(!ends);
                        whole += usize::from(ends && most > 12);
                        refuted += usize::from(loses);
                    }
                }
            }
            positions += 1;
            compared += case.compared;
        }
    }
    assert!(
        positions >= 60 && whole > 60 && refuted > 100 && compared > 3000,
        "{positions} {whole} {refuted} {compared}"
    );
}

#[test]
fn nim_values_and_options_are_those_of_the_graph() {
    let mut rng = Rng::new(3);
    for spelling in [
        "nim:3+4",
        "kayles:4+3",
        "heap:0.137:7+3",
        "subtract:1,3:5+4",
        "grundy:7+4",
        "cram:3x3",
        "treblecross:1x6",
        "circular-nim:3,2:1+2+2",
    ] {
        let game = game(spelling);
        for plies in [0, 1, 2] {
            let pos = wander(game.as_ref(), plies, &mut rng);
            let (graph, why) = (graph(game.as_ref(), &pos), explained(game.as_ref(), &pos, Limits::default()));
            let sum = &why["sum"];
            assert_eq!(sum["nimber"].as_u64(), graph.nimber(0).map(u64::from), "{spelling} {pos}");
            let parts = sum["parts"].as_array().unwrap();
            let xor = parts.iter().fold(0, |xor, part| xor ^ part["nimber"].as_u64().unwrap());
            assert_eq!(Some(xor), sum["nimber"].as_u64(), "{spelling} {pos}");
            for part in parts {
                // The mex of the options is the value, and with one part they are those of the moves.
                let values: Vec<u64> = part["options"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|option| option["nimber"].as_u64().unwrap())
                    .collect();
                let mex = (0..).find(|n| !values.contains(n)).unwrap();
                assert_eq!(Some(mex), part["nimber"].as_u64(), "{spelling} {pos} {part}");
                if parts.len() == 1 {
                    let children =
                        graph.nodes()[0].moves.iter().map(|(_, child)| u64::from(graph.nimber(*child).unwrap()));
                    assert_eq!(values.into_iter().collect::<BTreeSet<u64>>(), children.collect(), "{spelling} {pos}");
                }
            }
        }
    }
    let misere = explained(game("nim:2+3,play=misere").as_ref(), "2+3", Limits::default());
    assert_eq!((&misere["sum"]["nimber"], &misere["sum"]["misere"]), (&json!(null), &json!(true)));
}
