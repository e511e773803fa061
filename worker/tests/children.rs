//! Tests that children that misbehave cost their tasks, and nothing else.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use misere_census::{Budget, Failure, InterruptCause, Task, certificate};
use misere_game::control::Interrupt;
use misere_worker::child::{Isolate, Isolation, Limits};
use misere_worker::pool::{ComputationResult, Place, Pool};
use misere_worker::solve_task;
use rustix::process::{Pid, Signal, kill_process};

const CHILD: &str = env!("CARGO_BIN_EXE_misbehaving-child");

const MEMORY: u64 = 256 << 20;

fn pool(limits: Limits) -> Pool {
    let isolation = Isolation {
        when: Isolate::Always,
        program: Some(CHILD.into()),
        arguments: vec![],
        limits,
    };
    Pool::new(1, Arc::new(solve_task), &isolation).unwrap()
}

fn started(pool: &Pool, code: &str, interrupt: &Interrupt) -> mpsc::Receiver<ComputationResult> {
    let (tells, told) = mpsc::channel();
    let task = Task::game(code.parse().unwrap(), vec![], Budget::default());
    pool.spawn(task, Place::Child, interrupt.clone(), move |computed| {
        tells.send(computed).unwrap();
    });
    told
}

fn compute(pool: &Pool, code: &str) -> ComputationResult {
    let told = started(pool, code, &Interrupt::default());
    told.recv_timeout(Duration::from_secs(60)).expect("an end")
}

/// Checks that the next task after a failure is solved as usual.
fn goes_on(pool: &Pool) {
    let ComputationResult::Certificate(bytes) = compute(pool, "0.123") else {
        panic!("0.123 is solved")
    };
    assert_eq!(certificate::decode(&bytes).unwrap().quotient.order(), 20);
}

fn process_state(pid: u32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may hold anything, but ends at the last parenthesis.
    stat.rsplit_once(") ")?.1.chars().next()
}

/// Waits for something that must happen without further cause; a limit only ends a broken test.
fn soon(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "not soon: {what}"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn one_child_serves_many_tasks() {
    let pool = pool(Limits::default());
    goes_on(&pool);
    let first = pool.living().pids();
    goes_on(&pool);
    assert_eq!((first.len(), &first), (1, &pool.living().pids()));
    let child = first[0];
    let limits = std::fs::read_to_string(format!("/proc/{child}/limits")).unwrap();
    assert!(limits.contains("Max core file size        0                    0"));
    drop(pool);
    soon("the child goes with its pool", || {
        process_state(child).is_none()
    });
}

#[test]
fn a_hoarder_runs_out_of_memory_and_the_worker_goes_on() {
    let limits = Limits {
        memory: Some(MEMORY),
        ..Limits::default()
    };
    let pool = pool(limits);
    let out = Failure::OutOfMemory {
        limit: Some(MEMORY),
    };
    assert_eq!(compute(&pool, "0.1"), ComputationResult::Failed(out));
    goes_on(&pool);
}

#[test]
fn a_crash_is_reported_with_its_last_words() {
    let pool = pool(Limits::default());
    let ComputationResult::Failed(Failure::Crashed { end, last_words }) = compute(&pool, "0.2")
    else {
        panic!("a crash")
    };
    assert!(end.contains("SIGABRT"), "{end}");
    assert_eq!(last_words, "thread 'main' has overflowed its stack");
    let ComputationResult::Failed(Failure::Crashed { end, .. }) = compute(&pool, "0.6") else {
        panic!("an exit is a crash")
    };
    assert!(end.contains('3'), "{end}");
    goes_on(&pool);
}

#[test]
fn nonsense_from_a_child_is_a_failure() {
    let pool = pool(Limits::default());
    let ComputationResult::Failed(Failure::Computation(reason)) = compute(&pool, "0.5") else {
        panic!("a failure")
    };
    assert!(reason.contains("nonsense"), "{reason}");
    goes_on(&pool);
}

#[test]
fn clocks_and_processor_time_are_limited() {
    let guard = ComputationResult::Failed(Failure::Guard(InterruptCause::TimeGuard));
    let wall = Limits {
        wall: Some(Duration::from_millis(200)),
        ..Limits::default()
    };
    let pool = pool(wall);
    assert_eq!(compute(&pool, "0.3"), guard);
    soon("the hanging child is killed", || {
        pool.living().pids().is_empty()
    });
    // A computation that obeys is stopped, and its child kept.
    assert_eq!(compute(&pool, "0.7"), guard);
    assert_eq!(pool.living().pids().len(), 1);
    let cpu = Limits {
        cpu: Some(Duration::from_secs(1)),
        ..Limits::default()
    };
    let pool = self::pool(cpu);
    assert_eq!(compute(&pool, "0.4"), guard);
    goes_on(&pool);
}

#[test]
fn a_stop_is_obeyed_or_enforced() {
    // On a busy machine a child may need longer to obey than it usually has.
    let patient = Some(Duration::from_secs(60));
    for (code, stop_grace, children_left) in [("0.7", patient, 1), ("0.3", None, 0)] {
        let pool = pool(Limits {
            stop_grace,
            ..Limits::default()
        });
        let interrupt = Interrupt::default();
        let told = started(&pool, code, &interrupt);
        soon("a child", || !pool.living().pids().is_empty());
        std::thread::sleep(Duration::from_millis(50));
        interrupt.raise();
        let computed = told.recv_timeout(Duration::from_secs(60)).expect("an end");
        assert_eq!(computed, ComputationResult::Stopped);
        soon("the child obeys or is gone", || {
            pool.living().pids().len() == children_left
        });
        goes_on(&pool);
    }
}

#[test]
fn a_child_killed_between_two_tasks_costs_neither() {
    let pool = pool(Limits::default());
    goes_on(&pool);
    let child = pool.living().pids()[0];
    let killed = Pid::from_raw(child.try_into().unwrap()).unwrap();
    kill_process(killed, Signal::KILL).unwrap();
    // The child was not waited for; it may still be dying, but takes no more tasks.
    goes_on(&pool);
    assert_eq!(process_state(child), None);
}

#[test]
fn fifty_children_leave_no_zombie() {
    let pool = pool(Limits::default());
    let mut dead = BTreeSet::new();
    // On a busy machine a child may be gone before it is seen, so more than fifty are started.
    for _ in 0..1_000 {
        let told = started(&pool, "0.6", &Interrupt::default());
        loop {
            dead.extend(pool.living().pids());
            match told.recv_timeout(Duration::from_millis(1)) {
                Ok(computed) => break assert!(matches!(computed, ComputationResult::Failed(_))),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(gone) => panic!("{gone}"),
            }
        }
        if dead.len() == 50 {
            break;
        }
    }
    assert_eq!(dead.len(), 50);
    for child in dead {
        assert_eq!(process_state(child), None, "{child}");
    }
}

#[test]
fn no_child_outlives_a_worker_that_is_killed() {
    let mut worker = Command::new(CHILD)
        .arg("worker")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut said = BufReader::new(worker.stdout.take().unwrap());
    said.read_line(&mut line).unwrap();
    let child: u32 = line.trim().parse().unwrap();
    assert!(Path::new(&format!("/proc/{child}")).exists());
    worker.kill().unwrap();
    worker.wait().unwrap();
    soon("the child goes with the worker", || {
        // The new parent may take its time to wait for it; it is dead all the same.
        matches!(process_state(child), None | Some('Z'))
    });
}
