//! The check that different words of some families have different values.
//!
//! Two families `m·N^S` and `m'·N^S'` have a value in common iff `m + k` and `m' + l`, for some
//! counts `k` of the letters of `S` and `l` of those of `S'`, have equal outcomes in every context.
//! The search reads `k` and `l` in binary and keeps the set of all pairs of functions that the two
//! words can have become, over all contexts (T7 in `docs/presentations.md`). If every set that can
//! be reached by different words contains two different functions, no two words have equal value.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use misere_game::control::Control;
use misere_game::monoid::word::Word;

use super::super::diagram::reading::Reading;
use super::super::{FamilyCheckError, too_large};
use super::families::Family;
use super::functions::{Function, Functions};

/// The most columns that are examined, and the most entries of all profiles.
const MAX_COLUMNS: u64 = 200_000;
const MAX_ENTRIES: usize = 40_000_000;
/// The most members of all sets that are kept in memory.
const MAX_MEMBERS: usize = 12_000_000;
/// The most sets that are examined to learn whether one pair of functions is enough.
const MAX_SETS_OF_ONE: usize = 2_000;
/// The most pairs of functions that are examined alone for two families.
const MAX_ALONE: usize = 12;

/// Pairs of functions, ascending, without duplicates.
type Set = Vec<(Function, Function)>;

/// Returns two different words of equal value from these families, or `None`.
///
/// Cost: pairs of families times sets of pairs of functions times choices of binary digits.
pub(super) fn equal_words(
    reading: &Reading<'_>,
    families: &[Family],
    control: &mut Control,
) -> Result<Option<[Word; 2]>, FamilyCheckError> {
    if let Some(words) = repeated_letter(reading, families) {
        return Ok(Some(words));
    }
    let (functions, profiles) = profiles(reading, families, control)?;
    let masks: Vec<usize> = families.iter().map(|f| mask(reading, f)).collect();
    // Families of one word each differ if their profiles do.
    let mut single: HashMap<&[Function], usize> = HashMap::new();
    for (number, profile) in profiles.iter().enumerate() {
        control.spend(100 + profile.len() as u64)?;
        if masks[number] == 0
            && let Some(other) = single.insert(profile, number)
        {
            let words = [other, number].map(|number| families[number].base.clone());
            return Ok(Some(words));
        }
    }
    let mut searches: BTreeMap<[usize; 2], Search<'_>> = BTreeMap::new();
    for one in 0..families.len() {
        for other in one..families.len() {
            let both = [masks[one], masks[other]];
            if both == [0, 0] {
                continue;
            }
            let search = searches
                .entry(both)
                .or_insert_with(|| Search::new(&functions, both));
            control.spend(200 + 5 * profiles[one].len() as u64)?;
            let pairs = profiles[one].iter().zip(&profiles[other]);
            let mut set: Set = pairs.map(|(&f, &g)| (f, g)).collect();
            functions.normalize(&mut set);
            if let Some(counts) = search.equal_counts(set, one != other, control)? {
                let word = |side: usize, family: usize| {
                    let mut word = families[family].base.clone();
                    for (&digit, &count) in reading.digits.iter().zip(&counts[side]) {
                        word.0[digit] = word.0[digit].saturating_add(count);
                    }
                    word
                };
                return Ok(Some([word(0, one), word(1, other)]));
            }
        }
    }
    Ok(None)
}

/// Returns two words of equal value of a family that may repeat a letter that is not a digit.
///
/// The counts of such a letter are read alike from some count on, with a period.
fn repeated_letter(reading: &Reading<'_>, families: &[Family]) -> Option<[Word; 2]> {
    families.iter().find_map(|family| {
        let is_level = |&&letter: &&usize| !reading.digits.contains(&letter);
        let &letter = family.free.iter().find(is_level)?;
        let level = reading.levels.iter().position(|&l| l == letter)?;
        let (index, period) = reading.cycle_of(level);
        let word = |count: u64| {
            let mut word = family.base.clone();
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            word.0[letter] = word.0[letter].saturating_add(count);
            word
        };
        Some([word(index), word(index.saturating_add(period))])
    })
}

/// Returns the digits that may be repeated in a family, as binary digits.
fn mask(reading: &Reading<'_>, family: &Family) -> usize {
    let digits = reading.digits.iter().enumerate();
    digits
        .filter(|(_, digit)| family.free.contains(digit))
        .map(|(place, _)| 1 << place)
        .sum()
}

/// Returns for each family the function of the digit counts that its least word has in each column.
///
/// Columns that are alike for all families are kept only once.
fn profiles(
    reading: &Reading<'_>,
    families: &[Family],
    control: &mut Control,
) -> Result<(Functions, Vec<Vec<Function>>), FamilyCheckError> {
    let cycles: Vec<(u64, u64)> = (0..reading.levels.len())
        .map(|level| reading.cycle_of(level))
        .collect();
    let sides: Vec<u64> = cycles.iter().map(|(r, p)| r.saturating_add(*p)).collect();
    let columns = sides.iter().fold(1_u64, |all, &x| all.saturating_mul(x));
    if columns > MAX_COLUMNS {
        return Err(too_large("columns", columns as usize, MAX_COLUMNS as usize));
    }
    let entries = families.len().saturating_mul(columns as usize);
    if entries > MAX_ENTRIES {
        return Err(too_large("entries of profiles", entries, MAX_ENTRIES));
    }
    let mut starts: BTreeSet<Vec<u32>> = BTreeSet::new();
    let mut counts = vec![0; sides.len()];
    for _ in 0..columns {
        control.spend(10 + (20 * families.len() * (1 + counts.len())) as u64)?;
        let start = |family: &Family| {
            let mut place = reading.root;
            for (level, &letter) in reading.levels.iter().enumerate() {
                let count = counts[level] + u64::from(family.base.0[letter]);
                place = reading.child(place, level, count);
            }
            place
        };
        starts.insert(families.iter().map(start).collect());
        for (count, &side) in counts.iter_mut().zip(&sides) {
            *count += 1;
            if *count < side {
                break;
            }
            *count = 0;
        }
    }
    let starts: Vec<Vec<u32>> = starts.into_iter().collect();
    let rest = |family: &Family| -> Vec<u32> {
        let digits = reading.digits.iter();
        digits.map(|&digit| family.base.0[digit]).collect()
    };
    let rests: Vec<Vec<u32>> = families.iter().map(rest).collect();
    Functions::new(reading, &starts, &rests, control)
}

