//! Players spelled `name:param=…,param=…`.

use agon_core::toy::Dots;
use agon_registry::erased::StrategyRequest;
use agon_registry::erased::agents::searcher;
use agon_registry::standard;

/// Why a game has no player of that spelling; `accepted` if it has one.
fn refused(game: &str, spelled: &str) -> String {
    match standard().game(game).unwrap().agent(&StrategyRequest::named(spelled), 1) {
        Ok(_) => "accepted".to_string(),
        Err(failure) => failure.message().unwrap_or_default(),
    }
}

#[test]
fn a_wrong_spelling_is_refused_with_what_would_do() {
    for (spelled, says) in [
        ("negamax", "accepted"),
        ("negamax:depth=4,memory=16", "accepted"),
        ("mcts:playouts=100,formula=inverse,c=0.7,wall=0.5,solver=off", "accepted"),
        ("negamax:depth=0", "invalid player `negamax:depth=0`: depth must be 1..=60"),
        (
            "negamax:depth",
            "invalid player `negamax:depth`: `depth` has no value; expected negamax:time=seconds,\
          nodes=number,depth=1..=60,memory=MiB,threads=1..=64,lines=1..=64,eval=name",
        ),
        ("mcts:time=-1", "invalid player `mcts:time=-1`: time must be seconds, like 0.5"),
        ("mcts:time=NaN", "invalid player `mcts:time=NaN`: time must be seconds, like 0.5"),
        ("mcts:formula=ucb", "invalid player `mcts:formula=ucb`: formula must be uct or inverse"),
        ("mcts:c=1,c=2", "invalid player `mcts:c=1,c=2`: c is given twice"),
    ] {
        assert_eq!(refused("tak:5", spelled), says);
    }
    assert_eq!(
        refused("tic-tac-toe", "weighted:wall=1"),
        "invalid player `weighted:wall=1`: no parameter `wall`; weighted takes no parameters in this game"
    );
    assert!(
        refused("tak:5", "weighted:zap=1")
            .ends_with("expected weighted:flat=weight,wall=weight,cap=weight,place=weight,early=weight,slide=weight")
    );
    // Games list their other players too.
    let unknown = searcher(&Dots::new(1, 1), "alphazero", 1).err().and_then(|failure| failure.message());
    let says = "invalid player `alphazero`: expected one of weighted, mc, mcts, negamax";
    assert_eq!(unknown.as_deref(), Some(says));
}
