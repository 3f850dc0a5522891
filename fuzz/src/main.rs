//! libFuzzer over the reader named by the environment variable `AGON_READER`.
#![no_main]

mod counters;

use agon_core::Rng;
use agon_fuzz::{READERS, Reader, mutate, reader, thoroughly};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use std::collections::HashSet;
use std::sync::OnceLock;

/// The reader under test, with its seed texts.
struct Chosen {
    reader: &'static Reader,
    seeds: Vec<Vec<u8>>,
    known: HashSet<Vec<u8>>,
}

impl Chosen {
    fn read(&self, data: &[u8]) {
        if self.known.contains(data) {
            thoroughly(|| (self.reader.read)(data));
        } else {
            (self.reader.read)(data);
        }
        counters::after(data);
    }
}

fn chosen() -> &'static Chosen {
    static CHOSEN: OnceLock<Chosen> = OnceLock::new();
    CHOSEN.get_or_init(|| {
        let name = std::env::var("AGON_READER").unwrap_or_default();
        let names = || READERS.iter().map(|reader| reader.name).collect::<Vec<_>>().join(", ");
        let reader = reader(&name).unwrap_or_else(|| panic!("AGON_READER is `{name}`: expected one of {}", names()));
        let seeds = (reader.seeds)();
        Chosen { reader, known: seeds.iter().cloned().collect(), seeds }
    })
}

/// Writes the seed texts into the directory named by `AGON_SEEDS`, if there is one, and ends.
fn write_seeds() {
    let Some(folder) = std::env::var_os("AGON_SEEDS").map(std::path::PathBuf::from) else { return };
    std::fs::create_dir_all(&folder).expect("a directory for the seeds");
    for (number, seed) in chosen().seeds.iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{number:04}")), seed).expect("a seed is written");
    }
    std::process::exit(0);
}

/// Lazy values are built before the first case, and the code that only this reaches is forgotten.
fn begin() {
    write_seeds();
    let Chosen { reader, seeds, .. } = chosen();
    thoroughly(|| seeds.iter().for_each(|seed| (reader.read)(seed)));
    counters::forget();
    seeds.iter().for_each(|seed| chosen().read(seed));
}

fuzz_target!(init: begin(), |data: &[u8]| chosen().read(data));

// One case in two is changed with knowledge of lines, words and numbers, the others byte by byte.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if let Some(case) = counters::again() {
        let size = case.len().min(max_size);
        data[..size].copy_from_slice(&case[..size]);
        return size;
    }
    let Chosen { reader, seeds, .. } = chosen();
    let mut rng = Rng::new(u64::from(seed));
    if rng.below(2) == 0 && size > 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let mut changed = if size <= 1 { rng.pick(seeds).cloned().unwrap_or_default() } else { data[..size].to_vec() };
    mutate::change(&mut changed, seeds, reader.words, &mut rng);
    changed.truncate(max_size);
    data[..changed.len()].copy_from_slice(&changed);
    changed.len()
});
