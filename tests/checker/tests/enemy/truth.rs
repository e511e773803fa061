//! The judge of the claims that the checker accepts.
//!
//! It decides by the rules of the game and by definitions. It shares no code with the checker but
//! the tables in which claims are made.

use std::collections::{BTreeSet, HashMap};

use misere_game::bipartite::{ClassKey, Element};
use misere_game::solution::{Evidence, Solution, Stages, Tail, Verdict};

use super::exact::{self, MAX_ORDER, Products};
use super::rules::Rules;
use super::{diagrams, families, growth, known, partials};

/// The greatest numbers of heaps and beans in the positions that are compared with the definition.
const MAX_SUMMANDS: usize = 4;
const MAX_BEANS: u32 = 22;
/// The number of heaps beyond the claim to which periods are computed.
const FURTHER: u32 = 40;

/// A judge, with the rules of games and the classes that it has seen.
#[derive(Default)]
pub(crate) struct Judge {
    rules: HashMap<String, Rules>,
    pub(crate) classes: HashMap<ClassKey, partials::Small>,
    finite_to: HashMap<String, u32>,
}

impl Judge {
    pub(crate) fn rules(&mut self, text: &str) -> &mut Rules {
        self.rules
            .entry(text.to_owned())
            .or_insert_with(|| Rules::of(text))
    }

    /// Checks that the claim is true, or reports what is false in it.
    pub(crate) fn hears(&mut self, claim: &Solution) -> Result<(), String> {
        let text = claim.code.to_string();
        let heaps = claim.heaps();
        self.outcomes_of_small_sums(claim)?;
        if claim.quotient.order() <= MAX_ORDER {
            let products = Products::of(&claim.quotient)?;
            if let Some((x, y)) = products.alike() {
                return Err(format!("nothing tells the elements {x} and {y} apart"));
            }
            if products.generated(claim.phi.iter().copied()) != products.order {
                return Err("the values of the heaps do not generate the quotient".to_owned());
            }
            let rules = self.rules(&text);
            exact::outcomes(&products, &pairs(rules, &products, &claim.phi)?)?;
            match claim.verdict {
                Verdict::Solved { period, preperiod } => {
                    repeats(rules, claim, &products, period, preperiod)?;
                }
                Verdict::TameRelative { heap } => {
                    let tail = claim.tail.ok_or("no tail")?;
                    is_tame_relative(rules, claim, &products, heap, &tail)?;
                }
                _ => {}
            }
        } else if matches!(
            claim.verdict,
            Verdict::Solved { .. } | Verdict::TameRelative { .. }
        ) {
            return Err("too large for this judge: such claims are not made here".to_owned());
        }
        for (g, &heap) in claim.generator_heaps.iter().enumerate() {
            if claim.phi.get(heap as usize) != Some(&claim.quotient.act(0, g)) {
                return Err(format!("generator {g} is not the value of heap {heap}"));
            }
        }
        partials::are_those_that_occur(claim, &mut self.classes)?;
        match (&claim.verdict, &claim.growth) {
            (Verdict::Grows { .. }, Some(pattern)) => growth::holds(claim, pattern)?,
            (Verdict::Diverges { heap, .. }, _) if *heap != heaps + 1 => {
                return Err("it is said to diverge elsewhere".to_owned());
            }
            _ => {}
        }
        if let Some(evidence) = &claim.evidence {
            let heap = heaps + 1;
            match evidence {
                Evidence::Columns(family) => {
                    families::outcomes_are_right(self.rules(&text), family)?;
                }
                Evidence::Diagram(family) => {
                    diagrams::outcomes_are_right(self.rules(&text), family)?;
                }
            }
            if self.is_finite(claim, heap) {
                return Err(format!("the quotient to heap {heap} is finite"));
            }
        }
        Ok(())
    }

    /// Reports whether the quotient of the heaps to this one is known to be finite.
    pub(crate) fn is_finite(&mut self, claim: &Solution, heap: u32) -> bool {
        let text = claim.code.to_string();
        if !self.finite_to.contains_key(&text) {
            let solution = known::solved_to(&claim.code, 24);
            let to = match solution.verdict {
                Verdict::Solved { .. } => u32::MAX,
                _ => solution.heaps(),
            };
            let products = Products::of(&solution.quotient).unwrap();
            let rules = self.rules(&text);
            let pairs = pairs(rules, &products, &solution.phi).unwrap();
            assert_eq!(exact::outcomes(&products, &pairs), Ok(()), "{text}");
            self.finite_to.insert(text.clone(), to);
        }
        self.finite_to[&text] >= heap
    }

    /// Compares the outcomes of the sums of few heaps with the definition.
    fn outcomes_of_small_sums(&mut self, claim: &Solution) -> Result<(), String> {
        let rules = self.rules(&claim.code.to_string());
        let words = misere_game::monoid::word::lex_least_words(&claim.quotient);
        let times = |x: Element, heap: u32| {
            let word = &words[claim.phi[heap as usize] as usize].0;
            claim
                .quotient
                .product_from(x, word.iter().copied().enumerate())
        };
        let mut open = vec![(Vec::new(), 0)];
        while let Some((position, value)) = open.pop() {
            if rules.is_p(&position) != claim.quotient.in_p(value) {
                return Err(format!("{position:?} has the other outcome"));
            }
            let left = MAX_BEANS - position.iter().sum::<u32>();
            if position.len() < MAX_SUMMANDS {
                let least = position.last().copied().unwrap_or(1);
                for heap in (least..=claim.heaps().min(left)).filter(|&heap| rules.is_live(heap)) {
                    let mut longer = position.clone();
                    longer.push(heap);
                    open.push((longer, times(value, heap)));
                }
            }
        }
        Ok(())
    }
}

