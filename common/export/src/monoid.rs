//! The monoids and games that go into GAP and Sage source.
//!
//! There is one monoid for each final class of a selected ruleset, in the form of its least code:
//! with generators in the order of heaps, so that words read as in the papers. A code that is known
//! for every heap goes before one that is not. After a monoid come all games that have it, each
//! with its own Φ, whose values are elements of that monoid, and each followed by its aliases with
//! their heap numbers.

use std::collections::BTreeMap;

use misere_census::{Alias, Ending, Record};
use misere_game::bipartite::{BipartiteMonoid, ClassKey, Element};
use misere_game::monoid::presentation::{Relation, presentation};
use misere_game::monoid::word::{generator_name, lex_least_words};
use misere_game::ruleset::{Code, Digit, HeapOption, LiveHeaps, names};
use misere_game::solution::Solution;

use misere_report::completeness::Completeness;

use super::staging::Staging;
use super::{Counts, ExportError, Source};

/// A class, and the games that have it.
struct ClassGames {
    /// The place of the representative code among the codes.
    by: usize,
    /// Whether that code is known for every heap.
    is_whole: bool,
    /// All selected codes that end with the class, in ascending order.
    codes: Vec<Code>,
}

/// A monoid to be written.
pub(super) struct Monoid {
    /// The code in whose form it is written.
    pub(super) code: Code,
    pub(super) codes: Vec<Code>,
    pub(super) class: ClassKey,
    pub(super) name: Option<String>,
    pub(super) quotient: BipartiteMonoid,
    pub(super) generator_heaps: Vec<u32>,
    pub(super) relations: Vec<Relation>,
}

impl Monoid {
    fn new(record: &Record, solution: Solution, codes: Vec<Code>) -> Self {
        let words = lex_least_words(&solution.quotient);
        Self {
            code: record.code.clone(),
            codes,
            class: record.class,
            name: solution.quotient.known_name(),
            relations: presentation(&solution.quotient, &words),
            generator_heaps: solution.generator_heaps,
            quotient: solution.quotient,
        }
    }

    pub(super) fn generator_names(&self) -> Vec<String> {
        (0..self.quotient.generators())
            .map(generator_name)
            .collect()
    }
}

/// A game to be written, after its monoid.
pub(super) struct Game {
    pub(super) record: Record,
    pub(super) finding: Ending,
    /// The pretending function Φ, whose values are elements of the monoid.
    pub(super) phi: Vec<Element>,
}

impl Game {
    /// Returns the period of Φ, if the game is solved.
    pub(super) fn period(&self) -> Option<u32> {
        self.record.verdict.period().map(|(period, _)| period)
    }

    pub(super) fn preperiod(&self) -> Option<u32> {
        (self.record.verdict.period()).map(|(_, preperiod)| preperiod)
    }

    /// Returns the heap from which misère play is normal play.
    pub(super) fn tame_from(&self) -> Option<u32> {
        self.record.verdict.tame_from()
    }

    /// Returns period and preperiod of the nim-values, where both are needed and proved.
    pub(super) fn nim_period(&self) -> Option<(u32, u32)> {
        let nim = self.record.tail?.nim_period?;
        Some((nim.period, nim.preperiod))
    }

    pub(super) fn aliases(&self) -> impl Iterator<Item = FurtherCode<'_>> {
        let record = &self.record;
        record.aliases.iter().map(|alias| FurtherCode {
            alias,
            sentence: alias.renumbering.sentence(&record.code, &alias.code),
            // Without a live heap after those listed, everything is known.
            heaps: (alias.renumbering.reach(record.heaps)).unwrap_or(alias.heaps),
            preperiod: alias.verdict.period().map(|(_, preperiod)| preperiod),
        })
    }
}

/// An alias to be written, after its game.
pub(super) struct FurtherCode<'a> {
    pub(super) alias: &'a Alias,
    pub(super) sentence: String,
    /// The greatest heap of this code up to which the listed Φ is complete.
    pub(super) heaps: u32,
    pub(super) preperiod: Option<u32>,
}

