//! A census that is served, and a client that queries it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use crate::support::process::{Process, command, command_that_ends_with_us, output};

/// The time limit of an answer.
const WAIT_TIMEOUT: Duration = Duration::from_secs(30);

/// Encodes text as a part of an address.
pub(crate) fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A process that serves pages.
pub(crate) struct Served {
    pub(crate) process: Process,
    pub(crate) address: String,
}

/// The answer to a request.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Returns a header, if it is there.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

impl Served {
    /// Starts a command that says `… http://ADDRESS` when it serves.
    pub(crate) fn start(args: &[&str]) -> Self {
        Self::said_by(command(args))
    }

    /// Starts a command that prints its address.
    pub(crate) fn said_by(mut command: Command) -> Self {
        let mut process = Process(command.stderr(Stdio::piped()).spawn().unwrap());
        let said = process.0.stderr.take().unwrap();
        let mut lines = BufReader::new(said).lines();
        let address = lines.find_map(|line| {
            let line = line.unwrap();
            let (_, address) = line.split_once("http://")?;
            Some(address.trim_end_matches('/').to_owned())
        });
        // The process must not wait for a reader of its output.
        std::thread::spawn(move || lines.for_each(drop));
        Self {
            address: address.expect("it says where it serves"),
            process,
        }
    }

    /// Returns the address of a page.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "")
    }

    /// Returns the answer where the redirects end.
    pub(crate) fn followed(&self, path: &str) -> Answer {
        let mut path = path.to_owned();
        for _ in 0..4 {
            let answer = self.get(&path);
            match answer.header("location") {
                Some(location) => path = location.to_owned(),
                None => return answer,
            }
        }
        panic!("{path}: too many redirects");
    }

    pub(crate) fn ask(&self, method: &str, path: &str, headers: &str) -> Answer {
        let mut stream = self.connect();
        let host = &self.address;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        let end = all.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("{path}: {}", String::from_utf8_lossy(&all)));
        let head = String::from_utf8(all[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer {
            status,
            head,
            body: all[end + 4..].to_vec(),
        }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(WAIT_TIMEOUT)).unwrap();
        stream
    }
}

/// The codes of the small census: wild, tame, under two codes, infinite, exhausted, finite.
const CODES: &str = "0.77,4.4,0.123,0.3,0.07,0.005,0.14,0.75,{*2,{*2,0}},grundy";

/// Returns a small census, finished and served; once for all tests.
pub(crate) fn small() -> &'static Served {
    static SMALL: OnceLock<(Served, tempfile::TempDir)> = OnceLock::new();
    let (served, _) = SMALL.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("census");
        let data = data.to_str().unwrap();
        let run = [
            "census", "run", "--codes", CODES, "--fuel", "40k", "--data", data,
        ];
        let done = output(&run);
        assert!(done.status.success(), "{done:?}");
        let atlas = atlas(dir.path(), &[data]);
        let serve = [
            "serve",
            "--data",
            data,
            "--atlas",
            &atlas,
            "--listen",
            "127.0.0.1:0",
            "--normal-heaps",
            "200",
        ];
        (Served::said_by(command_that_ends_with_us(&serve)), dir)
    });
    served
}

/// Writes the atlas of all quotients of order at most 12 in some censuses; returns the file.
pub(crate) fn atlas(dir: &Path, censuses: &[&str]) -> String {
    let path = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let (list, atlas) = (path("12.json"), path("atlas.json"));
    let said = |args: &[&str], file: &str| {
        let done = output(args);
        assert!(done.status.success(), "{done:?}");
        std::fs::write(file, done.stdout).unwrap();
    };
    said(&["classify", "--order", "12", "--json"], &list);
    let mut report = vec!["report", "atlas", "--json", "--list", &list];
    censuses
        .iter()
        .for_each(|data| report.extend(["--data", data]));
    said(&report, &atlas);
    atlas
}
