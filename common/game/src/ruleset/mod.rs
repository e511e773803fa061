//! Rulesets: the moves that a game allows.
//!
//! Nearly all games here are take-and-break codes. A code `d_0.d_1d_2d_3…` (Guy and Smith) gives,
//! for every number `j` of beans taken from one heap, the set of numbers of heaps that may be left:
//! bit `k` of the digit `d_j` allows exactly `k` (non-empty) heaps to be left. Octal digits leave
//! at most two heaps, hexadecimal digits three. `d_0` moves take nothing and must therefore split,
//! so only the bits for two and three heaps are well-founded there. Besides there are codes with
//! constraints and without end, Grundy's game, games whose options are listed, and finite games.
//!
//! - [`code`]: codes of take-and-break games
//! - [`code_parser`]: the parser of games
//! - `code_error`: the faults of a text that is not a game
//! - [`names`]: the games that are known by a name
//! - [`options`], `heap_option`: the options of a heap
//! - [`guy_smith`]: the bound up to which values must repeat to repeat for ever
//! - [`signature`]: the recognition of codes that describe the same game
//! - [`renumbering`]: the renumbering of heaps between two codes of the same game
//! - `grundys_game`: Grundy's game
//! - [`general`]: codes with constraints, or without end
//! - `general_code_parser`: the parser of general codes
//! - [`listed`]: games whose options are listed, heap by heap
//! - [`finite`]: finite games
//! - [`simplest_form`]: simplest forms of finite games, and the games born by a day
//! - [`day_five`]: the games born by day 5, as sets of the 22 games before

pub mod code;
mod code_error;
pub mod code_parser;
pub mod day_five;
pub mod finite;
pub mod general;
mod general_code_parser;
mod grundys_game;
pub mod guy_smith;
mod heap_option;
pub mod listed;
pub mod names;
pub mod options;
pub mod renumbering;
pub mod signature;
pub mod simplest_form;

pub use code::Code;
pub use code_error::{CodeError, CodeErrorKind};
pub use code_parser::digits_for_letters;
pub use finite::{FiniteGame, FiniteGameError};
pub use general::{Constraint, Digit, General};
pub use heap_option::HeapOption;
pub use listed::{HeapList, OptionListError};
pub use renumbering::{LiveHeaps, Renumbering};
pub use signature::Signature;
pub use simplest_form::games_born_by;
