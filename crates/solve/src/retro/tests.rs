use super::*;
use crate::fixpoint;
use agon_core::indexed::Indexed as _;
use agon_core::solver::{Failed, Solver};
use agon_core::toy::Graph;
use agon_core::{Family, Game};
use agon_games::mill::board::Board;
use agon_games::mill::ranking::Counts;
use agon_games::mill::{Bar, Blocked, Early, Fly, Line, Mill, Rules};
use agon_table::Writer;

/// Every position that can be reached has the value that plain repetition gives it.
fn agrees<G: BulkIndexed>(game: &G, name: &str) -> Retro<G> {
    let retro = Retro::solve(game, 1 << 30, &Ctx::default().with_threads(2)).unwrap();
    let slow = fixpoint::solve(game, &game.start(), &Ctx::default()).unwrap();
    for (pos, value) in &slow {
        assert_eq!(retro.value(game, pos), Some(*value), "{name}: {pos:?}");
    }
    retro
}

#[test]
fn graphs_with_cycles_are_valued() {
    for (text, value) in [
        ("a:b b:a", Value::DRAW),
        ("a:+,b b:a", Value::win_in(1)),
        ("a:b b:a,-", Value::loss_in(2)),
        ("a:b b:c c:+", Value::win_in(3)),
        ("a:b b:c,a c:+", Value::DRAW),
        ("a:b,c b:- c:d d:+,e e:a", Value::win_in(3)),
        ("a:b,= b:a,-", Value::DRAW),
        ("a:b,c b:- c:d d:e e:a,-", Value::loss_in(4)),
    ] {
        let graph = Graph::new(text);
        assert_eq!(agrees(&graph, text).value(&graph, &graph.start()), Some(value), "{text}");
    }
}

fn game(text: &str) -> Mill {
    Mill::from_spelling(text).unwrap().0
}

#[test]
fn small_line_games_agree_under_every_rule() {
    for blocked in ["loses", "passes", "draws"] {
        for early in ["wins", "ignored", "forbidden"] {
            let name = format!("antrin:3,blocked={blocked},early={early}");
            let antrin = game(&name);
            let retro = agrees(&antrin, &name);
            if early == "wins" {
                // The whole game is a draw whatever a blocked player does.
                assert_eq!(retro.value(&antrin, &antrin.start()), Some(Value::DRAW), "{name}");
            }
        }
    }
    agrees(&game("achi:men=3"), "achi of three");
    agrees(&game("rota"), "rota");
    agrees(&game("tant-fant"), "tant-fant");
    agrees(&game("tsoro-yematatu"), "tsoro-yematatu");
}

#[test]
fn variants_of_the_presets_agree() {
    for name in [
        "antrin:3,men=2,fly=always,bar=first",
        "antrin:3,men=4,line=captures,fly=at3",
        "picaria:points=13",
        "picaria:bar=placing,blocked=passes",
        "tant-fant:lines=diagonals",
        "tant-fant:start=placed,early=forbidden",
        "shisima:blocked=draws",
        "tsoro-yematatu:men=2,early=ignored",
    ] {
        agrees(&game(name), name);
    }
}

#[test]
fn small_games_with_captures_agree() {
    for (fly, mixed, blocked) in [
        (Fly::Never, false, Blocked::Loses),
        (Fly::AtThree, false, Blocked::Passes),
        (Fly::AtThree, true, Blocked::Draws),
    ] {
        let rules = Rules {
            men: 4,
            line: Line::Captures,
            fly,
            blocked,
            early: Early::Wins,
            bar: Bar::None,
            mixed,
            start: None,
        };
        agrees(&Mill::new(Board::rings(1, false, true), rules), &format!("{rules:?}"));
    }
}

#[test]
fn threads_do_not_change_a_table() {
    let four = game("antrin:4");
    let solve = |threads| Retro::solve(&four, 1 << 30, &Ctx::default().with_threads(threads)).unwrap();
    let (one, two) = (solve(1), solve(2));
    assert!(one.shards().iter().all(|&shard| one.table(shard) == two.table(shard)));
}

