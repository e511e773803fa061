//! `misere play`: a game against the program, which knows the solution.
//!
//! The user and the program move in turn; the player who makes the last move loses. The program
//! makes a winning move if there is one. If there is none, it takes as few beans as it can, so that
//! the user has to keep finding winning moves.

mod line;

use std::io::BufRead;

use misere_answers::rules::in_words;
use misere_answers::{Answer, WinningMove};
use misere_game::position::Position;
use misere_game::ruleset::{Code, HeapOption};

use crate::computation::{Budget, CheckedSolution};
use crate::exit::{CommandError, Exit, Failure};
use crate::known::KnownArgs;
use crate::outcome::decide;
use crate::position::named;
use crate::terminal;
use crate::watch::{self, Guards};
use line::Line;

/// The limit on the moves listed.
const MAX_LISTED: usize = 40;
/// The limit on the options of a heap that is played: all of them are examined.
const MAX_OPTIONS: u64 = 5_000_000;
/// The limit on the heaps of a position that is played.
const MAX_HEAPS: u64 = 1_000;

/// The arguments of `misere play`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere play 0.77 3 5 7             Kayles; you move first
  misere play 0.123 9 8 4 --second   the program moves first
  misere play nim 3 4 5 --hints      before each move: who wins, and how

A move names the heap and what it leaves, in beans: `7` takes the whole heap of
7, `7 5` leaves 5 of it, `7 3 2` leaves 3 and 2. `hint` names a winning move,
`moves` lists the moves, `undo` takes back your last move, `quit` ends.

Exit codes: 0 the game ended or was left, 1 the game is not known that far,
2 usage, 3 budget exhausted, 4 interrupted.")]
pub struct PlayArgs {
    /// The game: a code (0.77), a name (kayles), a finite game ('*2#320') or @FILE
    #[arg(value_parser = crate::rules_file::game_of_heaps)]
    code: Code,
    /// The heaps to begin with, as 5 3 or 3^20 (twenty heaps of 3)
    #[arg(value_name = "HEAP", required = true)]
    heaps: Vec<String>,
    /// Let the program make the first move
    #[arg(long)]
    second: bool,
    /// Say before each of your moves who wins, and one move that does
    #[arg(long)]
    hints: bool,
    #[command(flatten)]
    known: KnownArgs,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    guards: Guards,
}

/// The reason why a game is not played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The position is too large to be played.
    #[error("{0}")]
    TooLarge(String),
    /// Standard input cannot be read.
    #[error("standard input cannot be read: {0}")]
    Input(std::io::Error),
}

impl CommandError for PlayError {}

/// Runs `misere play`.
///
/// # Errors
/// A [`Failure`] if the game is not known far enough to decide the position, or the input or
/// output is closed.
pub fn run(args: &PlayArgs) -> Result<Exit, Failure> {
    let position = named(&args.code, &args.heaps)?;
    if position.one_by_one(MAX_HEAPS).is_none() {
        return Err(PlayError::TooLarge(format!(
            "at most {MAX_HEAPS} heaps are played; `misere outcome` decides positions with more"
        ))
        .into());
    }
    let largest = position.largest();
    if args.code.most_options(largest) > MAX_OPTIONS {
        return Err(PlayError::TooLarge(format!(
            "a heap of {largest} has too many moves to be played; `misere outcome` decides \
             positions with such heaps"
        ))
        .into());
    }
    let known = &args.known;
    let computed = known.solution(&args.code, largest, args.budget, args.guards)?;
    // Ctrl-C ends the process while it waits for a line: nothing is lost then.
    watch::leave_nothing_when_stopped()?;
    let mut game = Game {
        args,
        computed,
        position,
        before: Vec::new(),
    };
    // An undecidable position is reported before the first move.
    game.decide()?;
    game.play(&mut std::io::stdin().lock())?;
    Ok(Exit::Done)
}

/// A game that is being played.
struct Game<'a> {
    args: &'a PlayArgs,
    computed: CheckedSolution,
    position: Position,
    /// The positions in which the user has moved.
    before: Vec<Position>,
}

