//! A small client of the DevTools protocol that drives a browser.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use crate::support::process::Process;

const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// A browser with one tab.
pub(crate) struct Browser {
    socket: WebSocket<TcpStream>,
    session: Option<String>,
    next: u64,
    /// The addresses that the page has requested so far.
    pub(crate) asked: Vec<String>,
    /// The complaints of the browser: scripts that failed, things that the policy forbids.
    pub(crate) complaints: Vec<String>,
    _process: Process,
    _profile: tempfile::TempDir,
}

/// A way to show pages: size and colour scheme of a tab.
#[derive(Clone, Copy)]
pub(crate) struct Viewport {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) is_phone: bool,
    pub(crate) is_dark: bool,
}

/// A page on a desk.
pub(crate) const DESK: Viewport = Viewport {
    width: 1280,
    height: 900,
    is_phone: false,
    is_dark: false,
};

/// A page on a phone.
pub(crate) const PHONE: Viewport = Viewport {
    width: 390,
    height: 844,
    is_phone: true,
    is_dark: false,
};

impl Browser {
    pub(crate) fn start() -> Self {
        let profile = tempfile::tempdir().unwrap();
        let program = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
        let child = Command::new(&program)
            .arg("--headless=new")
            // In containers and as root there is no other choice; the browser shows only our own
            // pages.
            .args([
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
            ])
            .args([
                "--no-first-run",
                "--disable-background-networking",
                "--force-device-scale-factor=1",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(["--remote-debugging-port=0", "about:blank"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("cannot start {program} ({error}); install it: apt-get install chromium")
            });
        let mut process = Process(child);
        let mut lines = BufReader::new(process.0.stderr.take().unwrap()).lines();
        let url = lines.find_map(|line| {
            let line = line.unwrap();
            Some(line.split_once("DevTools listening on ")?.1.to_owned())
        });
        let url = url.expect("the browser says where it listens");
        std::thread::spawn(move || lines.for_each(drop));
        let address = url
            .strip_prefix("ws://")
            .unwrap()
            .split('/')
            .next()
            .unwrap();
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(WAIT_TIMEOUT)).unwrap();
        let (socket, _) = tungstenite::client(&url, stream).unwrap();
        let mut browser = Self {
            socket,
            session: None,
            next: 0,
            asked: Vec::new(),
            complaints: Vec::new(),
            _process: process,
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Calls a method of the protocol and waits for its result.
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        let answer = self.answer(method, parameters);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Calls a method of the protocol and waits for its answer, which may be an error.
    fn answer(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut message = json!({ "id": id, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.socket
            .send(Message::text(message.to_string()))
            .unwrap();
        loop {
            let message = self.read();
            if message["id"] == id {
                return message;
            }
        }
    }

    fn read(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                let message: Value = serde_json::from_str(&text).unwrap();
                let parameters = &message["params"];
                match message["method"].as_str() {
                    Some("Network.requestWillBeSent") => {
                        let url = parameters["request"]["url"].as_str().unwrap();
                        self.asked.push(url.to_owned());
                    }
                    Some("Runtime.exceptionThrown") => {
                        self.complaints.push(parameters.to_string());
                    }
                    // The network also reports an answer that is not 200; the test may have
                    // requested it.
                    Some("Log.entryAdded") if parameters["entry"]["source"] != "network" => {
                        self.complaints.push(parameters["entry"].to_string());
                    }
                    _ => {}
                }
                return message;
            }
        }
    }

    pub(crate) fn open(&mut self, url: &str) {
        let opened = self.call("Page.navigate", json!({ "url": url }));
        assert!(opened["errorText"].is_null(), "{url}: {opened}");
        // The call returns when the new page has begun.
        self.until("document.readyState === 'complete'");
    }

    /// Returns the value of an expression on the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let value = self.value_unless_gone(expression);
        value.unwrap_or_else(|| panic!("{expression}: the page gave way to another one"))
    }

    /// Returns the value of an expression on the page.
    ///
    /// Returns `None` if another page replaced the page before it answered.
    fn value_unless_gone(&mut self, expression: &str) -> Option<Value> {
        let asked =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.answer("Runtime.evaluate", asked);
        if answer["error"]["message"] == "Inspected target navigated or closed" {
            return None;
        }
        assert!(answer["error"].is_null(), "{expression}: {answer}");
        let result = &answer["result"];
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {result}"
        );
        Some(result["result"]["value"].clone())
    }

    pub(crate) fn text(&mut self, expression: &str) -> String {
        self.value(expression)
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Waits until an expression on the page is true.
    pub(crate) fn until(&mut self, expression: &str) {
        let since = Instant::now();
        // While one page replaces another there may be nothing to query.
        let safely =
            format!("(() => {{ try {{ return {expression}; }} catch {{ return false; }} }})()");
        while self.value_unless_gone(&safely) != Some(json!(true)) {
            assert!(since.elapsed() < WAIT_TIMEOUT, "never: {expression}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits for the page to which something just done leads.
    pub(crate) fn until_at(&mut self, path: &str) {
        self.until(&format!(
            "document.readyState === 'complete' && location.pathname === {path:?}"
        ));
    }

    pub(crate) fn look(&mut self, look: Viewport) {
        let Viewport {
            width,
            height,
            is_phone,
            is_dark,
        } = look;
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let scheme = if is_dark { "dark" } else { "light" };
        let media = json!({ "media": "", "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.call("Emulation.setEmulatedMedia", media);
    }

    /// Returns the middle of the first element that a selector names, scrolled into view.
    fn middle(&mut self, selector: &str) -> (f64, f64) {
        let place = self.value(&format!(
            "(() => {{ const it = document.querySelector({selector:?}); it.scrollIntoView({{ block: 'center' }}); \
             const box = it.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; }})()"
        ));
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    pub(crate) fn point_at(&mut self, selector: &str) {
        let (x, y) = self.middle(selector);
        self.call(
            "Input.dispatchMouseEvent",
            json!({ "type": "mouseMoved", "x": x, "y": y }),
        );
    }

    pub(crate) fn click(&mut self, selector: &str) {
        let (x, y) = self.middle(selector);
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", button);
        }
    }

    pub(crate) fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Enter" => (13, "\r"),
            "Escape" => (27, ""),
            "Tab" => (9, ""),
            "End" => (35, ""),
            "Home" => (36, ""),
            "ArrowLeft" => (37, ""),
            "ArrowUp" => (38, ""),
            "ArrowRight" => (39, ""),
            "ArrowDown" => (40, ""),
            other => panic!("what is {other}?"),
        };
        let mut event =
            json!({ "type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code });
        if !text.is_empty() {
            event["text"] = json!(text);
        }
        self.call("Input.dispatchKeyEvent", event.clone());
        event["type"] = json!("keyUp");
        self.call("Input.dispatchKeyEvent", event);
    }

    pub(crate) fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    pub(crate) fn scripts(&mut self, are_run: bool) {
        self.call(
            "Emulation.setScriptExecutionDisabled",
            json!({ "value": !are_run }),
        );
    }

    /// Saves a picture of the window.
    pub(crate) fn picture(&mut self, name: &str) {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let bytes = decoded(shot["data"].as_str().unwrap());
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("screenshots");
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join(format!("{name}.png")), bytes).unwrap();
    }
}

/// Decodes Base64, in which the protocol sends pictures.
fn decoded(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|&c| c != b'=').map(value).collect();
    let mut bytes = Vec::with_capacity(digits.len());
    for four in digits.chunks(4) {
        let word = four.iter().enumerate().fold(0_u32, |word, (at, &digit)| {
            word | u32::from(digit) << (18 - 6 * at)
        });
        bytes.extend(&word.to_be_bytes()[1..four.len()]);
    }
    bytes
}