#[test]
fn too_little_memory_is_refused_before_the_work() {
    let five = game("antrin:5");
    assert!(matches!(Retro::solve(&five, 1 << 20, &Ctx::default()), Err(NoTable::Memory(n)) if n > 1 << 27));
}

/// Solving everything into a directory.
fn job<'a>(spelling: &'a str, folder: &'a std::path::Path) -> folder::Job<'a> {
    folder::Job {
        spelling,
        rules: None,
        folder,
        resume: false,
        memory: 1 << 30,
        due: &|| false,
        saved: &|| {},
        damaged: &|_| {},
        among_others: false,
        patience: std::time::Duration::ZERO,
        worker: None,
    }
}

/// A clock that says it is time to save at every `n`th moment.
fn each(n: usize) -> impl Fn() -> bool {
    let asked = std::cell::Cell::new(0usize);
    move || {
        asked.set(asked.get() + 1);
        asked.get().is_multiple_of(n)
    }
}

/// Every file but records, which say when their tables were made.
fn files(folder: &std::path::Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter(|path| path.extension().is_none_or(|ending| ending != "json"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into(), std::fs::read(&path).unwrap()))
        .collect()
}

#[test]
fn tables_on_disk_are_those_in_memory_and_survive_being_stopped_anywhere() {
    let name = "antrin:4";
    let four = game(name);
    let memory = Retro::solve(&four, 1 << 30, &Ctx::default()).unwrap();
    let place = tempfile::tempdir().unwrap();
    let solve = |folder: &std::path::Path, resume: bool, ctx: &Ctx, due: &dyn Fn() -> bool| {
        let job = folder::Job { resume, due, ..job(name, folder) };
        folder::solve(&four, &four.components(), &job, ctx)
    };
    let whole = place.path().join("whole");
    assert!(solve(&whole, false, &Ctx::default().with_threads(2), &|| false).is_ok());
    assert!(matches!(solve(&whole, false, &Ctx::default(), &|| false), Err(NoTable::Exists(_))));
    let disk = Retro::open(&four, name, &whole).unwrap();
    assert_eq!(disk.shards(), memory.shards());
    for &shard in disk.shards() {
        assert_eq!(disk.header(shard).unwrap(), Some(memory.stats(&four, &[shard]).unwrap()));
        assert_eq!(disk.recount(&four, shard, 2).unwrap(), Some(memory.stats(&four, &[shard]).unwrap()));
        for index in (0..four.shard_size(shard)).step_by(97) {
            let at = TableIndex { shard, index, stabiliser: 1 };
            assert_eq!(disk.code(&at), memory.code(&at));
        }
    }
    // Stopped after ever more work, with a checkpoint at every second opportunity, and resumed.
    let again = place.path().join("again");
    let (mut nodes, mut stops) = (1, 0);
    loop {
        let ctx = Ctx::default().with_threads(2).with_budget(nodes);
        match solve(&again, true, &ctx, &each(2)) {
            Ok(_) => break,
            Err(NoTable::Stopped(_)) => (nodes, stops) = (nodes + 400, stops + 1),
            Err(other) => panic!("{other:?}"),
        }
    }
    assert!(stops > 5, "{stops}");
    assert_eq!(files(&again), files(&whole));
}

/// Nothing is saved while the work goes on, and each run is told to stop at once: what it saves then is all there is.
#[test]
fn work_that_is_told_to_stop_continues_where_it_stopped() {
    let name = "antrin:4";
    let four = game(name);
    let place = tempfile::tempdir().unwrap();
    let solve = |folder: &std::path::Path, ctx: &Ctx| {
        folder::solve(&four, &four.components(), &folder::Job { resume: true, ..job(name, folder) }, ctx)
    };
    let (whole, again) = (place.path().join("whole"), place.path().join("again"));
    solve(&whole, &Ctx::default()).unwrap();
    let stops = (0..100_000).find(|_| match solve(&again, &Ctx::default().with_threads(2).with_budget(1)) {
        Ok(_) => true,
        Err(NoTable::Stopped(_)) => false,
        Err(other) => panic!("{other:?}"),
    });
    assert!(stops.is_some_and(|stops| stops > 20), "{stops:?}");
    assert_eq!(files(&again), files(&whole));
}

