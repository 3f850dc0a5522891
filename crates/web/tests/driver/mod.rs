//! A browser for tests. Tests wait for what a page shows and never assume it.

use crate::common::{Gate, TEST_TIMEOUT, start_with};
use axum::http::Method;
use fantoccini::actions::{InputSource as _, KeyAction, KeyActions, MouseActions, PointerAction};
use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::wd::{WebDriverCompatibleCommand, WindowHandle};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use url::Url;

/// The time between two polls of a page.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A browser with its driver, and the server it visits.
pub(crate) struct Browser {
    runtime: Runtime,
    client: Option<Client>,
    driver: Child,
    home: String,
    /// Lets the players of tournaments move.
    pub(crate) gate: Gate,
    _profile: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            let _ = self.runtime.block_on(client.close());
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// A command outside the WebDriver standard.
#[derive(Debug)]
struct Own(&'static str, Value);

impl WebDriverCompatibleCommand for Own {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.0))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.1.to_string()))
    }
}

impl Browser {
    pub(crate) fn start() -> Browser {
        let profile = tempfile::tempdir().unwrap();
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .env("HOME", profile.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed");
        let mut said = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = said.find_map(|line| {
            let line = line.ok()?;
            line.split_once("successfully on port ")?.1.trim_end_matches('.').parse::<u16>().ok()
        });
        // The driver stops if its output is not read.
        std::thread::spawn(move || said.for_each(drop));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let gate = Gate::default();
        let home = std::env::var("AGON_HOME").unwrap_or_else(|_| format!("http://{}", start_with(None, gate.clone())));
        let mut browser = Browser { runtime, client: None, driver, home, gate, _profile: profile };
        let folder = format!("--user-data-dir={}", browser._profile.path().display());
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--window-size=1280,900",
            &folder,
        ];
        let wanted = json!({"browserName": "chrome", "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"}});
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(wanted.as_object().unwrap().clone());
        let address = format!("http://127.0.0.1:{}", port.expect("the port of the driver"));
        browser.client = Some(browser.runtime.block_on(builder.connect(&address)).expect("a browser"));
        browser
    }

    fn client(&self) -> &Client {
        self.client.as_ref().expect("a browser that runs")
    }

    /// Waits for an answer of the driver.
    fn wait<T>(&self, asked: impl Future<Output = Result<T, CmdError>>) -> T {
        self.runtime.block_on(asked).unwrap_or_else(|error| panic!("{error}"))
    }

    fn own(&self, path: &'static str, body: Value) -> Value {
        self.wait(self.client().issue_cmd(Own(path, body)))
    }

    /// Retries until it works: an element may be missing or covered for a while.
    fn try_until<T>(&self, what: &str, mut step: impl AsyncFnMut(&Client) -> Result<T, CmdError>) -> T {
        let begun = Instant::now();
        loop {
            match self.runtime.block_on(step(self.client())) {
                Ok(done) => return done,
                Err(error @ CmdError::Standard(_)) => {
                    assert!(begun.elapsed() < TEST_TIMEOUT, "in vain: {what}: {error}; {}", self.page());
                    std::thread::sleep(POLL_INTERVAL);
                }
                Err(error) => panic!("{what}: {error}"),
            }
        }
    }

    /// The text of the page, for error messages.
    fn page(&self) -> String {
        let text = self.runtime.block_on(self.client().execute("return document.body.innerText", Vec::new()));
        text.ok().and_then(|text| text.as_str().map(String::from)).unwrap_or_default()
    }

    pub(crate) fn open(&self, path: &str) {
        self.wait(self.client().goto(&format!("{}{path}", self.home)));
    }

    /// Opens the page of a game and waits until it is ready.
    pub(crate) fn play(&self, path: &str) {
        self.open(path);
        self.until("document.body.dataset.ready === 'yes'");
    }

    pub(crate) fn run(&self, script: &str) -> Value {
        self.wait(self.client().execute(script, Vec::new()))
    }

    /// Lets the server find out what it is asked for, so that it is known when a page asks.
    pub(crate) fn know(&self, path: &str) {
        let script = "const [path, done] = arguments; fetch(path).then((answer) => done(answer.status), () => done(0))";
        let status = self.wait(self.client().execute_async(script, vec![path.into()]));
        assert_eq!(status, 200, "{path}");
    }

    /// What a script answers later, by calling `done`.
    pub(crate) fn later(&self, script: &str) -> Value {
        let script = format!("const done = arguments[arguments.length - 1]; {script}");
        self.wait(self.client().execute_async(&script, Vec::new()))
    }

    /// Waits until the expression is true. Where it breaks, something is not there yet.
    pub(crate) fn until(&self, expression: &str) {
        let script = format!("try {{ return Boolean({expression}) }} catch {{ return false }}");
        let begun = Instant::now();
        while !matches!(self.runtime.block_on(self.client().execute(&script, Vec::new())), Ok(Value::Bool(true))) {
            assert!(begun.elapsed() < TEST_TIMEOUT, "in vain: {expression}; {}", self.page());
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// Waits until the expression has that value.
    pub(crate) fn shows(&self, expression: &str, value: impl Into<Value>) {
        self.until(&format!("({expression}) === {}", value.into()));
    }

    /// The value of an expression about what is there already.
    pub(crate) fn see(&self, expression: &str) -> Value {
        self.run(&format!("return {expression}"))
    }

    /// Does something with an element as soon as that is possible.
    fn with(&self, css: &str, mut step: impl AsyncFnMut(Element) -> Result<(), CmdError>) {
        self.try_until(css, async |client| step(client.find(Locator::Css(css)).await?).await);
    }

    pub(crate) fn click(&self, css: &str) {
        self.with(css, async |element| element.click().await);
    }

    pub(crate) fn write(&self, css: &str, text: &str) {
        self.with(css, async |element| element.send_keys(text).await);
    }

    /// Keys to whatever has the focus.
    pub(crate) fn keys(&self, keys: &[char]) {
        let press =
            |acts: KeyActions, &value: &char| acts.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        let acts = keys.iter().fold(KeyActions::new("keys".into()), press);
        self.wait(self.client().perform_actions(acts));
    }

    /// Clicks the place of that name.
    pub(crate) fn place(&self, label: &str) {
        self.click(&format!("#board .hit[aria-label^=\"{label},\"]"));
    }

    pub(crate) fn status(&self, wanted: &str) {
        self.until(&format!("document.getElementById('status').textContent.startsWith({wanted:?})"));
    }

    pub(crate) fn size(&self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.own("goog/cdp/execute", json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": size}));
        self.until(&format!("innerWidth === {width}"));
    }

    pub(crate) fn dark(&self, dark: bool) {
        self.media("prefers-color-scheme", if dark { "dark" } else { "light" });
    }

    pub(crate) fn media(&self, name: &str, value: &str) {
        let params = json!({"features": [{"name": name, "value": value}]});
        self.own("goog/cdp/execute", json!({"cmd": "Emulation.setEmulatedMedia", "params": params}));
        self.until(&format!("matchMedia('({name}: {value})').matches"));
    }

    /// Shows the page as it is printed, or no longer.
    pub(crate) fn printed(&self, printed: bool) {
        let params = json!({"media": if printed { "print" } else { "" }});
        self.own("goog/cdp/execute", json!({"cmd": "Emulation.setEmulatedMedia", "params": params}));
        self.until(&format!("matchMedia('print').matches === {printed}"));
    }

    /// Points at something.
    pub(crate) fn hover(&self, css: &str) {
        self.try_until(css, async |client| {
            let element = client.find(Locator::Css(css)).await?;
            let to = PointerAction::MoveToElement { element, duration: None, x: 0.0, y: 0.0 };
            client.perform_actions(MouseActions::new("mouse".into()).then(to)).await
        });
    }

    /// Drags from one element to another.
    pub(crate) fn drag(&self, from: &str, to: &str) {
        self.try_until(from, async |client| {
            let (from, to) = (client.find(Locator::Css(from)).await?, client.find(Locator::Css(to)).await?);
            let step = |element: Element, x: f64| PointerAction::MoveToElement { element, duration: None, x, y: 0.0 };
            let acts = MouseActions::new("mouse".into())
                .then(step(from.clone(), 0.0))
                .then(PointerAction::Down { button: 0 })
                .then(step(from, 12.0))
                .then(step(to, 0.0))
                .then(PointerAction::Up { button: 0 });
            client.perform_actions(acts).await
        });
    }

    /// A new tab, and to it.
    pub(crate) fn new_tab(&self) -> WindowHandle {
        let tab = self.wait(self.client().new_window(true)).handle;
        self.go_to_tab(&tab);
        tab
    }

    pub(crate) fn tab(&self) -> WindowHandle {
        self.wait(self.client().window())
    }

    pub(crate) fn go_to_tab(&self, tab: &WindowHandle) {
        self.wait(self.client().switch_to_window(tab.clone()));
    }

    pub(crate) fn close_tab(&self) {
        self.wait(self.client().close_window());
    }

    /// A picture in `screenshots/`.
    pub(crate) fn shoot(&self, name: &str) {
        let dir = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../screenshots"));
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join(format!("{name}.png")), self.wait(self.client().screenshot())).unwrap();
    }

    /// Asserts that no fault stayed invisible: no blocked script or style, no failed request.
    pub(crate) fn is_quiet(&self) {
        let log = self.own("se/log", json!({"type": "browser"}));
        let bad = |entry: &&Value| {
            entry["level"] == "SEVERE" && !entry["message"].as_str().unwrap_or("").contains("status of 4")
        };
        let bad: Vec<&Value> = log.as_array().into_iter().flatten().filter(bad).collect();
        assert!(bad.is_empty(), "{bad:?}");
    }
}
