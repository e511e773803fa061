//! A small census is the same in every form that other programs read, read back.
//!
//! Every test runs the real command.

mod complete;
mod data_set;
mod documents;
mod made;
mod programs;
mod quotients;
mod sequences;
mod source;
mod tables;
mod whole;
