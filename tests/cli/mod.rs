//! The contract of the command line. Every test runs the real command.

mod analyze;
mod automaton;
mod census;
mod classify;
mod command;
mod errors;
mod figure1;
mod files;
mod genus;
mod help;
mod identify;
mod normal;
mod numbers;
mod outcome;
mod paper;
mod past_infinite;
mod play;
mod present;
mod query;
mod report_forms;
mod reports;
mod settings;
mod solve;
mod solve_normal;
mod tables;
mod verify;