/// Solves the components of a directory one after the other, each by several processes, which are threads. Each is told
/// to stop after `nodes` units of work. Returns the bytes that were sent.
fn together<P: peers::Peers>(
    game: &Mill,
    name: &str,
    folder: &std::path::Path,
    lines: Vec<impl FnOnce() -> P + Send>,
    closed: impl Fn(P) + Sync,
    nodes: u64,
) -> Result<u64, NoTable> {
    let work = |mut line: P| {
        let ctx = Ctx::default().with_budget(nodes);
        let due = each(3);
        let job = folder::Job { resume: true, among_others: true, due: &due, ..job(name, folder) };
        let result = folder::solve_together(game, &game.components(), &job, &mut line, &ctx);
        closed(line);
        result.map(|(done, sent)| {
            assert_eq!(done.found + done.solved, game.components().concat().len());
            sent.bytes
        })
    };
    let work = &work;
    let results: Vec<_> = std::thread::scope(|scope| {
        let jobs: Vec<_> = lines.into_iter().map(|line| scope.spawn(move || work(line()))).collect();
        jobs.into_iter().map(|job| job.join().unwrap()).collect()
    });
    let all: Vec<u64> = results.into_iter().collect::<Result<_, _>>()?;
    assert!(all.iter().all(|&bytes| bytes == all[0]), "all know what all have sent");
    Ok(all[0])
}

/// The same with processes that have channels to one another.
fn by_channels(
    game: &Mill,
    name: &str,
    folder: &std::path::Path,
    processes: usize,
    nodes: u64,
) -> Result<u64, NoTable> {
    let lines = peers::channels::connected(processes).into_iter().map(|line| move || line).collect();
    together(game, name, folder, lines, drop, nodes)
}

#[test]
fn several_processes_write_the_tables_of_one_and_continue_the_work_of_any_number() {
    let name = "antrin:4";
    let four = game(name);
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    folder::solve(&four, &four.components(), &job(name, &at("whole")), &Ctx::default()).unwrap();
    let whole = files(&at("whole"));
    for processes in [1, 2, 4] {
        let folder = at(&format!("by {processes}"));
        let bytes = by_channels(&four, name, &folder, processes, u64::MAX).unwrap();
        assert_eq!(bytes > 0, processes > 1);
        assert!(files(&folder) == whole, "{processes} processes");
        assert_eq!(Retro::open(&four, name, &folder).unwrap().shards().len(), four.components().concat().len());
    }
    // Stopped again and again, and continued by another number of processes, or by one that works alone.
    let (again, mut nodes, mut stops) = (at("again"), 1, 0);
    loop {
        let result = match stops % 4 {
            3 => {
                let ctx = Ctx::default().with_budget(nodes);
                let job = folder::Job { resume: true, ..job(name, &again) };
                folder::solve(&four, &four.components(), &job, &ctx).map(|_| 0)
            }
            other => by_channels(&four, name, &again, [2, 3, 1][other], nodes),
        };
        match result {
            Ok(_) => break,
            Err(NoTable::Stopped(_)) => (nodes, stops) = (nodes + 200, stops + 1),
            Err(other) => panic!("{other:?}"),
        }
    }
    assert!(stops > 8, "{stops}");
    assert!(files(&again) == whole, "{:?}", files(&again).keys());
}

/// Processes on timely dataflow, over the loopback interface.
#[cfg(feature = "timely")]
mod network {
    use super::*;
    use peers::Peers as _;
    use peers::network::Network;
    use std::net::TcpListener;
    use std::time::{Duration, Instant};

    const PATIENCE: Duration = Duration::from_secs(60);

