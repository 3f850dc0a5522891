//! The boards and pages that claims speak of, so that each can be opened.

use agon_registry as registry;
use agon_report::failure::Failure;
use serde::Serialize;

/// Something to open beside a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase", untagged)]
pub enum Link {
    /// A position of a game, in its notation or `start`.
    Board {
        /// The spelling of the game.
        game: &'static str,
        /// The position.
        position: &'static str,
    },
    /// A page or a picture of the documentation, by its path from `docs/results`.
    Page {
        /// The path.
        page: &'static str,
    },
}

impl Link {
    /// The picture of a board.
    pub fn svg(&self) -> Result<Option<String>, Failure> {
        let Link::Board { game, position } = self else { return Ok(None) };
        Ok(Some(registry::standard().game(game)?.scene(position)?.svg()))
    }
}

const fn board(game: &'static str, position: &'static str) -> Link {
    Link::Board { game, position }
}

const fn page(page: &'static str) -> Link {
    Link::Page { page }
}

/// The links of an item: those of its own entry, or of the longest entry that its name begins with.
#[must_use]
pub fn of(id: &str) -> &'static [Link] {
    if let Some((_, links)) = EXACTLY.iter().find(|(name, _)| *name == id) {
        return links;
    }
    let fits = BY_BEGINNING.iter().filter(|(name, _)| id.starts_with(name));
    fits.max_by_key(|(name, _)| name.len()).map_or(&[], |(_, links)| links)
}

const FOUR: &str = "order-chaos:4x4,k=4";
const ELLIE: Link = page("ellie.md");
const ANTRIN: Link = page("antrin.md");
const HEAP: Link = board("heap:0.007:24", "start");
const PLACING: Link = board("antrin:3", "start");
const TAK_3: &[Link] = &[board("tak:3", "start"), page("tak.md")];
const TAK_5: &[Link] = &[board("tak:5", "start"), page("tak.md")];
const TAK_8: &[Link] = &[board("tak:8", "start"), page("tak.md")];
const TREE: Link = page("../pictures/ellie-tree.svg");

/// Boards with the exceptions of Castelein's T1.
const EXCEPTIONS: &[Link] = &[
    board(FOUR, "O.../XXOX/O.X./O..."),
    board(FOUR, ".O../XXXO/..../...O"),
    board(FOUR, "..../OXX./O.../...."),
    board(FOUR, "OO../XX../..../...."),
    board(FOUR, "X.O./OX../O.../O..."),
    board(FOUR, "..../OX../O.../XX.O"),
];

/// Items whose names begin other names.
const EXACTLY: &[(&str, &[Link])] = &[("004/table-6.1", TAK_3)];

