//! The genera of the heaps of a game, and the known part of its normal play.

use misere_algebra::forms::sequence::{GenusSequence, genera};
use misere_algebra::genus::Class;
use misere_census::normal_results::NormalResult;
use misere_check::normal_period::check;
use misere_engine::normal::far::{Far, StopReason};
use misere_engine::normal::{self, Ending};
use misere_engine::quotient::renumbered_period;
use misere_game::control::{Control, Interrupt};
use misere_game::ruleset::{Code, Renumbering};
use misere_game::solution::{ArithmeticPeriod, NimPeriod};

use super::claims::{Claim, Ground};
use super::shell::thousands;

/// The greatest heap whose genus is shown.
const GENERA: u32 = 32;

/// Fuel for the genera of a game: about a fifth of a second.
const GENUS_FUEL: u64 = 200_000;

/// The greatest heap whose nim-value is computed for a page.
const NIM_VALUES: u32 = 20_000;

/// Fuel for the nim-values of a game, and for the check of their period.
const NIM_FUEL: u64 = 300_000;

/// The least number of heaps for each rare one at which the rare heaps are listed.
const SPARSE: u64 = 8;

/// The number of rare heaps that are listed.
const LISTED: usize = 12;

/// The number of nim-values that are sought in the OEIS.
const SOUGHT: usize = 20;

/// The genera and the normal play of a game.
#[derive(Debug)]
pub(super) struct NimView {
    pub(super) genera: Vec<GenusBox>,
    /// The facts that the genera show: the first heap that is not tame, and the period.
    pub(super) genera_say: Vec<String>,
    /// The proved claims about normal play.
    pub(super) normal: Vec<Claim>,
    /// The sentences on the computed part of normal play.
    pub(super) normal_says: Vec<String>,
}

/// The box of one heap in the strip of genera.
#[derive(Debug)]
pub(super) struct GenusBox {
    pub(super) heap: usize,
    /// The nim-value, which is the base of the genus.
    pub(super) base: u32,
    /// The superscript, empty for heaps that equal a nimber.
    pub(super) superscript: String,
    /// The full description of the box.
    pub(super) text: String,
    /// The colour of the class, by its number in the style sheet.
    pub(super) class: &'static str,
}

impl NimView {
    /// Computes the genera and the normal play of a game, within the limits of a page.
    pub(super) fn at(code: &Code) -> Self {
        let control = &mut Control::new(GENUS_FUEL, Interrupt::default());
        let found = genera(code, GENERA, control);
        let (normal, normal_says) = normal_play(code);
        Self {
            genera_say: of_genera(&found),
            genera: boxes(&found),
            normal,
            normal_says,
        }
    }
}

impl NimView {
    /// Returns the address of a search for the first nim-values in the OEIS, if enough are known.
    pub(super) fn oeis(&self) -> Option<String> {
        let values = self.genera.iter().take(SOUGHT);
        let values: Vec<String> = values.map(|genus| genus.base.to_string()).collect();
        let address = format!("https://oeis.org/search?q={}", values.join(","));
        (values.len() == SOUGHT).then_some(address)
    }

    /// Replaces the computed normal play by a precomputed one, unless the former proves a period.
    pub(super) fn with_result(mut self, code: &Code, result: Option<&NormalResult>) -> Self {
        let (Some(result), true) = (result, self.normal.is_empty()) else {
            return self;
        };
        self.normal = period_of_result(result, code).into_iter().collect();
        self.normal_says = result_says(result, code);
        self
    }
}

fn boxes(found: &GenusSequence) -> Vec<GenusBox> {
    let heaps = found.heaps.iter().enumerate().skip(1);
    let boxes = heaps.take(GENERA as usize).map(|(heap, of)| {
        let written = of.genus.to_string();
        let superscript = written.split_once('^').map_or("", |(_, above)| above);
        let is_nimber = of.class == Class::NimHeap;
        GenusBox {
            heap,
            base: of.genus.nim_value(),
            superscript: match is_nimber {
                true => String::new(),
                false => superscript.to_owned(),
            },
            text: match is_nimber {
                true => format!(
                    "heap {heap}: equal to the Nim heap of {}",
                    of.genus.nim_value()
                ),
                false => format!("heap {heap}: genus {written}, {}", of.class),
            },
            class: match of.class {
                Class::NimHeap => "nimber",
                Class::Tame => "is-tame",
                Class::Restive => "restive",
                Class::Restless => "restless",
                Class::Wild => "is-wild",
            },
        }
    });
    boxes.collect()
}

