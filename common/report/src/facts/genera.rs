//! The genera of the heaps of the games of a census, beside those published.

use std::ops::ControlFlow;

use misere_algebra::forms::sequence::{GenusSequence, genera};
use misere_algebra::genus::{Class, Genus};
use misere_census::Alias;
use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;
use misere_query::{Filter, KnownGame, Query};
use misere_store::Store;

use super::{PublishedError, ReportError};

/// The genera that were published.
const PUBLISHED: &str = include_str!("../../data/genus.csv");

/// The greatest heap whose genus is reported: of most games, and of games with published genera.
const HEAPS: [u32; 2] = [16, 32];

/// Fuel for the genera of one game, and of one with published genera.
const FUEL: [u64; 2] = [50_000, 3_000_000];

/// The genera of the heaps of games, in ascending order of their codes.
#[derive(Clone, Debug, Default)]
pub struct Genera {
    /// The games.
    pub games: Vec<GameGenera>,
}

/// The genera of the heaps of one game.
#[derive(Clone, Debug)]
pub struct GameGenera {
    /// The code that represents the game.
    pub code: Code,
    /// Further codes, each with its own heap numbers.
    pub aliases: Vec<Alias>,
    /// The genera of the heaps, in the heap numbers of the code.
    pub found: GenusSequence,
    /// The genera that were published.
    pub published: Vec<PublishedGenus>,
}

/// A genus that was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedGenus {
    /// The heap.
    pub heap: u32,
    /// The genus as it was printed.
    ///
    /// A number alone is a heap that equals a nimber, and a superscript may be shorter or longer
    /// than necessary.
    pub text: String,
    /// The place of publication.
    pub source: String,
    nim_value: u32,
    superscript: Vec<u32>,
}

impl Genera {
    /// Computes the genera of all games of a census.
    ///
    /// Cost: the positions that can be reached from heaps of 16 beans, within a small budget for
    /// each game; for games with published genera to heap 32.
    ///
    /// # Errors
    /// [`ReportError`] if the census or the published genera cannot be read, or `control` stops the
    /// work.
    pub fn of(store: &Store, control: &mut Control) -> Result<Self, ReportError> {
        let published = published()?;
        let query = Query {
            filter: Filter::default(),
            ..Query::default()
        };
        let mut games: Vec<KnownGame> = Vec::new();
        misere_store::answers::visit(store, &query, &mut |game| {
            games.push(game);
            ControlFlow::Continue(())
        })?;
        let mut all = Self::default();
        for game in games {
            let record = game.record;
            let of_code = published.iter().filter(|(code, _)| *code == record.code);
            let of_code: Vec<PublishedGenus> = of_code.map(|(_, genus)| genus.clone()).collect();
            let place = usize::from(!of_code.is_empty());
            let found = control.within(FUEL[place], |control| {
                genera(&record.code, HEAPS[place], control)
            });
            if found.stopped == Some(Stop::Interrupted) {
                return Err(Stop::Interrupted.into());
            }
            all.games.push(GameGenera {
                code: record.code,
                aliases: record.aliases,
                found,
                published: of_code,
            });
        }
        Ok(all)
    }

    /// Counts the published genera that were compared, and lists those that differ from ours.
    #[must_use]
    pub fn compared(&self) -> (usize, Vec<(&GameGenera, &PublishedGenus)>) {
        let pairs = self.games.iter();
        let pairs = pairs.flat_map(|game| game.published.iter().map(move |it| (game, it)));
        let judged = pairs.filter_map(|(game, it)| Some((game, it, game.agrees_with(it)?)));
        let judged: Vec<_> = judged.collect();
        let differ = judged.iter().filter(|(.., agrees)| !agrees);
        let differ = differ.map(|&(game, it, _)| (game, it));
        (judged.len(), differ.collect())
    }
}

impl GameGenera {
    /// Returns the first heap that is not tame, with its class.
    #[must_use]
    pub fn first_not_tame(&self) -> Option<(u32, Class)> {
        let heap = self.found.first(|heap| !heap.class.is_tame())?;
        Some((heap, self.found.heaps.get(heap as usize)?.class))
    }

    /// Reports whether a published genus equals ours; `None` if that heap was not computed.
    fn agrees_with(&self, published: &PublishedGenus) -> Option<bool> {
        let found = self.found.heaps.get(published.heap as usize)?;
        Some(published.is_of(&found.genus, found.class))
    }
}

impl PublishedGenus {
    fn is_of(&self, genus: &Genus, class: Class) -> bool {
        let mut printed = self.superscript.iter().enumerate();
        self.nim_value == genus.nim_value()
            && printed.all(|(twos, &value)| genus.at(twos) == value)
            && (!self.superscript.is_empty() || class == Class::NimHeap)
    }
}

/// Reads the published genera with their codes.
fn published() -> Result<Vec<(Code, PublishedGenus)>, PublishedError> {
    let lines = PUBLISHED.lines().enumerate().skip(1);
    let read = lines.map(|(at, line)| {
        read(line).ok_or_else(|| PublishedError::line("genus.csv", at + 1, line))
    });
    read.collect()
}

fn read(line: &str) -> Option<(Code, PublishedGenus)> {
    let mut fields = line.splitn(4, ',');
    let [code, heap, text, source] = std::array::from_fn(|_| fields.next());
    let (base, above) = text?.split_once('^').unwrap_or((text?, ""));
    let mut superscript = Vec::new();
    let mut rest = above.chars();
    while let Some(c) = rest.next() {
        match c {
            '(' => {
                let inside: String = rest.by_ref().take_while(|&c| c != ')').collect();
                for number in inside.split_whitespace() {
                    superscript.push(number.parse().ok()?);
                }
            }
            digit => superscript.push(digit.to_digit(10)?),
        }
    }
    let genus = PublishedGenus {
        heap: heap?.parse().ok()?,
        text: text?.to_owned(),
        source: source?.to_owned(),
        nim_value: base.parse().ok()?,
        superscript,
    };
    Some((code?.parse().ok()?, genus))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_genera_equal_the_computed_ones() {
        let published = published().unwrap();
        assert_eq!(published.len(), 158);
        let mut codes: Vec<&Code> = published.iter().map(|(code, _)| code).collect();
        codes.dedup();
        let mut compared = 0;
        for code in codes {
            let last = published.iter().filter(|(other, _)| other == code);
            let last = last.map(|(_, genus)| genus.heap).max().unwrap();
            let found = genera(code, last, &mut Control::unlimited());
            for (_, genus) in published.iter().filter(|(other, _)| other == code) {
                // Where genera repeat, fewer heaps are enough.
                let Some(of) = found.heaps.get(genus.heap as usize) else {
                    continue;
                };
                assert!(
                    genus.is_of(&of.genus, of.class),
                    "{code} {genus:?}: {}",
                    of.genus
                );
                compared += 1;
            }
        }
        assert!(compared > 130, "{compared}");
    }

    #[test]
    fn a_wrong_genus_differs() {
        let found = genera(&"0.123".parse().unwrap(), 9, &mut Control::unlimited());
        for wrong in ["0.123,8,2^1421,x", "0.123,8,3^1420,x", "0.123,8,2,x"] {
            let (_, genus) = read(wrong).unwrap();
            let of = &found.heaps[8];
            assert!(!genus.is_of(&of.genus, of.class), "{wrong}");
        }
        assert!(read("0.123,8,2^14x,source").is_none());
    }
}
