//! The test whether this process can have the threads and the memory that the database takes.
//!
//! RocksDB starts threads in the midst of its work, and where the system refuses one the C++
//! library ends the process without a word of use. So it is tried before the database is opened:
//! what can be had then together is about what the database takes.

use std::sync::mpsc;
use std::thread::Builder;

use super::StoreError;

/// The number of threads that RocksDB may have at once: those that write tables, that merge them,
/// that keep time, and one to spare.
const THREADS: usize = 4;

/// The size of the stack of a thread started by C++ on the known systems.
const STACK_BYTES: usize = 8 << 20;

/// The memory for write buffers, cached blocks, and a table that is being written.
const MEMORY_BYTES: usize = 64 << 20;

/// Tries whether the system grants threads and memory for the database.
///
/// # Errors
/// [`StoreError::NoMeans`] if not.
pub(super) fn try_means() -> Result<(), StoreError> {
    let mut memory: Vec<u8> = Vec::new();
    let reserved = memory.try_reserve_exact(MEMORY_BYTES);
    reserved.map_err(|error| StoreError::NoMeans(error.to_string()))?;
    // What nobody looks at may never be asked of the system.
    std::hint::black_box(&memory);
    let mut held = Vec::with_capacity(THREADS);
    for _ in 0..THREADS {
        // A thread waits until its sender is dropped: all are there at once.
        let (hold, held_up) = mpsc::channel::<()>();
        let thread = Builder::new()
            .stack_size(STACK_BYTES)
            .spawn(move || held_up.recv().is_ok());
        let thread = thread.map_err(|error| StoreError::NoMeans(error.to_string()))?;
        held.push((hold, thread));
    }
    for (hold, thread) in held {
        drop(hold);
        // It does nothing that could fail.
        let _ = thread.join();
    }
    Ok(())
}