fn of_genera(found: &GenusSequence) -> Vec<String> {
    let last = found.heaps.len().saturating_sub(1);
    let mut said = Vec::new();
    let first = found.first(|heap| !heap.class.is_tame());
    said.push(match first {
        Some(heap) => {
            let class = found.heaps.get(heap as usize);
            let class = class.map_or_else(String::new, |of| of.class.to_string());
            format!("The first heap that is not tame is heap {heap}; it is {class}.")
        }
        None => format!("The heaps to {last} are tame, each taken alone."),
    });
    if let Some(period) = found.period {
        said.push(format!(
            "The genera have period {} from heap {} on.",
            period.period, period.preperiod
        ));
    }
    said
}

/// Returns the proved claims on normal play, and the sentences on nim-values to [`NIM_VALUES`].
fn normal_play(code: &Code) -> (Vec<Claim>, Vec<String>) {
    let control = &mut Control::new(NIM_FUEL, Interrupt::default());
    match Far::new(code) {
        Ok(far) => sparse(far, control),
        Err(_) => plain(code, control),
    }
}

fn sparse(mut far: Far, control: &mut Control) -> (Vec<Claim>, Vec<String>) {
    let ended = far.run_until(NIM_VALUES, |_, _| {}, control);
    let mut proved = Vec::new();
    if let StopReason::Periodic(claimed) = &ended {
        let control = &mut Control::new(NIM_FUEL, Interrupt::default());
        match check(claimed, control) {
            Ok(()) => proved.push(period_proved(claimed.period, claimed.preperiod)),
            Err(error) => tracing::warn!(code = %far.code(), %error, "a period was not proved"),
        }
    }
    let mut says = vec![to_heap(far.heap(), !proved.is_empty())];
    let (greatest, at) = far.values().greatest();
    says.push(format!(
        "The greatest nim-value among them is {greatest}, first of heap {}.",
        thousands(at.into())
    ));
    let rare = far.rare();
    // Where many heaps are rare, the mask says nothing.
    if rare.len() as u64 * SPARSE <= u64::from(far.heap()) {
        says.push(rares(&far, rare));
    }
    (proved, says)
}

/// Returns the sparse space and the rare heaps, in a sentence.
fn rares(far: &Far, rare: &[u32]) -> String {
    let space = far.space();
    let parity = match space.parity {
        true => ", with the parity of the heap,",
        false => "",
    };
    let listed: Vec<String> = rare.iter().map(|&heap| thousands(heap.into())).collect();
    let heaps = match (rare.len(), rare.last()) {
        (_, None) => "no heap is rare".to_owned(),
        (1, Some(_)) => format!("one heap is rare, heap {}", listed[0]),
        (many, Some(_)) if many <= LISTED => {
            format!("{many} heaps are rare: {}", listed.join(", "))
        }
        (many, Some(&last)) => format!(
            "{many} heaps are rare, the last of them heap {}",
            thousands(last.into())
        ),
    };
    format!("Under the mask {:b}{parity} {heaps}.", space.mask)
}

/// Returns the period that a result proves, in the heap numbers of the code.
fn period_of_result(result: &NormalResult, code: &Code) -> Option<Claim> {
    let period = NimPeriod {
        period: result.period?,
        preperiod: result.preperiod?,
    };
    let renumbering = Renumbering::between(result.code(), code)?;
    let found = renumbered_period(period, &renumbering, code);
    result
        .is_solved()
        .then(|| period_proved(found.period, found.preperiod))
}

