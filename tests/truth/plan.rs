//! The codes that are queried, and their census.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use misere_census::Budget;
use misere_engine::quotient::{Limits, Strategy};
use misere_game::ruleset::Code;
use serde_json::Value;
use tempfile::TempDir;

use crate::page::served::Served;
use crate::support::process::{document, done, output};
use crate::truth::witnesses::Truth;

/// Codes by the reason for which they are here, each game with some of its other names.
const SMALL: [&str; 18] = [
    // Finitely many live heaps, which move by different numbers: 1 and 2, 2 and 3, 1 and 3, 2
    // and 4.
    "0.1,0.01,0.001,0.11,0.011,0.101,0.0101,0.1001,*2",
    // Tame and solved, with heaps one and two larger, one to three smaller, or the same.
    "0.2,0.3,0.21,0.7,4.2,4.01,0.02,0.03,0.13,0.021,0.05,0.107,0.22,0.33,0.23",
    "0.24,0.307,0.31,0.201,0.73,4.02,4.22,0.002,0.003,0.013,0.113,0.012,0.103",
    "0.022,0.032,0.133,0.373,0.602,0.707,4.04",
    // Wild and solved: Kayles, and others whose preperiods are listed under other names.
    "0.77,4.4,4.6,4.43,0.771,0.44,0.46,0.074,0.077,0.044,0.046,0.644,0.645",
    "0.241,0.317,0.243,0.123,0.75,0.712,0.34,0.15,0.53,0.115,0.152,4.56",
    // Identical heap for heap, and proved infinite.
    "0.017,0.041,0.043,0.404,0.405,0.444,0.445,0.005",
    // Diverging.
    "0.6,0.37,0.61,0.06,0.036,0.062,0.14",
    // Tame relative to a heap.
    "0.56,0.562,0.777,4.44,4.46",
    // Growing.
    "0.26,0.27,0.337,0.54,0.542,0.737,4.06",
    // Exhausted, with this fuel.
    "0.4,0.42,0.137,0.04,0.007,0.17,0.41,0.45,0.177,0.051,0.117,0.173,0.412,0.204,0.214",
    // Hexadecimal, with one heap more or less.
    "8.2,0.3F,8.4,0.0F,0.1F,8.01,C.2,0.7F,0.A,0.A1",
    // The other names, and one game of every form of the language of rules.
    "nim,laskers-nim,subtract(1,2,5),subtract(allbut 2,3),splittles(1,3),splittles(allbut 2)",
    "4?.0,4=.3,0.{0,1,2!},0.&12;!,0.G,0.003[30],0.(31)^2,heaps(0;1;2;3,2+2;;5,1+1+1)",
    // No take-and-break games.
    "grundy",
    "{*2,0}",
    "{*2,{*2,0}}",
    "{*3,{*2},*2,0}",
];

/// The number of codes up to which everything is queried.
const MIN_TRUTHS: usize = 20;

/// A census whose every fact is queried.
pub(crate) struct Census {
    /// Its directory.
    pub(crate) data: String,
    /// The budget of every game.
    pub(crate) budget: Budget,
    /// All codes of the plan, aliases included, each with the truth about it.
    pub(crate) truths: Vec<Truth>,
    /// A directory for files beside the census.
    pub(crate) scratch: TempDir,
    served: OnceLock<Served>,
}

impl Census {
    /// Returns the hundred codes.
    pub(crate) fn small() -> Self {
        let codes = SMALL.join(",");
        Self::made(&["--codes", &codes, "--fuel", "150k", "--evidence", "60k"])
    }

    /// Returns Dawson's Kayles, until it diverges.
    pub(crate) fn dawson() -> Self {
        // Kayles is there for the tables that list only solved games.
        let codes = "0.4,0.07,0.137,0.42,0.77,4.4";
        Self::made(&["--codes", codes, "--fuel", "900k", "--evidence", "1"])
    }

    /// Returns all octal games of three digits: the census given, or one with a fifth of the fuel.
    pub(crate) fn three_digits() -> Self {
        match std::env::var("MISERE_TRUTH_CENSUS") {
            Ok(data) => Self::of(data, tempfile::tempdir().unwrap()),
            Err(_) => Self::made(&["--digits", "3", "--fuel", "2M"]),
        }
    }

    fn made(plan: &[&str]) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let data = scratch.path().join("census").to_str().unwrap().to_owned();
        let run = output(&[&["census", "run", "--data", &data], plan].concat());
        assert!(run.status.success(), "{run:?}");
        Self::of(data, scratch)
    }

    fn of(data: String, scratch: TempDir) -> Self {
        let summary = document(&["report", "summary", "--json", "--data", &data]);
        let number = |name: &str| summary["plan"][name].as_u64().unwrap();
        let budget = Budget {
            fuel: number("fuel"),
            limits: Limits {
                max_heap: number("max_heap") as u32,
                max_order: number("max_order") as u32,
                max_copies: number("max_copies") as u32,
                max_evidence: number("max_evidence"),
            },
            strategy: Strategy::default(),
        };
        let codes = codes_of(&data);
        assert_eq!(summary["codes"].as_u64(), Some(codes.len() as u64));
        let truths = truths(&codes, budget);
        Self {
            data,
            budget,
            truths,
            scratch,
            served: OnceLock::new(),
        }
    }

    /// Returns the census, served.
    pub(crate) fn served(&self) -> &Served {
        self.served.get_or_init(|| {
            Served::start(&[
                "serve",
                "--data",
                &self.data,
                "--listen",
                "127.0.0.1:0",
                "--normal-heaps",
                "300",
            ])
        })
    }

    /// Reports whether surfaces that take a process for each answer are queried for only some
    /// codes.
    pub(crate) fn is_large(&self) -> bool {
        self.truths.len() > MIN_TRUTHS
    }

    /// Returns the truth about a code.
    pub(crate) fn truth(&self, code: &str) -> Option<&Truth> {
        self.truths
            .iter()
            .find(|truth| truth.code.to_string() == code)
    }

    /// Returns the output of the command on the census, as JSON.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        document(&[args, &["--data", &self.data]].concat())
    }

    /// Returns the output of the command on the census.
    pub(crate) fn text(&self, args: &[&str]) -> String {
        done(&[args, &["--data", &self.data]].concat())
    }
}

/// Returns all codes of a census, aliases included.
fn codes_of(data: &str) -> Vec<Code> {
    let all = document(&["query", "--json", "--data", data]);
    let mut codes = BTreeMap::new();
    for record in all["records"].as_array().unwrap() {
        let aliases = record["aliases"].as_array().unwrap();
        for code in aliases.iter().chain([&record["code"]]) {
            let text = code.as_str().unwrap();
            codes.insert(text.to_owned(), text.parse().unwrap());
        }
    }
    codes.into_values().collect()
}

/// Solves each code by itself.
fn truths(codes: &[Code], budget: Budget) -> Vec<Truth> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(code) = codes.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let truth = Truth::of(code, budget);
                    found.lock().unwrap().push(truth);
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_by(|one, other| one.code.cmp(&other.code));
    found
}
