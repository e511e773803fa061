//! The check that this process can have the threads and the memory that the database needs.
//!
//! RocksDB spawns threads lazily; if the system refuses one, the C++ library aborts without a
//! useful message. So the check runs before the database is opened: it requests at once about what
//! the database needs.

use std::sync::mpsc;
use std::thread::Builder;

use super::StoreError;

/// The number of threads that RocksDB may have at once.
///
/// They are the threads that write tables, merge them, and keep time, and one to spare.
const THREADS: usize = 4;

/// The size of the stack of a thread started by C++ on the known systems.
const STACK_BYTES: usize = 8 << 20;

/// The memory for write buffers, cached blocks, a table that is being written, and the tables of
/// caches that RocksDB maps while it compares options.
///
/// Measured with `ulimit -d`: with 30 MB more than the least with which a database opens.
const MEMORY_BYTES: usize = 160 << 20;

/// Checks whether the system grants threads and memory for the database.
///
/// # Errors
/// [`StoreError::NoMeans`] if it does not.
pub(super) fn check_resources() -> Result<(), StoreError> {
    let mut memory: Vec<u8> = Vec::new();
    let reserved = memory.try_reserve_exact(MEMORY_BYTES);
    reserved.map_err(|error| StoreError::NoMeans(error.to_string()))?;
    // Memory that is never used may never be requested from the system.
    std::hint::black_box(&memory);
    let mut held = Vec::with_capacity(THREADS);
    for _ in 0..THREADS {
        // Each thread waits until its sender is dropped, so that all exist at once.
        let (hold, held_up) = mpsc::channel::<()>();
        let thread = Builder::new()
            .stack_size(STACK_BYTES)
            .spawn(move || held_up.recv().is_ok());
        let thread = thread.map_err(|error| StoreError::NoMeans(error.to_string()))?;
        held.push((hold, thread));
    }
    for (hold, thread) in held {
        drop(hold);
        // The thread does nothing that could fail.
        let _ = thread.join();
    }
    Ok(())
}
