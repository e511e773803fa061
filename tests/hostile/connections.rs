//! What can somebody do who only opens connections?
