//! The pages of a census and its API agree with the census, in a form that browsers and programs
//! understand.
#![cfg(unix)]

mod answers;
mod as_files;
mod atlas;
mod board;
mod browser_solver;
mod calculator;
mod examples;
mod html;
mod normal_play;
pub(crate) mod served;
mod while_it_runs;
mod whole_site;
