//! Several processes at one component: what they send one another, and how a batch of updates looks in bytes.
//!
//! Every process has a slice of the component's states and sweeps it level by level. An update of a position that
//! another process has is sent there, sorted and combined with others. All updates of one level commute, and create
//! codes of the next level only: the tables do not depend on who sends what when.

#[cfg(feature = "timely")]
pub mod network;

use super::NoTable;

/// A line to the other processes that work at the same component.
///
/// The work goes by rounds. A batch that is sent in a round arrives before the round ends at its receiver. Each process
/// says a number as it ends a round, and all learn all of them.
///
/// All methods fail when a process is lost: then nobody can finish, and the work continues from its last checkpoint.
pub trait Peers {
    /// The number of this process, below [`Peers::processes`].
    fn process(&self) -> usize;

    /// The number of processes.
    fn processes(&self) -> usize;

    /// Sends a batch to another process.
    fn send(&mut self, to: usize, batch: Vec<u8>) -> Result<(), Lost>;

    /// The next batch that has arrived, if there is one. It does not wait.
    fn receive(&mut self) -> Result<Option<Vec<u8>>, Lost>;

    /// Ends the round: waits until all processes do, and returns what each of them said. [`Peers::receive`] then returns
    /// everything that was sent in the round.
    fn end_round(&mut self, word: u64) -> Result<Vec<u64>, Lost>;
}

/// A process that cannot be reached any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost(pub String);

impl From<Lost> for NoTable {
    fn from(lost: Lost) -> NoTable {
        NoTable::Processes(lost.0)
    }
}

/// The most bytes of a batch, about.
const BATCH: usize = 1 << 16;

/// Updates of one level on their way to their owners: for each place, the number of moves that are refuted.
#[derive(Default, Debug)]
pub(super) struct Updates {
    /// Place times 256, plus the number of moves.
    packed: Vec<u64>,
}

impl Updates {
    pub(super) fn push(&mut self, place: usize, times: u16) {
        self.packed.push((place as u64) << 8 | u64::from(times.min(255)));
    }

    /// Empties the list into batches of bytes, each with its receiver. `owner` names the process that has a place.
    pub(super) fn batches(&mut self, plies: u32, owner: impl Fn(usize) -> usize) -> Vec<(usize, Vec<u8>)> {
        self.packed.sort_unstable();
        let mut open: Vec<(usize, Vec<u8>, usize)> = Vec::new();
        let mut full = Vec::new();
        for same in self.packed.chunk_by(|a, b| a >> 8 == b >> 8) {
            let place = (same[0] >> 8) as usize;
            let to = owner(place);
            let at = open.iter().position(|batch| batch.0 == to).unwrap_or_else(|| {
                open.push((to, begun(plies), 0));
                open.len() - 1
            });
            let (_, bytes, last) = &mut open[at];
            put(bytes, (place - *last) as u64);
            // One lost child wins a position: how many there are does not matter.
            if !plies.is_multiple_of(2) {
                put(bytes, same.iter().map(|update| update & 255).sum());
            }
            *last = place;
            if bytes.len() >= BATCH {
                full.push((to, std::mem::replace(bytes, begun(plies))));
                *last = 0;
            }
        }
        self.packed.clear();
        let header = begun(plies).len();
        full.extend(open.into_iter().filter(|(_, bytes, _)| bytes.len() > header).map(|(to, bytes, _)| (to, bytes)));
        full
    }
}

/// An empty batch.
fn begun(plies: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    put(&mut bytes, plies.into());
    bytes
}

/// The updates in a batch of this level; `None` if the bytes are not one.
pub(super) fn updates(batch: &[u8], plies: u32) -> Option<Vec<(usize, u16)>> {
    let mut rest = batch;
    if take(&mut rest)? != u64::from(plies) {
        return None;
    }
    let (mut found, mut place) = (Vec::new(), 0usize);
    while !rest.is_empty() {
        place = place.checked_add(usize::try_from(take(&mut rest)?).ok()?)?;
        let times = if plies.is_multiple_of(2) { 1 } else { u16::try_from(take(&mut rest)?).ok()? };
        found.push((place, times));
    }
    Some(found)
}

/// Appends a number, seven bits a byte, the lowest first.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

/// Processes that are threads of one program, for tests.
#[cfg(test)]
pub(super) mod channels {
    use super::*;
    use std::collections::VecDeque;
    use std::sync::mpsc::{Receiver, Sender, channel};

