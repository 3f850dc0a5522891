//! Runs killed at random moments lead to the same files as runs that were left alone.

use crate::{files, games, same, same_files, silent, text, times};
use agon_check::sequence;
use agon_core::Rng;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The end of a run that was asked to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    /// By itself, before the signal.
    Done,
    /// By SIGKILL.
    Killed,
    /// By its own decision, after SIGINT.
    Interrupted,
    /// By SIGINT, before the program had taken the signal over.
    TooSoon,
}

/// Sends a signal some time after the start.
fn strike(mut run: Command, signal: Signal, after: Duration) -> Ended {
    let mut child = run.spawn().unwrap();
    std::thread::sleep(after);
    // A child that has ended and was not waited for still has its number.
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), signal).unwrap();
    let status = child.wait().unwrap();
    match (status.code(), status.signal()) {
        (Some(0), _) => Ended::Done,
        (Some(130), _) if signal == Signal::SIGINT => Ended::Interrupted,
        (_, Some(9)) if signal == Signal::SIGKILL => Ended::Killed,
        (_, Some(2)) if signal == Signal::SIGINT => Ended::TooSoon,
        other => panic!("{run:?} ended with {other:?}"),
    }
}

/// Counts how often runs ended in each way, and prints that at the end of a test.
#[derive(Default)]
struct Tally([u64; 4]);

impl Tally {
    fn add(&mut self, ended: Ended) {
        self.0[ended as usize] += 1;
    }

    fn tell(&self, what: &str) {
        let [done, killed, interrupted, soon] = self.0;
        crate::tell(&format!(
            "{what}: {killed} killed, {interrupted} interrupted, {soon} before they began, {done} after their end"
        ));
    }
}

fn signal(rng: &mut Rng) -> Signal {
    if rng.below(2) == 0 { Signal::SIGKILL } else { Signal::SIGINT }
}

/// A moment of a run that took so long when it was left alone, early ones more often.
fn moment(needed: Duration, rng: &mut Rng) -> Duration {
    needed.mul_f64(1.1 * rng.unit() * rng.unit())
}

fn timed(mut run: Command) -> Duration {
    let begun = Instant::now();
    assert!(run.status().unwrap().success(), "{run:?}");
    begun.elapsed()
}

#[test]
fn a_killed_table_solve_resumes_to_the_same_files() {
    let place = tempfile::tempdir().unwrap();
    let whole = place.path().join("whole");
    let solve = |folder: &Path| {
        silent(&["solve", "antrin:4", "--strong", "--save-every", "0.01", "-q", "--table", text(folder)])
    };
    let needed = timed(solve(&whole));
    let expected = files(&whole);
    let (mut rng, mut tally) = (Rng::new(1), Tally::default());
    for round in 0..times() {
        let broken = place.path().join(format!("broken-{round}"));
        for _ in 0..1 + rng.below(3) {
            let mut run = solve(&broken);
            run.arg("--resume");
            let (signal, existed) = (signal(&mut rng), broken.exists());
            let ended = strike(run, signal, moment(needed, &mut rng));
            // A process that has begun to write ends in an orderly way when asked to.
            assert!(ended != Ended::TooSoon || existed || !broken.exists(), "round {round}");
            tally.add(ended);
        }
        let mut run = solve(&broken);
        assert!(run.arg("--resume").status().unwrap().success(), "round {round}");
        same_files(&files(&broken), &expected, &format!("round {round}"));
        std::fs::remove_dir_all(&broken).unwrap();
    }
    tally.tell("table solves");
}

fn values(path: &Path) -> Vec<u32> {
    let bytes = std::fs::read(path).unwrap();
    let read = sequence::read(&bytes).unwrap();
    assert_eq!(read.whole, bytes.len(), "the file ends with a whole block");
    read.values
}

