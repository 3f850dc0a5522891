//! The published strategies, as text.

use agon_core::{Family, Strategy, StrategyFacts, Symmetric};
use agon_strategies::{Rules, Text};

/// A strategy that comes with a game.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! shipped {
    ($($constant:ident $name:literal)*) => {
        $(pub(crate) const $constant: Shipped =
            Shipped { name: $name, text: include_str!(concat!("../strategies/", $name, ".rules")) };)*

        /// Every strategy that comes with a game.
        pub const ALL: &[Shipped] = &[$($constant),*];
    };
}

shipped! {
    CASTELEIN_T1 "castelein-t1"
    CASTELEIN_T2 "castelein-t2"
    CASTELEIN "castelein"
    PAIRING "pairing"
    SINGH_PROCESS "singh-process"
    SINGH_OBJECTIVES "singh-objectives"
    VAKI_DEFENCE "vaki-defence"
}

impl Shipped {
    /// The strategy as it is written; a test reads every text.
    #[must_use]
    pub fn parsed(&self) -> Text {
        Text::parse(self.text).expect("a strategy that comes with a game can be read")
    }

    /// Name, readings and source.
    #[must_use]
    pub fn facts(&self) -> StrategyFacts {
        let text = self.parsed();
        StrategyFacts { name: self.name, readings: text.readings, about: text.about.join(" ") }
    }

    /// The strategy for a game, under a reading; an empty one is the first. `None` without such a reading.
    pub fn strategy<G: Family + Symmetric>(&self, game: &G, reading: &str) -> Option<Box<dyn Strategy<G>>> {
        let rules = Rules::new(game, &self.parsed().read_as(reading)?).ok()?;
        Some(Box::new(rules))
    }
}
