//! A child process that misbehaves as its task's code says, and a worker of one slot to run it.
//!
//! Tests of `worker/tests/children.rs` start it; it is not part of the command `misere`.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use misere_census::{Budget, GameTask, Task};
use misere_game::control::Interrupt;
use misere_game::solution::Solution;
use misere_worker::child::{self, Isolate, Isolation, Limits};
use misere_worker::pool::{Place, Pool};
use misere_worker::{Compute, Solver, solve_task};

fn main() {
    let argument = std::env::args().nth(1).unwrap_or_default();
    match argument.as_str() {
        "worker" => hold_a_hanging_child(),
        _ => child::serve(&Solver::Given(Arc::new(misbehave) as Compute)).unwrap(),
    }
}

/// Behaves as the last digit of the task's code `0.d…` says.
fn misbehave(task: &GameTask, interrupt: Interrupt) -> Solution {
    match task.code.to_string().as_str() {
        // Allocates more memory than there is, a little at a time.
        "0.1" => {
            let mut hoard = Vec::new();
            loop {
                hoard.push(vec![1_u8; 1 << 20]);
                if hoard.len() > 1 << 20 {
                    panic!("{} MiB and no end", hoard.len());
                }
            }
        }
        "0.2" => {
            eprintln!("thread 'main' has overflowed its stack");
            std::process::abort()
        }
        // Ignores orders.
        "0.3" => loop {
            std::thread::sleep(Duration::from_secs(1));
        },
        // Burns processor time.
        "0.4" => loop {
            std::hint::spin_loop();
        },
        "0.5" => {
            std::io::stdout().write_all(&[255; 64]).unwrap();
            std::io::stdout().flush().unwrap();
            loop {
                std::thread::sleep(Duration::from_secs(1));
            }
        }
        "0.6" => std::process::exit(3),
        // Obeys orders.
        "0.7" => {
            while !interrupt.is_raised() {
                std::thread::sleep(Duration::from_millis(1));
            }
            solve_task(task, interrupt)
        }
        _ => solve_task(task, interrupt),
    }
}

/// Prints the number of the child that hangs, and waits to be killed.
fn hold_a_hanging_child() {
    let isolation = Isolation {
        when: Isolate::Always,
        program: Some(std::env::current_exe().unwrap()),
        arguments: vec![],
        limits: Limits::default(),
    };
    let pool = Pool::new(1, Arc::new(solve_task), &isolation).unwrap();
    let task = Task::game("0.3".parse().unwrap(), vec![], Budget::default());
    pool.spawn(task, Place::Child, Interrupt::default(), |_| {});
    loop {
        if let Some(pid) = pool.living().pids().first() {
            // Time enough to begin the task.
            std::thread::sleep(Duration::from_millis(100));
            println!("{pid}");
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    loop {
        std::thread::sleep(Duration::from_secs(60));
    }
}
