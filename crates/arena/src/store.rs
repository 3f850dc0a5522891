//! The file of a tournament: an SQLite database, which you can query yourself.
//!
//! The table `tournament` holds the plan; `game` holds one row per finished game. A game is written as soon as it ends,
//! so an interruption loses at most the games in progress.

use super::game::{Played, Proofs};
use super::plan::Plan;
use agon_core::Player;
use agon_report::VERSION;
use agon_report::failure::{Failure, Holds};
use agon_table::replace::{put_in_new_place, put_in_place};
use rusqlite::{Connection, OpenFlags, params};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// The value of the key `format`.
const FORMAT: &str = "agon-arena 1";

const TABLES: &str = "
CREATE TABLE tournament (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE game (
    id INTEGER PRIMARY KEY, pair INTEGER NOT NULL, first TEXT NOT NULL, second TEXT NOT NULL,
    result TEXT NOT NULL CHECK (result IN ('first', 'second', 'draw')), reason TEXT NOT NULL, note TEXT,
    plies INTEGER NOT NULL, seconds REAL NOT NULL, first_seed TEXT NOT NULL, second_seed TEXT NOT NULL,
    start TEXT NOT NULL, moves TEXT NOT NULL, record TEXT,
    first_proven INTEGER, first_unproven INTEGER, second_proven INTEGER, second_unproven INTEGER
);
CREATE VIEW by_reason AS
    SELECT first, second, result, reason, count(*) AS games, avg(plies) AS plies FROM game
    GROUP BY first, second, result, reason;
";

/// The columns that files of earlier versions lack.
const ADDED_COLUMNS: [&str; 4] = ["first_proven", "first_unproven", "second_proven", "second_unproven"];

/// All columns.
const COLUMNS: &str = "id, pair, first, second, result, reason, note, plies, seconds, first_seed, second_seed, start, \
                       moves, record, first_proven, first_unproven, second_proven, second_unproven";

/// The result of a game without its moves, for reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// The game's number.
    pub id: u64,
    /// The winner; `None` for a draw.
    pub winner: Option<Player>,
    /// The reason why it ended.
    pub reason: String,
    /// True if a player forfeited.
    pub forfeit: bool,
    /// Its length in plies.
    pub plies: u32,
    /// Proven and unproven moves of each side.
    pub proofs: [Proofs; 2],
}

impl From<&Played> for GameResult {
    fn from(played: &Played) -> GameResult {
        GameResult {
            id: played.id,
            winner: played.winner,
            reason: played.reason.clone(),
            forfeit: played.note.is_some(),
            plies: played.moves.len() as u32,
            proofs: played.proofs,
        }
    }
}

/// A row to be written.
pub struct Row {
    /// The game.
    pub played: Played,
    /// The game in the standard notation of its family, if there is one.
    pub record: Option<String>,
}

/// An open file.
pub struct Store {
    connection: Connection,
    /// The tournament.
    pub plan: Plan,
    names: Vec<String>,
}

/// Creates a database with the tables and the plan.
fn write_plan(path: &Path, plan: &Plan) -> Result<(), Failure> {
    let wrong = failed(path);
    let text = serde_json::to_string(plan).map_err(|error| Failure::Failed(error.to_string()))?;
    let _ = std::fs::remove_file(path);
    let fill = || {
        let connection = Connection::open(path)?;
        connection.execute_batch(&format!("BEGIN IMMEDIATE;{TABLES}"))?;
        let facts = [("format", FORMAT), ("agon", VERSION), ("rng", agon_core::Rng::NAME), ("plan", &text)];
        for (key, value) in facts {
            connection.execute("INSERT INTO tournament VALUES (?1, ?2)", params![key, value])?;
        }
        connection.execute_batch("COMMIT")?;
        connection.close().map_err(|(_, error)| error)
    };
    fill().map_err(wrong)
}

fn failed(path: &Path) -> impl Fn(rusqlite::Error) -> Failure {
    let path = path.to_path_buf();
    move |error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt) => {
            Failure::damaged(&path, error)
        }
        _ => Failure::Failed(format!("`{}`: {error}", path.display())),
    }
}