const BY_BEGINNING: &[(&str, &[Link])] = &[
    ("000/example-2.2", &[board("order-chaos:6x6", "X....O/.XX.OX/..XO../..X.X./.O..X./...O.O")]),
    ("000/mirror", &[board("order-chaos:6x6", "...X../....../....../....../....../...O..")]),
    ("000/all-states", &[board(FOUR, "start"), page("order-chaos.md")]),
    ("000/t1", &[board(FOUR, "start")]),
    ("000/t1-exceptions", EXCEPTIONS),
    ("000/exceptions-needed", EXCEPTIONS),
    ("000/t1-chaos-first", &[board("order-chaos:4x4,k=4,first=chaos", "start")]),
    ("000/six-by-six", &[board("order-chaos:6x6", "start"), page("order-chaos.md")]),
    ("000/six-by-six-chaos-first", &[board("order-chaos:6x6,first=chaos", "start")]),
    ("000/lemma-sample", &[board("order-chaos:5x5,k=4", "start"), page("order-chaos.md")]),
    ("000/lemma-more-marks", &[board("order-chaos:5x5,k=4,symbols=3", "start"), page("order-chaos.md")]),
    ("000/theorem-4.1", &[board("order-chaos:6x6,row=exact", "start"), page("order-chaos.md")]),
    ("000/theorem-4.1-final", &[board("order-chaos:6x6,row=exact-final", "start")]),
    ("000/pairing-line", &[board("order-chaos:6x6,row=exact", "X...../.X.O../..X.O./.O.X../..O.X./......")]),
    ("000/pairing-table", &[board("order-chaos:6x6,row=exact-final", "start")]),
    ("000/theorem-4.2", &[board("order-chaos:6x6,first=chaos,row=exact", "start"), page("order-chaos.md")]),
    ("000/van-gent", &[board("order-chaos:7x7,k=6", "start"), page("pairings.md")]),
    (
        "000/other-shapes",
        &[
            board("order-chaos:3x3,k=3,without=b2", "start"),
            board("order-chaos:4x4,k=4,without=a1+a4+d1+d4", "start"),
            board("order-chaos:5x5,k=3,without=a1+a2+a4+a5+b1+b5+d1+d5+e1+e2+e4+e5", "start"),
        ],
    ),
    ("000/5x7", &[board("order-chaos:5x7,k=5", "start"), page("order-chaos.md")]),
    ("000/6x7", &[board("order-chaos:6x7,k=5", "start"), page("order-chaos.md")]),
    ("000/7x7", &[board("order-chaos:7x7,k=5", "start"), page("order-chaos.md")]),
    ("000/mcts", &[board(FOUR, "start"), page("../pictures/mcts-tree.svg")]),
    ("001/", &[board("tic-tac-toe", "start")]),
    ("001/process-second", &[board("tic-tac-toe", "..X/.O./X..")]),
    ("001/objectives-second", &[board("tic-tac-toe", "..X/.O./X..")]),
    ("001/objectives-first-literal", &[board("tic-tac-toe", "OX./.X./.O.")]),
    ("001/table-1", &[board("tic-tac-toe", "..O/.X./..."), board("tic-tac-toe", "X.O/.X./..O")]),
    ("001/play-choices", &[board("tic-tac-toe", "..O/.X./...")]),
    ("001/play-result", &[board("tic-tac-toe", "XOO/OXX/XXO")]),
    ("000/without-exceptions", &[board(FOUR, "start"), page("strategies/order-4x4.md")]),
    ("000/more-symbols", &[board("order-chaos:4x4,k=4,symbols=3", "start"), page("order-chaos.md")]),
    ("001/other-games", &[board("mnk:4,4,3", "start"), board("mnk:5,4,4", "start")]),
    ("002/2x2", &[board("ellie:2x2", "start")]),
    ("002/2x3", &[board("ellie:3x2", "start"), TREE]),
    ("002/grundy-theorem", &[HEAP, TREE, ELLIE]),
    ("002/equivalence", &[board("ellie:6x2", "start"), board("heap:0.007:12", "start")]),
    ("002/recursion", &[board("heap:0.007:20", "start"), ELLIE]),
    ("002/10000", &[HEAP, page("../pictures/ellie-frequencies.svg"), ELLIE]),
    ("002/25000", &[HEAP, page("../pictures/ellie-frequencies.svg"), ELLIE]),
    ("002/maximum", &[HEAP, ELLIE]),
    ("002/last-new", &[HEAP, ELLIE]),
    ("002/most-frequent", &[HEAP, ELLIE]),
    ("002/second-frequent", &[HEAP, ELLIE]),
    ("002/p-positions", &[HEAP, ELLIE]),
    ("002/treblecross", &[board("treblecross:1x6", "start"), board("heap:0.007:8", "start")]),
    ("002/misere", &[board("heap:0.007:71,play=misere", "start"), ELLIE]),
    ("002/misere-", &[board("heap:0.123:5+6,play=misere", "start"), page("misere.md")]),
    ("002/3xn", &[board("ellie:3x3", "start"), ELLIE]),
    ("002/circular", &[board("circular-nim:6,2", "start")]),
    ("002/circular-variations", &[board("circular-nim:3,2:2+2+2,each=2", "start")]),
    ("003/", &[PLACING, ANTRIN]),
    ("003/second-step", &[PLACING, page("../pictures/antrin-tree.svg"), ANTRIN]),
    ("003/sub-patterns", &[PLACING, page("../pictures/antrin-tree.svg"), ANTRIN]),
    ("003/unique", &[PLACING, page("../pictures/antrin-tree.svg"), ANTRIN]),
    ("003/drawing-rule", &[PLACING, page("strategies/antrin-3-either.md")]),
    ("003/bigger-boards", &[board("antrin:4", "start"), ANTRIN]),
    ("003/blocked", &[board("antrin:3", "WWB/WB./B..:w"), ANTRIN]),
    (
        "003/comparison",
        &[
            board("antrin:3", "start"),
            board("achi", "start"),
            board("morris:nine", "start"),
            board("tic-tac-toe", "start"),
        ],
    ),
    ("004/", TAK_5),
    // `004/table-6.1` also begins the names of tables 6.10 to 6.17.
    ("004/table-6.1", TAK_5),
    ("004/table-6.1-", TAK_3),
    ("004/table-6.3", TAK_8),
    ("004/table-6.4", TAK_3),
    ("004/table-6.6", TAK_8),
    ("004/table-6.10", TAK_3),
    ("004/table-6.12", TAK_8),
    ("004/worst-3x3", &[board("tak:3", "2,21,221/221,x,221/121,111,x 1 20")]),
    ("004/worst-5x5", &[board("tak:5", "22221,x,22221,x,22221/x5/22221,x,22221,x,11111/x5/11111,x,11111,x,2 1 60")]),
    (
        "004/worst-8x8",
        &[board(
            "tak:8",
            "22222221C,x7/x,22222221,x,22222221,x,22222221,x2/x2,22222221,x,22222221,x,22222221,x/x4,1111,x3/x8/\
             x,21111111,x,11111111,x,11111111,x2/x2,11111111,x,11111111,x3/x7,2C 1 99",
        )],
    ),
    ("004/best-case", &[board("tak:3", "1S,2S,1S/2S,x,2S/1S,2S,11S 1 20")]),
    ("004/3x3-value", TAK_3),
    ("004/zugzwang-2x3", &[board("tak:2x3,flats=2,caps=4", "11C,22C/x2/22C,11C 1 60")]),
    (
        "004/zugzwang-8x8",
        &[board(
            "tak:8",
            "1S,1S,1S,1S,1S,222222221S,x,222222221S/1S,1S,1S,1S,1S,211S,222222222C,x/1S,1S,1S,1S,1S,1S,211S,222222221S/\
             2S,2S,2S,2S,2S,2S,2S,2S/2S,2S,2S,2S,2S,2S,2S,2S/1S,1S,1S,1S,1S,1S,1S,1S/1S,1S,1S,1S,1S,1S,1S,1S/\
             11S,11S,11S,1S,1S,1S,1S,1S 1 60",
        )],
    ),
    ("004/figure-4.6", &[board("tak:3", "start")]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_can_be_opened() {
        for item in crate::items() {
            let boards = of(item.id).iter().filter(|link| matches!(link, Link::Board { .. }));
            assert!(boards.count() > 0, "{} has no board to open", item.id);
            for link in of(item.id) {
                let drawn = link.svg().unwrap_or_else(|why| panic!("{}: {link:?}: {why}", item.id));
                if let Link::Page { page } = link {
                    let path = format!("{}/../../docs/results/{page}", env!("CARGO_MANIFEST_DIR"));
                    assert!(drawn.is_none() && std::path::Path::new(&path).exists(), "{}: {page}", item.id);
                }
            }
        }
    }

    #[test]
    fn tables_of_tak_open_the_board_that_they_are_about() {
        for (id, game) in [
            ("004/table-6.1", "tak:3"),
            ("004/table-6.1-full", "tak:3"),
            ("004/table-6.2", "tak:5"),
            ("004/table-6.3", "tak:8"),
            ("004/table-6.4-rare-walls", "tak:3"),
            ("004/table-6.6-full", "tak:8"),
            ("004/table-6.7", "tak:5"),
            ("004/table-6.10", "tak:3"),
            ("004/table-6.11", "tak:5"),
            ("004/table-6.12-full", "tak:8"),
            ("004/table-6.17", "tak:5"),
        ] {
            assert!(matches!(of(id)[0], Link::Board { game: opened, .. } if opened == game), "{id}: {:?}", of(id));
        }
    }

    #[test]
    fn every_link_belongs_to_a_claim() {
        for (name, _) in BY_BEGINNING {
            assert!(crate::items().iter().any(|item| item.id.starts_with(name)), "{name}");
        }
    }
}