impl Game<'_> {
    fn play(&mut self, lines: &mut impl BufRead) -> Result<(), Failure> {
        let mut is_persons_turn = !self.args.second;
        terminal::print(&format!(
            "{}: the player who makes the last move loses\n{}\n",
            self.args.code,
            in_words(&self.args.code)
        ))?;
        loop {
            let over = !self.position.has_moves(&self.args.code);
            terminal::print(&format!("\n{}\n", self.position))?;
            match (over, is_persons_turn) {
                (true, true) => return Ok(terminal::print("no move is left: you win\n")?),
                (true, false) => return Ok(terminal::print("no move is left: you lose\n")?),
                (false, true) => {
                    if !self.persons_move(lines)? {
                        return Ok(terminal::print("the game is left\n")?);
                    }
                }
                (false, false) => self.programs_move()?,
            }
            is_persons_turn = !is_persons_turn;
        }
    }

    /// Asks for a move until one is made; returns false if the user leaves.
    fn persons_move(&mut self, lines: &mut impl BufRead) -> Result<bool, Failure> {
        if self.args.hints {
            terminal::print(&self.hint()?)?;
        }
        loop {
            terminal::print("your move> ")?;
            let said = match line::read(lines).map_err(PlayError::Input)? {
                None => {
                    terminal::print("\n")?;
                    return Ok(false);
                }
                Some(line) => line,
            };
            match Line::of(&said) {
                Line::Quit => return Ok(false),
                Line::Help => terminal::print(line::HELP)?,
                Line::Hint => terminal::print(&self.hint()?)?,
                Line::Moves => terminal::print(&self.moves())?,
                Line::Undo => match self.before.pop() {
                    Some(before) => {
                        self.position = before;
                        terminal::print(&format!("\n{}\n", self.position))?;
                    }
                    None => terminal::print("you have made no move yet\n")?,
                },
                Line::Move(heap, leaves) => match self.after(heap, &leaves) {
                    Ok(after) => {
                        self.before
                            .push(std::mem::replace(&mut self.position, after));
                        return Ok(true);
                    }
                    Err(why) => terminal::print(&format!("{why}\n"))?,
                },
                Line::Unclear => terminal::print(
                    "write a heap and what the move leaves of it, as `7 3 2`; `help` says more\n",
                )?,
            }
        }
    }

    /// Returns the position after a move of the user, or why the move is not possible.
    fn after(&self, heap: u32, leaves: &[u32]) -> Result<Position, String> {
        if !self.position.sizes().any(|size| size == heap) {
            return Err(format!("there is no heap of {heap}"));
        }
        let mut wanted: Vec<u32> = leaves.iter().copied().filter(|&part| part > 0).collect();
        wanted.sort_unstable();
        let is_wanted = |option: &HeapOption| {
            let mut parts: Vec<u32> = option.parts().collect();
            parts.sort_unstable();
            parts == wanted
        };
        let option = self.args.code.options(heap).into_iter().find(is_wanted);
        let option = option.ok_or_else(|| {
            format!("the rules do not allow that move in the heap of {heap}; `moves` lists them")
        })?;
        Ok(self.position.without(heap).with(option))
    }

    /// Returns the player who wins, and one move that does.
    fn hint(&self) -> Result<String, Failure> {
        Ok(match self.winning_move()? {
            Ok(winning) => format!("you win if you {}\n", winning.in_words(&self.args.code)),
            Err(true) => "you win, but no winning move was found in the time there is\n".to_owned(),
            Err(false) => "no move wins against the best play\n".to_owned(),
        })
    }

    /// Returns a winning move of the player to move; if none is known, whether there is one.
    fn winning_move(&self) -> Result<Result<WinningMove, bool>, Failure> {
        let answer = self.decide()?;
        let all = answer.winning_moves.unwrap_or_default();
        let one = all.into_iter().next().or(answer.winning_move);
        Ok(one.ok_or(answer.outcome == 'N'))
    }

    fn decide(&self) -> Result<Answer, Failure> {
        let (budget, guards) = (self.args.budget, self.args.guards);
        decide(&self.position, &self.computed, budget, guards, None)
    }

    /// Lists the possible moves.
    fn moves(&self) -> String {
        let mut text = String::new();
        let mut listed = 0;
        for heap in self.position.sizes() {
            let rest = self.position.without(heap);
            for option in self.args.code.options(heap) {
                listed += 1;
                if listed > MAX_LISTED {
                    return text + "  …\n";
                }
                let said = WinningMove::new(heap, option, &rest).in_words(&self.args.code);
                text.push_str(&format!("  {said}\n"));
            }
        }
        text
    }

    fn programs_move(&mut self) -> Result<(), Failure> {
        let made = match self.winning_move()? {
            Ok(winning) => winning,
            Err(_) => match self.least_move() {
                Some(least) => least,
                None => return Ok(()),
            },
        };
        terminal::print(&format!("I {}\n", made.in_words(&self.args.code)))?;
        self.position = made.sum;
        Ok(())
    }

    /// Returns the move in the largest live heap that takes the fewest beans.
    fn least_move(&self) -> Option<WinningMove> {
        let code = &self.args.code;
        let heap = self
            .position
            .sizes()
            .rev()
            .find(|&heap| code.is_live(heap))?;
        let left = |option: &HeapOption| option.parts().map(u64::from).sum::<u64>();
        let option = code.options(heap).into_iter().max_by_key(left)?;
        Some(WinningMove::new(heap, option, &self.position.without(heap)))
    }
}
