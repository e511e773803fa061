use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;

use misere_game::control::{Stop, TICKS_PER_FUEL};
use proptest::prelude::*;

use super::*;

/// An attempt: the number, the fuel it may have, the fuel it needs, and whether it succeeds.
type Task = (usize, Option<u64>, u64, bool);

/// Attempts that look at the fuel they have, and take some time.
struct Tasks {
    /// The ticks spent by all threads together.
    spent: AtomicU64,
}

impl Attempts for Tasks {
    type Name = Task;
    /// The fuel left at the beginning, if it is bounded, and whether the attempt succeeded.
    type Made = (Option<u64>, Result<bool, Stop>);

    fn make(&self, &(_, fuel, needed, succeeds): &Task, control: &mut Control) -> Self::Made {
        let before = control.fuel_left();
        let all = (0..needed).try_for_each(|_| {
            sleep(Duration::from_micros(20));
            self.spent.fetch_add(1, Ordering::Relaxed);
            control.spend(TICKS_PER_FUEL)
        });
        (fuel.map(|_| before), all.map(|()| succeeds))
    }

    fn fuel(&self, &(_, fuel, ..): &Task) -> Fuel {
        fuel.map_or(Fuel::Rest, Fuel::AtMost)
    }

    fn is_last(&self, made: &Self::Made) -> bool {
        matches!(made.1, Ok(true))
    }
}

/// The results of a search, the fuel it spent, and the fuel that all threads have spent.
type Searched = (Vec<(Option<u64>, Result<bool, Stop>)>, u64, u64);

/// Makes the attempts in their order, but leaves out one after each failure.
fn searched(tasks: &[Task], fuel: u64, threads: usize) -> Searched {
    let attempts = Tasks {
        spent: AtomicU64::new(0),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(|| {
        let mut control = Control::new(fuel, Interrupt::default()).with_idle_threads();
        let made = search(&attempts, &mut control, |ahead, control| {
            let mut made = Vec::new();
            let mut next = 0;
            while let Some(task) = tasks.get(next) {
                ahead.keep(|(number, ..)| *number >= next);
                for later in tasks[next + 1..].iter().take(ahead.most()) {
                    ahead.suggest(*later, control);
                }
                let now = ahead.take(task, control);
                made.push(now);
                match now.1 {
                    Ok(true) => break,
                    Ok(false) => next += 2,
                    Err(_) => next += 1,
                }
            }
            made
        });
        let spent = attempts.spent.load(Ordering::Relaxed);
        (made, control.fuel_spent(), spent)
    })
}

fn tasks() -> impl Strategy<Value = Vec<Task>> {
    let task = (prop::option::of(1_u64..40), 1_u64..30, 0..8);
    prop::collection::vec(task, 1..12).prop_map(|tasks| {
        let numbered = tasks.into_iter().enumerate();
        numbered
            .map(|(number, (fuel, needed, success))| (number, fuel, needed, success == 0))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn results_and_fuel_are_those_of_one_thread(tasks in tasks(), fuel in 1_u64..150) {
        let (made, fuel_spent, _) = searched(&tasks, fuel, 1);
        for threads in [2, 4] {
            let (same, same_fuel, _) = searched(&tasks, fuel, threads);
            prop_assert_eq!((&same, same_fuel), (&made, fuel_spent), "{} threads", threads);
        }
    }
}

#[test]
fn one_thread_makes_no_attempt_ahead() {
    let tasks = [
        (0, Some(5), 5, false),
        (1, Some(5), 5, true),
        (2, Some(5), 5, true),
    ];
    let (made, fuel, spent) = searched(&tasks, 100, 1);
    assert_eq!((made.len(), fuel, spent), (2, 10, 10));
}

/// A thread that waits for an attempt makes a later one, until the first one succeeds.
#[test]
fn a_success_interrupts_the_attempts_after_it() {
    const LONG: u64 = 100_000;
    let attempts = Tasks {
        spent: AtomicU64::new(0),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    let made = pool.build().unwrap().install(|| {
        let mut control = Control::unlimited().with_idle_threads();
        search(&attempts, &mut control, |ahead, control| {
            let short = (0, Some(1_000), 1_000, true);
            ahead.suggest(short, control);
            while attempts.spent.load(Ordering::Relaxed) == 0 {
                sleep(WAIT);
            }
            ahead.suggest((1, Some(LONG), LONG, true), control);
            ahead.take(&short, control)
        })
    });
    let spent = attempts.spent.load(Ordering::Relaxed);
    assert_eq!(made, (Some(1_000), Ok(true)));
    assert!(spent < LONG, "{spent}");
}

#[test]
fn a_stop_reaches_the_attempts_made_ahead() {
    let attempts = Tasks {
        spent: AtomicU64::new(0),
    };
    let interrupt = Interrupt::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    let made = pool.build().unwrap().install(|| {
        let mut control = Control::new(u64::MAX, interrupt.clone()).with_idle_threads();
        search(&attempts, &mut control, |ahead, control| {
            let long = (1, Some(1_000_000), 1_000_000, false);
            ahead.suggest(long, control);
            while attempts.spent.load(Ordering::Relaxed) == 0 {
                sleep(WAIT);
            }
            interrupt.raise();
            ahead.take(&long, control)
        })
    });
    assert_eq!(made, (Some(1_000_000), Err(Stop::Interrupted)));
}
