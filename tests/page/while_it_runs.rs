//! The pages of an unfinished census, from its coordinator and from its directory.

use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;

use crate::page::html::check;
use crate::page::served::Served;
use crate::support::process::{Process, command};

const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// Server-sent events, as JSON.
struct Events(BufReader<std::net::TcpStream>);

impl Events {
    fn of(served: &Served) -> Self {
        let mut stream = served.connect();
        let request =
            "GET /api/v1/live/events HTTP/1.1\r\nHost: h\r\nAccept: text/event-stream\r\n\r\n";
        stream.write_all(request.as_bytes()).unwrap();
        Self(BufReader::new(stream))
    }

    /// Returns the first event from now on for which `is` holds.
    fn until(&mut self, is: impl Fn(&Value) -> bool) -> Value {
        let since = Instant::now();
        loop {
            assert!(since.elapsed() < WAIT_TIMEOUT, "nothing is said");
            let mut line = String::new();
            assert_ne!(self.0.read_line(&mut line).unwrap(), 0, "the events end");
            if let Some(data) = line.strip_prefix("data: ") {
                let live = serde_json::from_str(data).unwrap();
                if is(&live) {
                    return live;
                }
            }
        }
    }
}

#[test]
fn the_live_view_tells_of_a_census_from_its_beginning_to_its_end() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("census");
    let data = data.to_str().unwrap();
    let coordinator = Served::start(&[
        "coordinator",
        "--data",
        data,
        "--codes",
        "0.77,0.123,0.07,0.3",
        "--fuel",
        "20k",
        "--listen",
        "127.0.0.1:0",
        "--http",
        "127.0.0.1:0",
        "--keep-serving",
    ]);
    let beside = Served::start(&[
        "serve",
        "--data",
        data,
        "--listen",
        "127.0.0.1:0",
        "--normal-heaps",
        "100",
    ]);
    for served in [&coordinator, &beside] {
        let page = served.get("/live");
        let page = check(page.text()).unwrap();
        assert!(page.text.contains("waiting for workers"), "{}", page.text);
        assert!(
            page.text.contains("0 of 4 rulesets have a record"),
            "{}",
            page.text
        );
        check(served.get("/").text()).unwrap();
        let missing = served.get("/game/0.77");
        assert_eq!(missing.status, 404);
        assert!(
            missing.text().contains("not done yet"),
            "{}",
            missing.text()
        );
    }
    // Health and metrics are where they were.
    for address in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(coordinator.get(address).status, 200, "{address}");
    }
    let mut events = [Events::of(&coordinator), Events::of(&beside)];
    for events in &mut events {
        events.until(|live| live["state"] == "waiting for workers");
    }
    let address = std::fs::read_to_string(dir.path().join("census/endpoint")).unwrap();
    let url = format!("http://{address}");
    let worker = ["worker", "--coordinator", &url, "--slots", "1"];
    let _worker = Process(command(&worker).spawn().unwrap());
    for events in &mut events {
        // A second process sees commits some seconds later.
        let told = |live: &Value| live["events"].to_string().contains("joined");
        let live = events.until(|live| live["state"] == "finished" && told(live));
        assert_eq!(live["counters"]["pending"], 0, "{live}");
    }
    assert_eq!(coordinator.get("/game/0.77").status, 200);
    // A second process sees the census some seconds later.
    let since = Instant::now();
    while beside.get("/game/0.77").status != 200 {
        assert!(
            since.elapsed() < WAIT_TIMEOUT,
            "the census beside is not read again"
        );
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn stopped_it_ends_well() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("census");
    let data = data.to_str().unwrap();
    let missing = crate::support::process::output(&["serve", "--data", data]);
    assert_eq!(missing.status.code(), Some(1), "{missing:?}");
    let run = ["census", "run", "--codes", "0.3", "--data", data];
    assert!(crate::support::process::output(&run).status.success());
    let mut served = Served::start(&["serve", "--data", data, "--listen", "127.0.0.1:0"]);
    let taken =
        crate::support::process::output(&["serve", "--data", data, "--listen", &served.address]);
    assert_eq!(taken.status.code(), Some(1), "{taken:?}");
    assert!(
        String::from_utf8_lossy(&taken.stderr).starts_with("error: cannot listen on"),
        "{taken:?}"
    );
    served.process.signal(Signal::TERM);
    assert_eq!(served.process.ended(WAIT_TIMEOUT), Some(0));
}
