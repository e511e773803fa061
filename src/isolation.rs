//! The choice of the games that are computed in a separate process, and the limits of the process.

use std::time::Duration;

use misere_census::MemoryClass;
use misere_census::quantity::{QuantityError, bytes, duration};
use misere_worker::{Isolate, Isolation, Limits, guard};

/// The least memory limit: with less a process cannot even start its threads.
const MIN_MEMORY: u64 = 64 << 20;

/// The options of commands that compute the games of a census.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(
    next_help_heading = "Processes (what they stop is tried again, and in the end put into quarantine)"
)]
pub struct IsolationArgs {
    /// Games computed in processes of their own; a crash or lack of memory then ends no other game
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = IsolationMode::AfterFailure)]
    isolate: IsolationMode,
    /// The most memory of such a process: 512MiB, 2GiB [default: its share of the machine's memory]
    #[arg(long, value_name = "BYTES", value_parser = memory_per_task)]
    memory_per_task: Option<u64>,
}

/// The guards of the games of a census.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(
    next_help_heading = "Guards (a game that they stop is tried again, and in the end put into quarantine)"
)]
pub struct TaskGuards {
    /// Stop a game after this much time: 10s, 5min, 1h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time_limit: Option<Duration>,
    /// Stop the game with the largest quotient if all games together exceed this memory: 512MiB,
    /// 2GiB
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory_limit: Option<u64>,
}

impl From<TaskGuards> for misere_worker::Guards {
    fn from(guards: TaskGuards) -> Self {
        Self {
            time: guards.time_limit,
            memory: guards.memory_limit,
        }
    }
}

/// The values of [`Isolate`] on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum IsolationMode {
    /// None
    Never,
    /// Those that failed before, on any machine
    AfterFailure,
    /// All
    Always,
}

fn memory_per_task(text: &str) -> Result<u64, String> {
    match bytes(text) {
        Ok(bytes) if bytes < MIN_MEMORY => Err("a process needs at least 64MiB".to_owned()),
        read => read.map_err(|error: QuantityError| error.to_string()),
    }
}

impl IsolationArgs {
    /// Returns the greatest memory class of games that this machine accepts.
    ///
    /// It computes `slots` games at once, which may take `memory_limit` in all.
    pub fn memory_class(self, slots: usize, memory_limit: Option<u64>) -> MemoryClass {
        let all = memory_limit.or_else(guard::machine_bytes);
        let share = all.map(|bytes| bytes / (slots as u64).max(1));
        let each = match self.isolate {
            IsolationMode::Never => share,
            IsolationMode::AfterFailure | IsolationMode::Always => self.memory_per_task.or(share),
        };
        // A machine that does not report its memory accepts everything.
        each.map_or(MemoryClass::TOP, MemoryClass::of_bytes)
    }

    /// Returns the limits on this machine, for `slots` games at once, each limited to `time`.
    ///
    /// # Errors
    /// If the system does not report the path of this program.
    pub fn resolve(self, slots: usize, time: Option<Duration>) -> std::io::Result<Isolation> {
        let when = match self.isolate {
            IsolationMode::Never => return Ok(Isolation::default()),
            IsolationMode::AfterFailure => Isolate::AfterFailure,
            IsolationMode::Always => Isolate::Always,
        };
        let share = guard::machine_bytes().map(|bytes| bytes / (slots as u64).max(1));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let limits = Limits {
            memory: self
                .memory_per_task
                .or(share.map(|share| share.max(MIN_MEMORY))),
            // A game may use every core, for all its time.
            cpu: time.map(|time| time.saturating_mul(u32::try_from(cores).unwrap_or(u32::MAX))),
            wall: time,
            stop_grace: None,
        };
        Isolation::of_this_program(when, limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_shared_between_its_slots() {
        let args = |isolate, memory_per_task| IsolationArgs {
            isolate,
            memory_per_task,
        };
        let time = Some(Duration::from_secs(1));
        let share = |slots| {
            let isolation = args(IsolationMode::Always, None)
                .resolve(slots, time)
                .unwrap();
            isolation.limits.memory
        };
        assert!(share(1) >= share(4));
        let given = args(IsolationMode::AfterFailure, Some(1 << 30)).resolve(2, time);
        let given = given.unwrap();
        assert_eq!(
            (given.limits.memory, given.limits.wall),
            (Some(1 << 30), time)
        );
        assert!(given.applies(1) && !given.applies(0));
        let never = args(IsolationMode::Never, Some(1 << 30))
            .resolve(2, time)
            .unwrap();
        assert!(!never.applies(9));
        let class = |bytes, slots, limit| {
            args(IsolationMode::AfterFailure, bytes).memory_class(slots, limit)
        };
        let gib = |gib: u64| Some(gib << 30);
        assert_eq!(class(gib(1), 2, gib(64)), MemoryClass::FIRST);
        assert_eq!(class(gib(5), 2, None), MemoryClass::new(1));
        assert_eq!(class(None, 2, gib(64)), MemoryClass::TOP);
        let shared = args(IsolationMode::Never, gib(64)).memory_class(4, gib(16));
        assert_eq!(shared, MemoryClass::new(1));
        assert!(memory_per_task("63MiB").is_err() && memory_per_task("64MiB").is_ok());
    }
}