/// A language in which monoids and games are written.
pub(super) trait Language {
    /// The name of the source file in the export.
    const FILE: &'static str;
    /// The purpose of the source, for its first line.
    const WHAT: &'static str;
    /// The functions of the source file.
    const LIBRARY: &'static str;
    /// The names and texts of further files beside the source. `@VERSION@` and `@REPOSITORY@` in
    /// them become those of this program.
    const PACKAGE: &'static [(&'static str, &'static str)];

    /// Returns the source of the names of games, given by their letters in lower case.
    fn names(names: impl Iterator<Item = (String, &'static str)>) -> String;
    fn monoid(monoid: &Monoid) -> String;
    fn game(game: &Game) -> String;
    fn alias(of: &Code, alias: &FurtherCode<'_>) -> String;
}

/// Writes a source file (its purpose, the functions, then each monoid with its games) and the files
/// beside it.
pub(super) fn write<L: Language>(
    source: &Source<'_>,
    statement: &Completeness,
    staging: &mut Staging,
) -> Result<Counts, ExportError> {
    for (name, text) in L::PACKAGE {
        let text = text.replace("@VERSION@", env!("CARGO_PKG_VERSION"));
        let text = text.replace("@REPOSITORY@", env!("CARGO_PKG_REPOSITORY"));
        staging.write(name, &text)?;
    }
    let mut file = staging.create(L::FILE)?;
    file.text(&head(statement, L::WHAT))?;
    file.text(L::LIBRARY)?;
    file.text(&L::names(names::all()))?;
    let mut counts = Counts::from([("monoids", 0), ("games", 0), ("aliases", 0)]);
    let mut count = |what: &'static str| *counts.entry(what).or_default() += 1;
    for shown in classes(source)? {
        let code = &shown.codes[shown.by];
        let (record, solution) = kept(source, code)?;
        let monoid = Monoid::new(&record, solution, shown.codes);
        file.text(&L::monoid(&monoid))?;
        count("monoids");
        for code in &monoid.codes {
            source.listen()?;
            let game = game(source, code, &monoid.quotient)?;
            file.text(&L::game(&game))?;
            count("games");
            for alias in game.aliases() {
                file.text(&L::alias(code, &alias))?;
                count("aliases");
            }
        }
    }
    file.close()?;
    Ok(counts)
}

/// Returns the classes of the selected rulesets, in ascending order of representative codes.
fn classes(source: &Source<'_>) -> Result<Vec<ClassGames>, ExportError> {
    let mut classes: BTreeMap<ClassKey, ClassGames> = BTreeMap::new();
    source.for_each(|selected| {
        let record = &selected.kept;
        let ending = record.conclusion().ending();
        // A game that a law or an automaton solves does not end with a finite quotient, nor does
        // one past an infinite quotient.
        let is_whole = ending.is_whole() && ending.solved_by().is_none();
        let shown = classes.entry(record.class).or_insert_with(|| ClassGames {
            by: 0,
            is_whole,
            codes: Vec::new(),
        });
        if is_whole && !shown.is_whole {
            shown.is_whole = true;
            shown.by = shown.codes.len();
        }
        shown.codes.push(record.code.clone());
        Ok(())
    })?;
    let mut all: Vec<ClassGames> = classes.into_values().collect();
    all.sort_by(|one, other| one.codes[one.by].cmp(&other.codes[other.by]));
    Ok(all)
}

/// Returns the record and the solution that the census keeps under a code.
fn kept(source: &Source<'_>, code: &Code) -> Result<(Record, Solution), ExportError> {
    let absent = || ExportError::NoRecord(code.clone());
    let game = source.store.game(code)?.ok_or_else(absent)?;
    let solution = source.solution(&game)?;
    Ok((game.record, solution))
}

/// Returns a game with Φ carried over to the monoid that is written for its class.
fn game(source: &Source<'_>, code: &Code, monoid: &BipartiteMonoid) -> Result<Game, ExportError> {
    let (record, solution) = kept(source, code)?;
    let damaged = || ExportError::Certificate(code.clone());
    let phi = if solution.quotient == *monoid {
        solution.phi
    } else {
        let onto = solution.quotient.isomorphism(monoid).ok_or_else(damaged)?;
        let image = |&x: &Element| onto.get(x as usize).copied();
        let phi = solution.phi.iter().map(image);
        phi.collect::<Option<_>>().ok_or_else(damaged)?
    };
    Ok(Game {
        finding: record.conclusion().ending(),
        record,
        phi,
    })
}

/// Returns the head of a source file, each line behind a comment sign.
fn head(statement: &Completeness, what: &str) -> String {
    let mut lines = vec![what.to_owned(), String::new()];
    lines.extend(statement.sentences());
    let mut head = String::new();
    for line in lines {
        head.push_str(format!("# {line}").trim_end());
        head.push('\n');
    }
    head
}

/// Returns the rules of a game, in the notation that both languages share.
///
/// They are digits, the options of the heaps of a finite game, a name, the digits of a general code
/// (before the block and in the block, each a list of numbers of heaps with 0 for no constraint, 1
/// for `!`, 2 for `?`, 3 for `=`), or a list of options.
pub(super) fn rules(code: &Code) -> String {
    if let Some(game) = code.finite_game() {
        let options = |heap| list(game.options(heap).iter().map(|&option| option.into()));
        let options: Vec<String> = (0..=game.heaps()).map(options).collect();
        return format!("[{}]", options.join(","));
    }
    if code.is_take_and_break() {
        return list((0..=code.length()).map(|place| code.digit(place).into()));
    }
    if let Some(digits) = code.general() {
        let digit = |digit: Digit| {
            let allowed = digit.allowed();
            let allowed =
                allowed.map(|(heaps, constraint)| format!("[{heaps}, {}]", constraint as u8));
            format!("[{}]", allowed.collect::<Vec<_>>().join(","))
        };
        let last = digits.last_before_block();
        let block = digits.block_length().unwrap_or(0);
        let before: Vec<String> = (0..=last).map(|taken| digit(digits.digit(taken))).collect();
        let after = (last + 1..=last + block).map(|taken| digit(digits.digit(taken)));
        let after: Vec<String> = after.collect();
        return format!(
            "[\"general\", [{}], [{}]]",
            before.join(","),
            after.join(",")
        );
    }
    if let Some(heaps) = code.heap_list() {
        let option = |option: &HeapOption| list(option.parts());
        let options = |heap| {
            heaps
                .options(heap)
                .iter()
                .map(option)
                .collect::<Vec<_>>()
                .join(",")
        };
        let heaps: Vec<String> = (0..=heaps.heaps())
            .map(|heap| format!("[{}]", options(heap)))
            .collect();
        return format!("[\"heaps\", [{}]]", heaps.join(","));
    }
    format!("\"{code}\"")
}

/// Returns the live heaps of a code, in the notation that both languages share.
pub(super) fn live_heaps(code: &Code) -> String {
    match LiveHeaps::of(code) {
        LiveHeaps::AllBut(dead) => format!("[\"all but\", {}]", list(dead)),
        LiveHeaps::Only(live) => format!("[\"only\", {}]", list(live)),
        // Such a game has no other code, so every heap keeps its number; dead heaps have the value
        // 1 like the empty position.
        LiveHeaps::Repeating { .. } => "[\"all but\", []]".to_owned(),
    }
}

/// Writes a number that may be absent.
pub(super) fn number_or(number: Option<u32>, absent: &str) -> String {
    number.map_or(absent.to_owned(), |number| number.to_string())
}

/// Returns numbers separated by commas, in lines of about a hundred characters.
pub(super) fn list(numbers: impl IntoIterator<Item = u32>) -> String {
    let mut text = "[".to_owned();
    let mut column = 0;
    for (at, number) in numbers.into_iter().enumerate() {
        let number = number.to_string();
        if at > 0 {
            text.push(',');
            column += 1;
            if column + number.len() > 100 {
                text.push_str("\n    ");
                column = 0;
            }
        }
        column += number.len();
        text.push_str(&number);
    }
    text.push(']');
    text
}

/// Returns texts in quotation marks, separated by commas.
///
/// No code, word or name contains a quotation mark or a backslash.
pub(super) fn quoted(texts: impl IntoIterator<Item = String>) -> String {
    let texts = texts.into_iter().map(|text| format!("\"{text}\""));
    format!("[{}]", texts.collect::<Vec<_>>().join(", "))
}