    fn lines(processes: usize) -> Vec<impl FnOnce() -> Network + Send> {
        let listeners: Vec<TcpListener> = (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let addresses: Vec<String> =
            listeners.iter().map(|listener| listener.local_addr().unwrap().to_string()).collect();
        let line = |(process, listener): (usize, TcpListener)| {
            let addresses = addresses.clone();
            move || Network::connect(&listener, &addresses, process, PATIENCE).unwrap()
        };
        listeners.into_iter().enumerate().map(line).collect()
    }

    #[test]
    fn several_processes_write_the_tables_of_one() {
        let name = "antrin:4";
        let four = game(name);
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        folder::solve(&four, &four.components(), &job(name, &at("whole")), &Ctx::default()).unwrap();
        for processes in [1, 2, 4] {
            let folder = at(&format!("by {processes}"));
            let bytes = together(&four, name, &folder, lines(processes), Network::close, u64::MAX).unwrap();
            assert_eq!(bytes > 0, processes > 1);
            assert!(files(&folder) == files(&at("whole")), "{processes} processes");
        }
        let again = at("again");
        let (mut stops, mut nodes) = (0, 1);
        while let Err(NoTable::Stopped(_)) =
            together(&four, name, &again, lines([2, 4, 1][stops % 3]), Network::close, nodes)
        {
            (stops, nodes) = (stops + 1, nodes + 1000);
        }
        assert!(stops > 3, "{stops}");
        assert!(files(&again) == files(&at("whole")));
    }

    #[test]
    fn a_process_that_is_lost_ends_the_work_of_the_others() {
        let begun = Instant::now();
        std::thread::scope(|scope| {
            for line in lines(3) {
                scope.spawn(|| {
                    let mut line = line();
                    let mut rounds = 0;
                    let lost = loop {
                        if line.process() == 1 && rounds == 10 {
                            return;
                        }
                        match line.end_round(rounds) {
                            Ok(words) => assert_eq!(words, [rounds; 3]),
                            Err(lost) => break lost,
                        }
                        if let Err(lost) = line.send((line.process() + 1) % 3, vec![7]) {
                            break lost;
                        }
                        rounds += 1;
                    };
                    // One process learns that a round has ended before another one does.
                    assert!(rounds == 9 || rounds == 10, "{rounds}");
                    // The first to notice may have gone before another one looks.
                    assert!(lost.0.starts_with("process ") && lost.0.contains(" is lost: "), "{lost:?}");
                });
            }
        });
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    }

    #[test]
    fn a_process_that_never_calls_is_not_waited_for_for_ever() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let addresses = [listener.local_addr().unwrap().to_string(), "127.0.0.1:1".to_string()];
        let short = Duration::from_millis(300);
        let why = Network::connect(&listener, &addresses, 0, short).unwrap_err().0;
        assert!(why.contains("process 1 has not called"), "{why}");
        let closed = [addresses[1].clone(), addresses[0].clone()];
        let why = Network::connect(&listener, &closed, 1, short).unwrap_err().0;
        assert!(why.contains("process 0 cannot be reached at `127.0.0.1:1`"), "{why}");
    }
}

#[test]
fn a_damaged_block_is_told_and_no_value_comes_from_it() {
    let name = "antrin:3";
    let three = game(name);
    let place = tempfile::tempdir().unwrap();
    let job = job(name, place.path());
    folder::solve(&three, &three.components(), &job, &Ctx::default()).unwrap();
    let start = three.start();
    let path = place.path().join(format!("{}.agt", three.shard_name(three.shard(&start))));
    let mut bytes = std::fs::read(&path).unwrap();
    let head = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap();
    bytes[head + 3] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let retro = Retro::open(&three, name, place.path()).unwrap();
    assert!(matches!(LookUp(Arc::new(retro)).solve(&three, &start, &Ctx::default()), Err(Failed::Damaged { .. })));
    let retro = Retro::open(&three, name, place.path()).unwrap();
    assert!(matches!(retro.look_up(&three, &start), Err(BadFile::Damaged { .. })));
    // A file that is cut short is not opened at all.
    std::fs::write(&path, b"agon-table 1\n").unwrap();
    assert!(matches!(Retro::open(&three, name, place.path()), Err(NoTable::File(BadFile::Damaged { .. }))));
}

