//! Who may come in, and who is told to go?