/// Returns the value of every heap that has options, with the values of the options.
pub(crate) fn pairs(
    rules: &mut Rules,
    products: &Products,
    phi: &[Element],
) -> Result<BTreeSet<(Element, BTreeSet<Element>)>, String> {
    let mut pairs = BTreeSet::new();
    for (heap, &value) in (0..).zip(phi) {
        if value as usize >= products.order {
            return Err(format!("heap {heap} has no element for its value"));
        }
        let options = rules.options(heap);
        if options.is_empty() {
            if value != 0 {
                return Err(format!("heap {heap} is dead, and its value is {value}"));
            }
            continue;
        }
        let value_of = |option: &Vec<u32>| {
            let values = option.iter().map(|&part| phi[part as usize]);
            values.fold(0, |x, y| products.times(x, y))
        };
        pairs.insert((value, options.iter().map(value_of).collect()));
    }
    Ok(pairs)
}

/// Checks that the values go on as the period says, and that both numbers are the least.
fn repeats(
    rules: &mut Rules,
    claim: &Solution,
    products: &Products,
    period: u32,
    preperiod: u32,
) -> Result<(), String> {
    if period == 0 {
        return Err("a period of 0".to_owned());
    }
    let mut phi = claim.phi.clone();
    let end = claim.phi.len() + (2 * period + FURTHER) as usize;
    while phi.len() < end {
        phi.push(phi[phi.len() - period as usize]);
    }
    if claim.code.finite_game().is_none() {
        exact::outcomes(products, &pairs(rules, products, &phi)?)
            .map_err(|reason| format!("not for ever: {reason}"))?;
    } else {
        // Beyond the followers there are dead heaps only.
        pairs(rules, products, &phi)?;
    }
    is_least(&phi, period, preperiod)
}

/// Checks that a sequence repeats with this period and preperiod, and that both are the least.
fn is_least<T: PartialEq>(sequence: &[T], period: u32, preperiod: u32) -> Result<(), String> {
    let (p, from) = (period as usize, preperiod as usize);
    let holds = |p: usize, from: usize| {
        (from..sequence.len().saturating_sub(p)).all(|n| sequence[n] == sequence[n + p])
    };
    if from + p > sequence.len() || !holds(p, from) {
        return Err(format!("it does not repeat with {p} from {from} on"));
    }
    if from > 0 && holds(p, from - 1) {
        return Err(format!("it repeats from {} on", from - 1));
    }
    match (1..p).find(|&smaller| holds(smaller, from)) {
        Some(smaller) => Err(format!("it has the smaller period {smaller}")),
        None => Ok(()),
    }
}

/// Checks that the game goes on as a tame extension, as far as can be computed.
fn is_tame_relative(
    rules: &mut Rules,
    claim: &Solution,
    products: &Products,
    heap: u32,
    tail: &Tail,
) -> Result<(), String> {
    let kernel = products.kernel();
    let inside = |heap: u32| kernel.contains(&claim.phi[heap as usize]);
    if heap == 0 || heap > claim.heaps() || !(heap..=claim.heaps()).all(inside) || inside(heap - 1)
    {
        return Err(format!("heap {heap} is not where the kernel begins"));
    }
    let listed = tail.nim_heaps;
    let period = tail.nim_period.map_or(0, |nim| nim.period);
    let to = listed.max(claim.heaps()) + FURTHER.max(2 * period);
    let nim = rules.nim_values(to).to_vec();
    let largest = match tail.nim_period {
        Some(claimed) => {
            is_least(&nim, claimed.period, claimed.preperiod)?;
            nim.iter().copied().max()
        }
        None => nim[..=listed as usize].iter().copied().max(),
    };
    let stages = |largest: u32| (0..).find(|&j| (kernel.len() as u64) << j > u64::from(largest));
    let right = stages(largest.unwrap_or(0)).unwrap();
    match (tail.stages, tail.nim_period) {
        (Stages::Known(claimed), Some(_)) | (Stages::AtLeast(claimed), None)
            if claimed == right => {}
        _ => return Err(format!("the number of tame extensions is {right}")),
    }
    goes_on_as_extension(rules, claim, products, &nim)
}

/// Checks that the heaps that follow have the values in the tame extensions that their nim-values
/// name.
fn goes_on_as_extension(
    rules: &mut Rules,
    claim: &Solution,
    products: &Products,
    nim: &[u32],
) -> Result<(), String> {
    let mut nim_of = products
        .carried(&claim.phi, nim)
        .ok_or("the quotient is not faithful")?;
    let mut extended = products.clone();
    let mut kernel: Vec<Element> = products.kernel().into_iter().collect();
    let mut phi = claim.phi.clone();
    for &nim_value in &nim[phi.len()..] {
        while !kernel.iter().any(|&x| nim_of[x as usize] == nim_value) {
            if extended.order + kernel.len() > MAX_ORDER {
                return Ok(());
            }
            let bit = kernel.len() as u32;
            let copies: Vec<Element> = (extended.order as Element..).take(kernel.len()).collect();
            nim_of.extend(
                kernel
                    .iter()
                    .map(|&x| nim_of[x as usize] ^ bit)
                    .collect::<Vec<_>>(),
            );
            extended = extended.first_tame_extension(&kernel);
            kernel.extend(copies);
        }
        let of_kernel = kernel.iter().find(|&&x| nim_of[x as usize] == nim_value);
        phi.push(*of_kernel.ok_or("no element of the kernel has the nim-value")?);
    }
    exact::outcomes(&extended, &pairs(rules, &extended, &phi)?)
        .map_err(|reason| format!("not tame for ever: {reason}"))
}