#[test]
fn tables_of_another_game_are_never_written_over() {
    let (three, other) = (game("antrin:3"), game("antrin:3,blocked=draws"));
    let place = tempfile::tempdir().unwrap();
    folder::solve(&three, &three.components(), &job("antrin:3", place.path()), &Ctx::default()).unwrap();
    let before = files(place.path());
    let resumed = |game: &Mill, spelling: &str| {
        let job = folder::Job { resume: true, ..job(spelling, place.path()) };
        folder::solve(game, &game.components(), &job, &Ctx::default())
    };
    let refused = resumed(&other, "antrin:3,blocked=draws");
    assert!(matches!(&refused, Err(NoTable::Folder(why)) if why.contains("holds tables of antrin:3,")), "{refused:?}");
    assert_eq!(files(place.path()), before);
    // Neither is unfinished work.
    for path in before.keys().filter(|name| name.ends_with(".agt")) {
        std::fs::remove_file(place.path().join(path)).unwrap();
    }
    let unfinished = [("kind", "unfinished 2".to_string()), ("game", "antrin:4".to_string())];
    Writer::create(&place.path().join("unfinished.agp"), &unfinished).unwrap().finish().unwrap();
    assert!(matches!(resumed(&three, "antrin:3"), Err(NoTable::Folder(why)) if why.contains("tables of antrin:4,")));
}

#[test]
fn a_directory_with_a_stray_table_is_refused() {
    let three = game("antrin:3");
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    folder::solve(&three, &three.components(), &job("antrin:3", place.path()), &Ctx::default()).unwrap();
    let corrupt = |needle: &str| {
        let opened = Retro::open(&three, "antrin:3", place.path()).err();
        let Some(NoTable::File(bad @ BadFile::Damaged { .. })) = opened else { panic!("{opened:?}") };
        assert!(bad.to_string().contains(needle), "{bad}");
        let job = folder::Job { resume: true, ..job("antrin:3", place.path()) };
        assert!(folder::solve(&three, &three.components(), &job, &Ctx::default()).is_err());
    };
    std::fs::copy(at("3-3.agt"), at("junk.agt")).unwrap();
    corrupt("junk.agt`: it is table 3-3 of antrin:3 under another name");
    let stray = [("game", "antrin:3".to_string()), ("shard", "junk".to_string())];
    Writer::create(&at("junk.agt"), &stray).unwrap().finish().unwrap();
    corrupt("junk.agt`: it is not a table of antrin:3");
    let foreign = [("game", "antrin:4".to_string()), ("shard", "4-4".to_string())];
    Writer::create(&at("junk.agt"), &foreign).unwrap().finish().unwrap();
    corrupt("mixes tables of antrin:3 and of antrin:4");
    assert!(matches!(folder::game_of(place.path()), Err(NoTable::File(BadFile::Damaged { .. }))));
    std::fs::remove_file(at("junk.agt")).unwrap();
    assert_eq!(folder::game_of(place.path()), Ok(("antrin:3".to_string(), None)));
}

#[test]
fn damaged_tables_are_solved_again_on_resume() {
    let three = game("antrin:3");
    let place = tempfile::tempdir().unwrap();
    folder::solve(&three, &three.components(), &job("antrin:3", place.path()), &Ctx::default()).unwrap();
    let before = files(place.path());
    for (name, whole) in before.iter().filter(|(name, _)| name.ends_with(".agt")) {
        let mut bytes = whole.clone();
        let head = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap();
        bytes[head + 3] ^= 1;
        std::fs::write(place.path().join(name), bytes).unwrap();
        let told = std::cell::RefCell::new(Vec::new());
        let damaged = |why: &str| told.borrow_mut().push(why.to_string());
        let job = folder::Job { resume: true, damaged: &damaged, ..job("antrin:3", place.path()) };
        let done = folder::solve(&three, &three.components(), &job, &Ctx::default()).unwrap();
        assert!(done.solved > 0 && done.found + done.solved == before.len() - 1, "{done:?}");
        assert!(told.borrow().len() == 1 && told.borrow()[0].contains(name.as_str()), "{told:?}");
        assert_eq!(files(place.path()), before);
    }
}

#[test]
fn only_what_a_table_leads_to_is_needed() {
    let six = game("morris:six");
    let shard = |own, other| Counts { own, other, own_hand: 0, other_hand: 0 };
    let components = folder::needed(&six, Some(shard(4, 4)));
    assert_eq!(components, [vec![shard(3, 3)], vec![shard(3, 4), shard(4, 3)], vec![shard(4, 4)]]);
    assert!(folder::estimate(&six, &components) < folder::estimate(&six, &six.components()));
}