    enum Message {
        Batch(Vec<u8>),
        Word(usize, u64),
    }

    pub(in crate::retro) struct Channels {
        process: usize,
        to: Vec<Sender<Message>>,
        from: Receiver<Message>,
        batches: VecDeque<Vec<u8>>,
        /// What each process said at the ends of rounds, the earliest first.
        words: Vec<VecDeque<u64>>,
        pub(in crate::retro) sent: usize,
        pub(in crate::retro) bytes: usize,
    }

    pub(in crate::retro) fn connected(processes: usize) -> Vec<Channels> {
        let (to, from): (Vec<_>, Vec<_>) = (0..processes).map(|_| channel()).unzip();
        let line = |(process, from)| Channels {
            process,
            to: to.clone(),
            from,
            batches: VecDeque::new(),
            words: vec![VecDeque::new(); processes],
            sent: 0,
            bytes: 0,
        };
        from.into_iter().enumerate().map(line).collect()
    }

    impl Channels {
        fn note(&mut self, message: Message) {
            match message {
                Message::Batch(batch) => self.batches.push_back(batch),
                Message::Word(from, word) => self.words[from].push_back(word),
            }
        }
    }

    impl Peers for Channels {
        fn process(&self) -> usize {
            self.process
        }

        fn processes(&self) -> usize {
            self.to.len()
        }

        fn send(&mut self, to: usize, batch: Vec<u8>) -> Result<(), Lost> {
            (self.sent, self.bytes) = (self.sent + 1, self.bytes + batch.len());
            self.to[to].send(Message::Batch(batch)).map_err(|_| Lost(format!("process {to} is lost")))
        }

        fn receive(&mut self) -> Result<Option<Vec<u8>>, Lost> {
            while let Ok(message) = self.from.try_recv() {
                self.note(message);
            }
            Ok(self.batches.pop_front())
        }

        fn end_round(&mut self, word: u64) -> Result<Vec<u64>, Lost> {
            for (to, line) in self.to.iter().enumerate() {
                let sent = line.send(Message::Word(self.process, word));
                sent.map_err(|_| Lost(format!("process {to} is lost")))?;
            }
            while self.words.iter().any(VecDeque::is_empty) {
                // A sender of this very process stays, so a lost process is noticed by its silence alone.
                let waited = self.from.recv_timeout(std::time::Duration::from_secs(60));
                let message = waited.map_err(|_| Lost("a process is lost".to_string()))?;
                self.note(message);
            }
            Ok(self.words.iter_mut().filter_map(VecDeque::pop_front).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_sorted_combined_and_read_again() {
        let mut list = Updates::default();
        for (place, times) in [(700, 1), (3, 2), (700, 4), (1 << 40, 1), (3, 1)] {
            list.push(place, times);
        }
        let owner = |place| usize::from(place > 100);
        let batches = list.batches(5, owner);
        assert_eq!(batches.len(), 2);
        let read: Vec<(usize, Vec<(usize, u16)>)> =
            batches.iter().map(|(to, batch)| (*to, updates(batch, 5).unwrap())).collect();
        assert_eq!(read, [(0, vec![(3, 3)]), (1, vec![(700, 5), (1 << 40, 1)])]);
        assert!(batches.iter().all(|(_, batch)| updates(batch, 6).is_none()));
        assert!(list.batches(5, owner).is_empty());
        // A number of one byte for each neighbour, and none of moves at an even level.
        (0..100_000).for_each(|place| list.push(place, 7));
        let batches = list.batches(4, |_| 1);
        assert_eq!(batches.iter().map(|(_, batch)| batch.len()).collect::<Vec<_>>(), [1 << 16, 100_000 - 65_535 + 3]);
        let read: Vec<(usize, u16)> = batches.iter().flat_map(|(_, batch)| updates(batch, 4).unwrap()).collect();
        assert!(read.into_iter().eq((0..100_000).map(|place| (place, 1))));
    }

    #[test]
    fn bytes_that_are_no_batch_are_refused() {
        assert_eq!(updates(&[4, 128], 4), None);
        assert_eq!(updates(&[], 4), None);
        assert_eq!(updates(&[5, 3], 5), None);
        assert_eq!(updates(&[vec![4], vec![255; 10]].concat(), 4), None);
        assert_eq!(updates(&[4], 4), Some(vec![]));
    }
}