/// The search for two words of equal value in two families.
struct Search<'a> {
    functions: &'a Functions,
    /// The digits that may be repeated on either side.
    masks: [usize; 2],
    /// The sets from which no set that shows words of equal value can be reached.
    ///
    /// The flag says whether the words differ.
    seen: HashSet<(Set, bool)>,
    members: usize,
    /// The pairs of functions examined alone.
    ///
    /// The value says whether different words differ in what is read from the pair on.
    alone: HashMap<(Function, Function), bool>,
}

/// Counts of the digits on either side.
type Both = [Vec<u32>; 2];

impl<'a> Search<'a> {
    fn new(functions: &'a Functions, masks: [usize; 2]) -> Self {
        Self {
            functions,
            masks,
            seen: HashSet::new(),
            members: 0,
            alone: HashMap::new(),
        }
    }

    /// Returns counts of the digits with which two different words have equal value.
    fn equal_counts(
        &mut self,
        set: Set,
        differ: bool,
        control: &mut Control,
    ) -> Result<Option<Both>, FamilyCheckError> {
        if differ {
            if set.iter().any(|pair| self.alone.get(pair) == Some(&true)) {
                return Ok(None);
            }
            let unknown = set.iter().filter(|pair| !self.alone.contains_key(pair));
            let unknown: Vec<_> = unknown.copied().take(MAX_ALONE).collect();
            for pair in unknown {
                let found = self.search(vec![pair], true, MAX_SETS_OF_ONE, control)?;
                let enough = matches!(found, SearchResult::Nothing);
                self.alone.insert(pair, enough);
                if enough {
                    return Ok(None);
                }
            }
        }
        match self.search(set, differ, usize::MAX, control)? {
            SearchResult::Equal(counts) => Ok(Some(counts)),
            SearchResult::Nothing | SearchResult::TooManySets => Ok(None),
        }
    }

    /// Searches for a set without different functions that is reached by different words.
    fn search(
        &mut self,
        start: Set,
        differ: bool,
        limit: usize,
        control: &mut Control,
    ) -> Result<SearchResult, FamilyCheckError> {
        // The way to each set that this search has reached: the set before and the digits read.
        let mut met: Vec<(Set, bool, usize, [usize; 2])> = vec![(start, differ, 0, [0, 0])];
        let mut own: HashSet<(Set, bool)> = HashSet::new();
        own.extend(met.first().map(|(set, differ, ..)| (set.clone(), *differ)));
        let mut open = VecDeque::from([0]);
        let mut members = 0;
        while let Some(number) = open.pop_front() {
            let (set, differ) = (met[number].0.clone(), met[number].1);
            if differ && set.iter().all(|(f, g)| f == g) {
                return Ok(SearchResult::Equal(self.read(&met, number)));
            }
            for digits in self.choices() {
                let mut after = Set::new();
                for &pair in &set {
                    self.functions.follow(pair, digits, &mut after);
                }
                control.spend(100 + 40 * after.len() as u64)?;
                self.functions.normalize(&mut after);
                let differ = differ || digits[0] != digits[1];
                if differ && after.iter().any(|pair| self.alone.get(pair) == Some(&true)) {
                    continue;
                }
                let key = (after, differ);
                if self.seen.contains(&key) || own.contains(&key) {
                    continue;
                }
                members += 1 + key.0.len();
                if self.members + members > MAX_MEMBERS {
                    let found = self.members + members;
                    return Err(too_large("members of sets", found, MAX_MEMBERS));
                }
                if met.len() >= limit {
                    return Ok(SearchResult::TooManySets);
                }
                open.push_back(met.len());
                met.push((key.0.clone(), differ, number, digits));
                own.insert(key);
            }
        }
        self.members += members;
        self.seen.extend(own);
        Ok(SearchResult::Nothing)
    }

    /// Returns all choices of binary digits of the letters that may be repeated on either side.
    fn choices(&self) -> Vec<[usize; 2]> {
        let all = 0..1 << self.functions.digits();
        let allowed = |mask: usize| all.clone().filter(move |bits| bits & !mask == 0);
        let [one, other] = self.masks;
        allowed(one)
            .flat_map(|k| allowed(other).map(move |l| [k, l]))
            .collect()
    }

    /// Returns the counts that were read on the way to a set.
    fn read(&self, met: &[(Set, bool, usize, [usize; 2])], mut number: usize) -> Both {
        let mut counts = [0, 1].map(|_| vec![0_u32; self.functions.digits()]);
        while number > 0 {
            let (_, _, before, bits) = &met[number];
            for (counts, bits) in counts.iter_mut().zip(bits) {
                for (digit, count) in counts.iter_mut().enumerate() {
                    *count = count.saturating_mul(2) + (bits >> digit & 1) as u32;
                }
            }
            number = *before;
        }
        counts
    }
}

/// The result of a search.
enum SearchResult {
    /// No set shows words of equal value.
    Nothing,
    /// A set that shows words of equal value, by the counts read.
    Equal(Both),
    /// More sets than were allowed.
    TooManySets,
}