/// Returns the sentences on a result.
fn result_says(result: &NormalResult, code: &Code) -> Vec<String> {
    let under = match result.code() == code {
        true => String::new(),
        false => format!(" (of the same game as {})", result.code()),
    };
    let end = match result.is_solved() {
        true => "this proves the period",
        false => "no period is proved",
    };
    let mut says = vec![format!(
        "The nim-values{under} were computed to heap {}; {end}.",
        thousands(result.values.heaps.into())
    )];
    let Some(last) = result.last_mark() else {
        return says;
    };
    says.push(format!(
        "The greatest nim-value among them is {}, first of heap {}; the most frequent is {}, of \
         {} heaps.",
        last.max_nim_value,
        thousands(last.max_nim_value_heap.into()),
        last.most_frequent,
        thousands(last.frequency.into())
    ));
    let parity = match result.values.parity {
        true => ", with the parity of the heap,",
        false => "",
    };
    let heaps = match last.rare {
        0 => "no heap is rare".to_owned(),
        1 => format!(
            "one heap is rare, heap {}",
            thousands(last.last_rare.into())
        ),
        many => format!(
            "{} heaps are rare, the last of them heap {}",
            thousands(many.into()),
            thousands(last.last_rare.into())
        ),
    };
    says.push(format!(
        "Under the mask {:b}{parity} {heaps}.",
        result.values.mask
    ));
    says
}

/// Returns the normal play of a game that is not an octal game.
fn plain(code: &Code, control: &mut Control) -> (Vec<Claim>, Vec<String>) {
    if code.finite_game().is_some() {
        return (Vec::new(), Vec::new());
    }
    let found = normal::solve(code, NIM_VALUES / 10, control);
    let last = found.nim_values.len().saturating_sub(1) as u32;
    match found.ending {
        Ending::Periodic(found) => {
            let proved = period_proved(found.period, found.preperiod);
            (vec![proved], vec![to_heap(last, true)])
        }
        Ending::Arithmetic(found) => (vec![grows_for_ever(found)], Vec::new()),
        Ending::Exhausted(_) | Ending::Interrupted => (Vec::new(), vec![to_heap(last, false)]),
    }
}

fn grows_for_ever(found: ArithmeticPeriod) -> Claim {
    Claim {
        ground: Ground::Proved,
        text: format!(
            "From heap {} on the nim-value of a heap with {} more beans is greater by {}.",
            thousands(found.preperiod.into()),
            found.period,
            found.saltus
        ),
    }
}

fn period_proved(period: u32, preperiod: u32) -> Claim {
    Claim {
        ground: Ground::Proved,
        text: format!(
            "The nim-values have period {period} from heap {} on.",
            thousands(preperiod.into())
        ),
    }
}

fn to_heap(heap: u32, proves: bool) -> String {
    let end = match proves {
        true => "this proves the period",
        false => "no period is proved",
    };
    format!(
        "The nim-values were computed to heap {}; {end}.",
        thousands(heap.into())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(code: &str) -> NimView {
        NimView::at(&code.parse().unwrap())
    }

    #[test]
    fn genera_as_plambeck_has_them() {
        let found = view("0.123");
        let boxes: Vec<(u32, &str)> = found.genera[4..9]
            .iter()
            .map(|of| (of.base, of.superscript.as_str()))
            .collect();
        assert_eq!(boxes, [(1, ""), (0, "02"), (0, ""), (2, "1420"), (1, "20")]);
        assert_eq!(
            found.genera_say,
            [
                "The first heap that is not tame is heap 8; it is restless.",
                "The genera have period 5 from heap 5 on."
            ]
        );
    }

    #[test]
    fn nim_values_are_sought_in_the_oeis() {
        let kayles = "https://oeis.org/search?q=1,2,3,1,4,3,2,1,4,2,6,4,1,2,7,1,4,3,2,1";
        assert_eq!(view("0.77").oeis().as_deref(), Some(kayles));
        assert_eq!(view("{*2,0}").oeis(), None);
    }

    #[test]
    fn normal_play_is_proved_or_open() {
        let found = view("0.156");
        let proved = &found.normal[0];
        assert_eq!(proved.ground, Ground::Proved);
        assert!(
            proved.text.contains("period 349 from heap 3\u{202f}479 on"),
            "{}",
            proved.text
        );
        let says = found.normal_says.join(" ");
        assert!(
            says.contains("14 heaps are rare, the last of them heap 357"),
            "{says}"
        );
        for open in ["0.007", "grundy"] {
            let found = view(open);
            assert!(found.normal.is_empty());
            assert!(
                found.normal_says[0].contains("no period is proved"),
                "{open}"
            );
        }
        assert!(view("{*2,0}").normal_says.is_empty());
        // The mask of a game with few heaps says nothing.
        assert!(!view("0.123").normal_says.join(" ").contains("rare"));
    }
}