/// Fails if the path exists and is not a regular file.
fn regular(path: &Path) -> Result<(), Failure> {
    let Ok(facts) = std::fs::metadata(path) else { return Ok(()) };
    let what = match facts.file_type() {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_dir() => "a directory",
        kind => special(kind),
    };
    let path = path.display();
    Err(Failure::Failed(format!("`{path}` is {what}: expected a regular file that holds a tournament")))
}

/// The kind of a file that is neither regular nor a directory.
#[cfg(unix)]
fn special(kind: std::fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn special(_: std::fs::FileType) -> &'static str {
    "a device"
}

/// Removes the temporary files `FILE.PID.new`, with their journals, of processes that no longer exist: they were killed
/// before they could rename the file.
fn remove_stale(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else { return };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let stale = |entry: &str| {
        let rest = entry.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
        let (process, ending) = rest.and_then(|rest| rest.split_once('.')).unwrap_or_default();
        let ours = matches!(ending, "new" | "new-journal" | "new-wal" | "new-shm");
        ours && process.parse().is_ok_and(is_gone)
    };
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(stale) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Returns whether there is certainly no process with this id.
#[cfg(unix)]
fn is_gone(process: u32) -> bool {
    use nix::errno::Errno;
    let process = i32::try_from(process).ok().filter(|&process| process > 0);
    process
        .is_some_and(|process| nix::sys::signal::kill(nix::unistd::Pid::from_raw(process), None) == Err(Errno::ESRCH))
}

#[cfg(not(unix))]
fn is_gone(_: u32) -> bool {
    false
}

impl Store {
    /// Creates a new file; fails if it exists.
    pub fn create(path: &Path, plan: &Plan) -> Result<Store, Failure> {
        regular(path)?;
        // A process that was stopped before the first game may leave a file without tables, which counts as no file.
        if path.exists() && !is_empty_database(path).unwrap_or(false) {
            return Err(Failure::Exists { path: path.display().to_string(), holds: Holds::Tournament });
        }
        Store::fill(path, plan)
    }

    /// Opens the file of a tournament, or creates it.
    pub fn resume(path: &Path, plan: &Plan) -> Result<Store, Failure> {
        regular(path)?;
        if !path.exists() || is_empty_database(path).map_err(failed(path))? {
            return Store::fill(path, plan);
        }
        let store = Store::open(path)?;
        if store.plan == *plan { Ok(store) } else { Err(Failure::damaged(path, "it belongs to another tournament")) }
    }

    /// Creates the file. It gets its name only once it holds its plan, so that an interruption leaves no file that can
    /// be neither resumed nor created.
    fn fill(path: &Path, plan: &Plan) -> Result<Store, Failure> {
        let mut unfinished = path.as_os_str().to_owned();
        unfinished.push(format!(".{}.new", std::process::id()));
        let unfinished = PathBuf::from(unfinished);
        let made = write_plan(&unfinished, plan).and_then(|()| {
            // A link fails if another process was first; a file without tables is replaced.
            let placed = match path.exists() {
                true => put_in_place(&unfinished, path),
                false => put_in_new_place(&unfinished, path),
            };
            placed.map_err(|error| Failure::io(path, "write", error))
        });
        let _ = std::fs::remove_file(&unfinished);
        made?;
        Store::open(path)
    }

    /// Opens an existing file.
    pub fn open(path: &Path) -> Result<Store, Failure> {
        if !path.exists() {
            return Err(Failure::io(path, "read", "there is no such file"));
        }
        regular(path)?;
        remove_stale(path);
        let wrong = failed(path);
        let corrupt = |why: &str| Failure::damaged(path, format!("it is not a tournament of agon: {why}"));
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags).map_err(&wrong)?;
        prepare(&mut connection).map_err(&wrong)?;
        if has_no_tables(&connection).map_err(&wrong)? {
            return Err(Failure::Failed(format!(
                "`{}` contains no tournament yet: it was stopped before its first game; start it again",
                path.display()
            )));
        }
        let fact = |key: &str| {
            let found = connection.query_row("SELECT value FROM tournament WHERE key = ?1", [key], |row| row.get(0));
            found.map_err(|error: rusqlite::Error| match error {
                rusqlite::Error::QueryReturnedNoRows => corrupt(&format!("it has no {key}")),
                other if other.sqlite_error_code() == Some(rusqlite::ErrorCode::Unknown) => corrupt(&other.to_string()),
                other => failed(path)(other),
            })
        };
        let format: String = fact("format")?;
        if format != FORMAT {
            return Err(corrupt(&format!("its format is `{format}`, not `{FORMAT}`")));
        }
        let plan = Plan::read(&fact("plan")?).map_err(|why| corrupt(&why))?;
        add_newer_columns(&connection).map_err(&wrong)?;
        let names = plan.names();
        Ok(Store { connection, plan, names })
    }

    /// Writes games in one transaction.
    pub fn insert(&mut self, rows: &[Row]) -> Result<(), Failure> {
        let (plan, names) = (&self.plan, &self.names);
        let write = |connection: &mut Connection| {
            let transaction = connection.transaction()?;
            {
                let marks = (1..=18).map(|i| format!("?{i}")).collect::<Vec<_>>().join(", ");
                let mut insert = transaction.prepare(&format!("INSERT INTO game ({COLUMNS}) VALUES ({marks})"))?;
                for Row { played, record } in rows {
                    let slot = plan.slot(played.id);
                    let seed = |seat: usize| plan.player_seed(&slot, seat).to_string();
                    let proofs = |seat: usize| played.proofs[seat].promised();
                    insert.execute(params![
                        played.id as i64,
                        slot.pair as i64,
                        names[slot.seats[0]],
                        names[slot.seats[1]],
                        played.winner.map_or("draw", Player::name),
                        played.reason,
                        played.note,
                        played.moves.len() as i64,
                        played.seconds,
                        seed(0),
                        seed(1),
                        played.from,
                        played.moves.join(" "),
                        record,
                        proofs(0).map(|proofs| proofs.proven as i64),
                        proofs(0).map(|proofs| proofs.unproven as i64),
                        proofs(1).map(|proofs| proofs.proven as i64),
                        proofs(1).map(|proofs| proofs.unproven as i64),
                    ])?;
                }
            }
            transaction.commit()
        };
        write(&mut self.connection).map_err(|error| Failure::Failed(format!("cannot store a game: {error}")))
    }

    /// All results so far, sorted by number.
    pub fn results(&self) -> Result<Vec<GameResult>, Failure> {
        let read = || {
            let mut select = self.connection.prepare(&format!(
                "SELECT id, result, reason, note IS NOT NULL, plies, {} FROM game ORDER BY id",
                ADDED_COLUMNS.join(", ")
            ))?;
            let rows = select.query_map([], |row| {
                let result: String = row.get(1)?;
                let number =
                    |at: usize| -> rusqlite::Result<u64> { Ok(row.get::<_, Option<i64>>(at)?.unwrap_or(0) as u64) };
                Ok(GameResult {
                    id: row.get::<_, i64>(0)? as u64,
                    winner: Player::BOTH.into_iter().find(|p| p.name() == result),
                    reason: row.get(2)?,
                    forfeit: row.get(3)?,
                    plies: row.get(4)?,
                    proofs: [
                        Proofs { proven: number(5)?, unproven: number(6)? },
                        Proofs { proven: number(7)?, unproven: number(8)? },
                    ],
                })
            })?;
            rows.collect::<rusqlite::Result<Vec<GameResult>>>()
        };
        let results = read().map_err(|error| Failure::damaged_text(format!("cannot read the games: {error}")))?;
        match results.last() {
            Some(last) if last.id >= self.plan.total() => {
                Err(Failure::damaged_text(format!("game {} does not belong to this tournament", last.id)))
            }
            _ => Ok(results),
        }
    }

    /// The newest games with their moves, at most `most`.
    pub fn games(&self, most: usize) -> Result<Vec<serde_json::Value>, Failure> {
        let read = || {
            let text = format!(
                "SELECT id, first, second, result, reason, plies, start, moves, {} FROM game ORDER BY id DESC LIMIT ?1",
                ADDED_COLUMNS.join(", ")
            );
            let mut select = self.connection.prepare(&text)?;
            let rows = select.query_map([most as i64], |row| {
                let word = |i: usize| row.get::<_, String>(i);
                let number = |i: usize| row.get::<_, Option<i64>>(i);
                Ok(serde_json::json!({
                    "id": row.get::<_, i64>(0)?, "first": word(1)?, "second": word(2)?, "result": word(3)?,
                    "reason": word(4)?, "plies": row.get::<_, i64>(5)?, "start": word(6)?, "moves": word(7)?,
                    "first_proven": number(8)?, "first_unproven": number(9)?,
                    "second_proven": number(10)?, "second_unproven": number(11)?,
                }))
            })?;
            rows.collect::<rusqlite::Result<Vec<serde_json::Value>>>()
        };
        read().map_err(|error| Failure::damaged_text(format!("cannot read the games: {error}")))
    }

    /// Copies the games of another file; returns the number of new games.
    pub fn take(&mut self, path: &Path) -> Result<usize, Failure> {
        let other = Store::open(path)?;
        if other.plan != self.plan {
            let with_these = Plan { files: self.plan.files.clone(), ..other.plan.clone() };
            let file = other.plan.files.difference(&self.plan.files).filter(|_| with_these == self.plan);
            let why = file.map_or(String::new(), |file| format!(": it was started with a different `{file}`"));
            return Err(Failure::Usage(format!("`{}` belongs to another tournament{why}", path.display())));
        }
        other.results()?;
        drop(other);
        let wrong = failed(path);
        let name = path.to_string_lossy();
        self.connection.execute("ATTACH DATABASE ?1 AS other", [name.as_ref()]).map_err(&wrong)?;
        let taken = self.take_attached(path);
        self.connection.execute_batch("DETACH DATABASE other").map_err(&wrong)?;
        taken
    }

    fn take_attached(&self, path: &Path) -> Result<usize, Failure> {
        let wrong = failed(path);
        let differ = "SELECT min(a.id) FROM main.game a JOIN other.game b USING (id) \
                      WHERE (a.result, a.reason, a.start, a.moves) <> (b.result, b.reason, b.start, b.moves)";
        let first: Option<i64> = self.connection.query_row(differ, [], |row| row.get(0)).map_err(&wrong)?;
        if let Some(id) = first {
            let path = path.display();
            return Err(Failure::Failed(format!("`{path}`: game {id} exists already, with other moves")));
        }
        self.connection
            .execute(
                &format!("INSERT OR IGNORE INTO main.game ({COLUMNS}) SELECT {COLUMNS} FROM other.game ORDER BY id"),
                [],
            )
            .map_err(&wrong)
    }
}

