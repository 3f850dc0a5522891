//! Processes that reach one another over TCP, on timely dataflow.
//!
//! The dataflow has one input, of messages, and one exchange, by receiver. A round is an epoch: its end is the frontier
//! that timely's progress tracking computes. States stay where they are, so nothing of a game enters the dataflow. Timely
//! has no recovery: a process that is lost ends the work of all, which continues from its last checkpoint.

use super::{Lost, Peers};
use socket2::{SockRef, TcpKeepalive};
use std::collections::{BTreeMap, VecDeque};
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::Thread;
use std::time::{Duration, Instant};
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::zero_copy::stream::Stream;
use timely::communication::{Allocator, AllocatorBuilder, Hooks, WorkerGuards, initialize_from};
use timely::dataflow::operators::{Exchange as _, Inspect as _, Probe as _};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::{Config, Worker};

/// The first bytes that a process sends to another one.
const GREETING: &[u8; 8] = b"agon-1\r\n";
/// The longest time between two attempts to reach a process that is not there yet.
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(50);
/// The longest time without a look at the state of the lines.
const TICK: Duration = Duration::from_millis(50);
/// A line on which nothing is acknowledged for this long is lost.
const SILENCE: Duration = Duration::from_secs(8);

/// A message: its receiver, its sender, and what a process says at the end of a round, or else a batch.
type Message = (u64, u64, Option<u64>, Vec<u8>);

/// What the thread of the dataflow is asked to do.
enum Order {
    Send(usize, Vec<u8>),
    EndRound(u64),
}

/// What it answers.
enum Answer {
    Batch(Vec<u8>),
    Ended(Vec<u64>),
}

/// The state of the lines to all others.
#[derive(Debug, Default)]
struct Lines {
    /// Why a process is lost.
    lost: Mutex<Option<String>>,
    /// True once the last round has begun. A process that has seen its end may go.
    last: AtomicBool,
    /// True if a process has gone in the last round.
    gone: AtomicBool,
    /// The thread of the dataflow.
    thread: OnceLock<Thread>,
}

impl Lines {
    fn check(&self) -> Result<(), Lost> {
        match &*self.lost.lock().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(()),
            Some(why) => Err(Lost(why.clone())),
        }
    }
}

/// One end of a line. Timely's threads panic when a line breaks; this notes it instead and never returns to them.
#[derive(Debug)]
struct Line {
    stream: TcpStream,
    peer: usize,
    lines: Arc<Lines>,
}

impl Line {
    fn broken(&self, why: &str) {
        if self.lines.last.load(Relaxed) {
            self.lines.gone.store(true, Relaxed);
            return;
        }
        let mut lost = self.lines.lost.lock().unwrap_or_else(PoisonError::into_inner);
        lost.get_or_insert_with(|| format!("process {} is lost: {why}", self.peer));
        drop(lost);
        loop {
            std::thread::park();
        }
    }
}