#[test]
fn a_killed_grundy_run_resumes_to_the_same_values() {
    let place = tempfile::tempdir().unwrap();
    let whole = place.path().join("whole.grundy");
    let grundy = |file: &Path| silent(&["grundy", "0.007", "--to", "30000", "-q", "--out", text(file)]);
    let needed = timed(grundy(&whole));
    let expected = values(&whole);
    let (mut rng, mut tally, mut saved) = (Rng::new(2), Tally::default(), Vec::new());
    for round in 0..times() {
        let broken = place.path().join("broken.grundy");
        for _ in 0..1 + rng.below(3) {
            let mut run = grundy(&broken);
            run.arg("--resume");
            let (signal, existed) = (signal(&mut rng), broken.exists());
            // Half of the moments are so early that little is there to save.
            let after =
                if rng.below(2) == 0 { Duration::from_millis(rng.below(30) as u64) } else { moment(needed, &mut rng) };
            let ended = strike(run, signal, after);
            assert!(ended != Ended::TooSoon || existed || !broken.exists(), "round {round}");
            tally.add(ended);
            let known = std::fs::read(&broken).ok().and_then(|bytes| sequence::read(&bytes).ok());
            saved.push(known.map_or(0, |read| read.values.len()));
        }
        let mut run = grundy(&broken);
        assert!(run.arg("--resume").status().unwrap().success(), "round {round}");
        same(&values(&broken), &expected, &format!("round {round}"));
        std::fs::remove_file(&broken).unwrap();
    }
    tally.tell("grundy runs");
    let few = saved.iter().filter(|&&n| n < 4096).count();
    crate::tell(&format!("of {} interrupted files {few} held fewer than 4,096 heaps", saved.len()));
}

/// The first run ends after few heaps, whatever the speed of the machine.
#[test]
fn a_sequence_of_any_length_resumes_to_the_same_values() {
    let place = tempfile::tempdir().unwrap();
    let codes = ["0.007", "0.77", "grundy", "0.16", "0.8f", "4.7"];
    let to = |code: &str, n: usize, file: &Path| {
        let ran = crate::common::agon(&["grundy", code, "--to", &n.to_string(), "--out", text(file), "--resume", "-q"]);
        assert_eq!(ran.code, 0, "{code} to {n}: {}", ran.err);
    };
    let mut rng = Rng::new(3);
    for round in 0..times() {
        let code = codes[round as usize % codes.len()];
        let (first, last) = (rng.below(600), 600 + rng.below(600));
        let (broken, whole) =
            (place.path().join(format!("{round}-broken")), place.path().join(format!("{round}-whole")));
        to(code, first, &broken);
        to(code, last, &broken);
        to(code, last, &whole);
        same(&values(&broken), &values(&whole), &format!("{code}: {first} heaps, then {last}"));
    }
}

#[test]
fn a_killed_tournament_resumes_to_the_same_games() {
    let place = tempfile::tempdir().unwrap();
    let whole = place.path().join("whole.sqlite");
    let begin = |file: &Path| {
        silent(&["arena", "tak:4", "random", "weighted", "--games", "60", "--seed", "5", "-q", "--out", text(file)])
    };
    let needed = timed(begin(&whole));
    let expected = games(&whole);
    let (mut rng, mut tally) = (Rng::new(4), Tally::default());
    for round in 0..times() {
        let broken = place.path().join(format!("broken-{round}.sqlite"));
        // A person would type this: `--resume` once there is a file, else the command again.
        let run = || if broken.exists() { silent(&["arena", "-q", "--resume", text(&broken)]) } else { begin(&broken) };
        for _ in 0..1 + rng.below(3) {
            let signal = signal(&mut rng);
            let after =
                if rng.below(2) == 0 { Duration::from_millis(rng.below(20) as u64) } else { moment(needed, &mut rng) };
            let existed = broken.exists();
            let ended = strike(run(), signal, after);
            assert!(ended != Ended::TooSoon || existed || !broken.exists(), "round {round}");
            tally.add(ended);
        }
        let last = run().status().unwrap();
        assert!(last.success(), "round {round}: {last:?}");
        same(&games(&broken), &expected, &format!("round {round}"));
    }
    tally.tell("tournaments");
}