impl Drop for Store {
    /// Removes the journal, so that one file is left.
    fn drop(&mut self) {
        let _ = self.connection.execute_batch("PRAGMA journal_mode = DELETE");
    }
}

/// Returns whether a database has no tables because its process was stopped early.
fn is_empty_database(path: &Path) -> rusqlite::Result<bool> {
    let mut connection = Connection::open(path)?;
    connection.busy_handler(Some(wait))?;
    has_no_tables(&connection)
}

fn has_no_tables(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) = 0 FROM sqlite_master", [], |row| row.get(0))
}

/// Adds the columns that a file of an earlier version lacks.
fn add_newer_columns(connection: &Connection) -> rusqlite::Result<()> {
    let mut select = connection.prepare("SELECT name FROM pragma_table_info('game')")?;
    let there = select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    for column in ADDED_COLUMNS.iter().filter(|column| !there.iter().any(|name| name == *column)) {
        connection.execute_batch(&format!("ALTER TABLE game ADD COLUMN {column} INTEGER"))?;
    }
    Ok(())
}

/// The callback for waiting. SQLite calls a plain function when it waits, so the callback is global.
static ON_WAIT: OnceLock<fn(&str)> = OnceLock::new();

/// Sets the callback for a message when agon waits for a file that another process has locked.
pub fn when_waiting(tell: fn(&str)) {
    let _ = ON_WAIT.set(tell);
}

/// The time between two attempts to lock a file.
const LOCK_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Waits for a lock, at most ten seconds; calls the callback after five attempts.
fn wait(times: i32) -> bool {
    const NOTICE_AFTER: i32 = 5;
    if let Some(tell) = ON_WAIT.get().filter(|_| times == NOTICE_AFTER) {
        tell("the tournament file is locked by another process; waiting up to 10 s for it");
    }
    std::thread::sleep(LOCK_POLL_INTERVAL);
    times < 200
}

/// Sets write-ahead logging: written games survive a crash, and other processes can read meanwhile.
fn prepare(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.busy_handler(Some(wait))?;
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")
}