impl Read for Line {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let read = self.stream.read(bytes);
        match &read {
            Ok(0) => self.broken("it closed the connection"),
            Err(error) if error.kind() != ErrorKind::Interrupted => self.broken(&error.to_string()),
            _ => {}
        }
        read
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.stream.write(bytes);
        match &written {
            Err(error) if error.kind() != ErrorKind::Interrupted => self.broken(&error.to_string()),
            _ => {}
        }
        // In the last round nobody waits for these bytes any more.
        written.or_else(|error| if error.kind() == ErrorKind::Interrupted { Err(error) } else { Ok(bytes.len()) })
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Line {
    fn try_clone(&self) -> std::io::Result<Line> {
        Ok(Line { stream: self.stream.try_clone()?, peer: self.peer, lines: Arc::clone(&self.lines) })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> std::io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> std::io::Result<()> {
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}

/// A line to processes that are reached over TCP.
pub struct Network {
    process: usize,
    processes: usize,
    orders: Option<Sender<Order>>,
    answers: Receiver<Answer>,
    batches: VecDeque<Vec<u8>>,
    lines: Arc<Lines>,
    streams: Vec<TcpStream>,
    threads: Option<WorkerGuards<()>>,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({} of {})", self.process, self.processes)
    }
}

impl Network {
    /// Connects this process with all others: it calls those with lower numbers at their addresses, such as
    /// `node7:4000`, and `listener` waits for those with higher ones, for at most `patience`.
    pub fn connect(
        listener: &TcpListener,
        addresses: &[String],
        process: usize,
        patience: Duration,
    ) -> Result<Network, Lost> {
        let processes = addresses.len();
        let lines = Arc::new(Lines::default());
        let sockets = greet(listener, addresses, process, Instant::now() + patience)?;
        let cannot = |error: std::io::Error| Lost(format!("cannot use a connection: {error}"));
        let (mut streams, mut ends) = (Vec::new(), Vec::new());
        for (peer, socket) in sockets.into_iter().enumerate() {
            let Some(stream) = socket else {
                ends.push(None);
                continue;
            };
            settings(&stream).map_err(cannot)?;
            streams.push(stream.try_clone().map_err(cannot)?);
            ends.push(Some(Line { stream, peer, lines: Arc::clone(&lines) }));
        }
        let hooks = Hooks::default();
        let local = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (builders, guard) = initialize_networking_from_sockets(local, ends, process, 1, hooks).map_err(cannot)?;
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
        let ((orders, orders_in), (answers_out, answers)) = (channel(), channel());
        // The thread takes its ends of the channels; timely may start only functions that it could start again.
        let ends = Mutex::new(Some((orders_in, answers_out)));
        let shared = Arc::clone(&lines);
        let run = move |allocator: Allocator| {
            let ends = ends.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some((orders, answers)) = ends {
                let _ = shared.thread.set(std::thread::current());
                dataflow(allocator, process, &orders, answers, &shared);
            }
        };
        let threads = initialize_from(builders, Box::new(guard), run).map_err(Lost)?;
        Ok(Network {
            process,
            processes,
            orders: Some(orders),
            answers,
            batches: VecDeque::new(),
            lines,
            streams,
            threads: Some(threads),
        })
    }

    /// Ends the work. Every process calls this when all have finished, or all have stopped.
    pub fn close(mut self) {
        self.lines.last.store(true, Relaxed);
        let _ = self.end_round(0);
        self.orders = None;
        self.wake();
        // Waits for the threads, which send what is left.
        drop(self.threads.take());
    }

    fn order(&self, order: Order) -> Result<(), Lost> {
        self.lines.check()?;
        let sent = self.orders.as_ref().is_some_and(|orders| orders.send(order).is_ok());
        self.wake();
        if sent { Ok(()) } else { Err(Lost("the thread of the dataflow has ended".to_string())) }
    }

    fn wake(&self) {
        self.lines.thread.get().into_iter().for_each(Thread::unpark);
    }
}

impl Drop for Network {
    /// Without [`Network::close`], the others notice that this process is lost.
    fn drop(&mut self) {
        if let Some(threads) = self.threads.take() {
            for stream in &self.streams {
                let _ = stream.shutdown(Shutdown::Both);
            }
            // Its threads may wait for ever.
            std::mem::forget(threads);
        }
    }
}

impl Peers for Network {
    fn process(&self) -> usize {
        self.process
    }

    fn processes(&self) -> usize {
        self.processes
    }

    fn send(&mut self, to: usize, batch: Vec<u8>) -> Result<(), Lost> {
        self.order(Order::Send(to, batch))
    }

    fn receive(&mut self) -> Result<Option<Vec<u8>>, Lost> {
        while let Ok(Answer::Batch(batch)) = self.answers.try_recv() {
            self.batches.push_back(batch);
        }
        Ok(self.batches.pop_front())
    }

    fn end_round(&mut self, word: u64) -> Result<Vec<u64>, Lost> {
        self.order(Order::EndRound(word))?;
        loop {
            match self.answers.recv_timeout(TICK) {
                Ok(Answer::Batch(batch)) => self.batches.push_back(batch),
                Ok(Answer::Ended(words)) => return Ok(words),
                Err(RecvTimeoutError::Timeout) => self.lines.check()?,
                Err(RecvTimeoutError::Disconnected) => {
                    self.lines.check()?;
                    return Err(Lost("the thread of the dataflow has ended".to_string()));
                }
            }
        }
    }
}

/// The thread of the dataflow: follows orders until there can be no more, or a process is lost.
fn dataflow(allocator: Allocator, process: usize, orders: &Receiver<Order>, answers: Sender<Answer>, lines: &Lines) {
    let processes = allocator.peers();
    let mut worker = Worker::new(Config::default(), allocator, None);
    let (mut input, probe) = (InputHandle::new(), ProbeHandle::new());
    // What was said in each round that has not ended.
    let words: std::rc::Rc<std::cell::RefCell<BTreeMap<u64, Vec<u64>>>> = Default::default();
    let (said, batches) = (std::rc::Rc::clone(&words), answers.clone());
    worker.dataflow::<u64, _, _>(|scope| {
        input
            .to_stream(scope)
            .container::<Vec<Message>>()
            .exchange(|message: &Message| message.0)
            .inspect_time(move |round, (_, from, word, batch)| match word {
                Some(word) => {
                    let mut said = said.borrow_mut();
                    said.entry(*round).or_insert_with(|| vec![0; processes])[*from as usize] = *word;
                }
                // Nobody listens any more if the work has failed.
                None => drop(batches.send(Answer::Batch(batch.clone()))),
            })
            .probe_with(&probe);
    });
    let mut round = 0;
    loop {
        match orders.try_recv() {
            Ok(Order::Send(to, batch)) => {
                input.send((to as u64, process as u64, None, batch));
                input.flush();
            }
            Ok(Order::EndRound(word)) => {
                (0..processes as u64).for_each(|to| input.send((to, process as u64, Some(word), Vec::new())));
                let ended = round;
                round += 1;
                input.advance_to(round);
                while probe.less_than(&round) && !lines.gone.load(Relaxed) {
                    if lines.check().is_err() {
                        return abandon(worker);
                    }
                    worker.step_or_park(Some(TICK));
                }
                let said = words.borrow_mut().remove(&ended).unwrap_or_default();
                let _ = answers.send(Answer::Ended(said));
            }
            Err(TryRecvError::Empty) => {
                if lines.check().is_err() {
                    return abandon(worker);
                }
                worker.step_or_park(Some(TICK));
            }
            Err(TryRecvError::Disconnected) => return,
        }
    }
}

/// Ends the thread without the farewells to a process that is lost.
fn abandon(worker: Worker) {
    std::mem::forget(worker);
}

/// Settings with which a line that is cut is noticed.
fn settings(stream: &TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(None)?;
    let socket = SockRef::from(stream);
    let keepalive = TcpKeepalive::new().with_time(SILENCE / 2);
    #[cfg(any(target_os = "linux", target_os = "macos", target_os = "freebsd", target_os = "windows"))]
    let keepalive = keepalive.with_interval(SILENCE / 8);
    #[cfg(any(target_os = "linux", target_os = "macos", target_os = "freebsd"))]
    let keepalive = keepalive.with_retries(4);
    socket.set_tcp_keepalive(&keepalive)?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(SILENCE))?;
    Ok(())
}

/// Connects this process with all others, each greeting the other with its number.
fn greet(
    listener: &TcpListener,
    addresses: &[String],
    process: usize,
    until: Instant,
) -> Result<Vec<Option<TcpStream>>, Lost> {
    let mut sockets: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
    for (peer, address) in addresses.iter().enumerate().take(process) {
        sockets[peer] = Some(loop {
            let why = match call(address) {
                Ok(mut stream) => match hello(&mut stream, process, addresses.len(), true) {
                    Ok(other) if other == peer => break stream,
                    Ok(other) => format!("process {other} is there"),
                    Err(error) => error.to_string(),
                },
                Err(error) => error.to_string(),
            };
            if Instant::now() >= until {
                return Err(Lost(format!("process {peer} cannot be reached at `{address}`: {why}")));
            }
            std::thread::sleep(BETWEEN_ATTEMPTS);
        });
    }
    let cannot = |error: std::io::Error| Lost(format!("cannot wait for other processes: {error}"));
    listener.set_nonblocking(true).map_err(cannot)?;
    while let Some(missing) = (process + 1..addresses.len()).find(|&peer| sockets[peer].is_none()) {
        match listener.accept() {
            Ok((mut stream, _)) => {
                // Anybody may call; only a process of this work knows how to greet.
                let greeted = stream.set_nonblocking(false);
                let other = greeted.and_then(|()| hello(&mut stream, process, addresses.len(), false));
                if let Ok(other) = other
                    && other > process
                {
                    sockets[other] = Some(stream);
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if Instant::now() >= until {
                    return Err(Lost(format!("process {missing} has not called")));
                }
                std::thread::sleep(BETWEEN_ATTEMPTS / 5);
            }
            Err(error) => return Err(cannot(error)),
        }
    }
    Ok(sockets)
}

/// Calls an address, for a few seconds.
fn call(address: &str) -> std::io::Result<TcpStream> {
    let mut last = std::io::Error::new(ErrorKind::NotFound, "the name has no address");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, SILENCE) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Exchanges greetings; the caller speaks first. Returns the number of the other process.
fn hello(stream: &mut TcpStream, process: usize, processes: usize, speaks: bool) -> std::io::Result<usize> {
    stream.set_read_timeout(Some(SILENCE))?;
    let mut own = GREETING.to_vec();
    own.extend((process as u64).to_le_bytes());
    own.extend((processes as u64).to_le_bytes());
    let mut other = vec![0; own.len()];
    if speaks {
        stream.write_all(&own)?;
    }
    stream.read_exact(&mut other)?;
    if !speaks {
        stream.write_all(&own)?;
    }
    let number = |at: usize| u64::from_le_bytes(other[at..at + 8].try_into().unwrap_or_default()) as usize;
    if other[..8] != own[..8] || number(16) != processes || number(8) >= processes {
        return Err(std::io::Error::new(ErrorKind::InvalidData, "it is not a process of this work"));
    }
    Ok(number(8))
}
