//! What can a worker with a certificate do to the others?
