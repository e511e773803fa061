//! Lies about growth: another polynomial, word, start or period.

use std::sync::LazyLock;

use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::control::Control;
use misere_game::solution::{Growth, Solution, Verdict};

use super::dice::Dice;
use super::{Enemy, tells};

/// Games that grow, with enough heaps to claim a pattern.
static GROWING: LazyLock<Vec<Solution>> = LazyLock::new(|| {
    let grown = |(code, max_heap): (&str, u32)| {
        let limits = Limits {
            max_heap,
            ..Limits::default()
        };
        let code = code.parse().unwrap();
        solve(&code, &limits, Strategy::Exact, &mut Control::unlimited())
    };
    let solutions = [("4.7", 34), ("0.26", 60)].map(grown);
    let grow = |solution: &Solution| matches!(solution.verdict, Verdict::Grows { .. });
    solutions.into_iter().filter(grow).collect()
});

/// Checks that the quotients and values listed follow the pattern, from its start on and from no
/// earlier heap.
pub(crate) fn holds(claim: &Solution, growth: &Growth) -> Result<(), String> {
    if !grows(growth) {
        return Err("orders that do not grow".to_owned());
    }
    if growth.start == 0 {
        return Err("it begins at heap 0".to_owned());
    }
    for heap in growth.start..=claim.heaps() {
        if !sizes_follow(claim, growth, heap) {
            return Err(format!("the sizes at heap {heap} are off the pattern"));
        }
        if (heap <= growth.words_to) != word_follows(claim, growth, heap)
            && heap <= growth.words_to + 1
        {
            return Err(format!(
                "the words do not end with heap {}",
                growth.words_to
            ));
        }
    }
    let before = growth.start - 1;
    if before > 0 && sizes_follow(claim, growth, before) && word_follows(claim, growth, before) {
        return Err(format!("heap {before} follows, too"));
    }
    Ok(())
}

/// Reports whether every order tends to infinity.
fn grows(growth: &Growth) -> bool {
    let tends = |c: &[i64]| {
        c.iter()
            .rposition(|&c| c != 0)
            .is_some_and(|at| at > 0 && c[at] > 0)
    };
    growth.orders.iter().all(|order| tends(&order.0))
}

/// Returns `t` choose `j`, for any integer `t`.
fn choose(t: i64, j: usize) -> i64 {
    (0..j as i64).fold(1, |product, i| product * (t - i) / (i + 1))
}

fn place(growth: &Growth, heap: u32) -> (usize, i64) {
    let since = i64::from(heap) - i64::from(growth.start);
    let period = i64::from(growth.period);
    (since.rem_euclid(period) as usize, since.div_euclid(period))
}

fn sizes_follow(claim: &Solution, growth: &Growth, heap: u32) -> bool {
    let (residue, t) = place(growth, heap);
    let last = claim.partials.iter().rfind(|partial| partial.heap <= heap);
    let sizes = last.map_or((1, 0), |last| {
        (i64::from(last.order), i64::from(last.p_size))
    });
    let at = |c: &[i64]| {
        c.iter()
            .enumerate()
            .map(|(j, c)| c * choose(t, j))
            .sum::<i64>()
    };
    (
        at(&growth.orders[residue].0),
        at(&growth.p_sizes[residue].0),
    ) == sizes
}

fn word_follows(claim: &Solution, growth: &Growth, heap: u32) -> bool {
    let (residue, t) = place(growth, heap);
    let word = &growth.words[residue];
    let is_new = word.fixed.is_empty() && word.moving == [(0, 1)];
    if is_new {
        return claim.generator_heaps.contains(&heap);
    }
    let moving = word.moving.iter();
    let moving = moving.map(|&(back, count)| (i64::from(heap) - i64::from(back), i64::from(count)));
    let fixed = word.fixed.iter();
    let fixed =
        fixed.map(|&(part, count, more)| (i64::from(part), i64::from(count) + i64::from(more) * t));
    let mut product = 0;
    for (part, count) in moving.chain(fixed) {
        let Some(g) = claim
            .generator_heaps
            .iter()
            .position(|&g| i64::from(g) == part)
        else {
            return count == 0;
        };
        if part == i64::from(heap) || !(0..=1_000).contains(&count) {
            return false;
        }
        for _ in 0..count {
            product = claim.quotient.act(product, g);
        }
    }
    product == claim.phi[heap as usize]
}

/// Returns a pattern with one or two numbers changed.
fn lie(dice: &mut Dice) -> Solution {
    let mut claim = dice.pick(&GROWING).clone();
    for _ in 0..=dice.below(2) {
        change(claim.growth.as_mut().unwrap(), dice);
    }
    if dice.below(8) == 0 {
        // The same claim about fewer heaps.
        let end = claim.phi.len() - dice.below(12);
        let heaps = end as u32 - 1;
        claim.phi.truncate(end);
        claim.partials.retain(|partial| partial.heap <= heaps);
    }
    let growth = claim.growth.as_ref().unwrap();
    claim.verdict = Verdict::Grows {
        start: growth.start,
        period: growth.period,
    };
    claim
}

fn change(growth: &mut Growth, dice: &mut Dice) {
    let by = [-1, 1, 2][dice.below(3)];
    let residue = dice.below(growth.words.len());
    let polynomials = match dice.below(2) {
        0 => &mut growth.orders,
        _ => &mut growth.p_sizes,
    };
    let sum = |number: u32, by: i64| u32::try_from(i64::from(number) + by).unwrap_or(0);
    match dice.below(11) {
        0 | 1 => {
            if let Some(polynomial) = polynomials.get_mut(residue) {
                let at = dice.below(polynomial.0.len());
                polynomial.0[at] += by;
            }
        }
        2 => {
            let (one, other) = (residue % polynomials.len(), dice.below(polynomials.len()));
            polynomials.swap(one, other);
        }
        3 => growth.start = sum(growth.start, by),
        4 => begun_one_heap_later(growth),
        5 => growth.words_to = sum(growth.words_to, by),
        6 => {
            // Twice the period: every other value, at half the time.
            growth.period *= 2;
            growth.orders.extend(growth.orders.clone());
            growth.p_sizes.extend(growth.p_sizes.clone());
            growth.words.extend(growth.words.clone());
        }
        7 => {
            if let Some(word) = growth.words.get_mut(residue) {
                word.fixed.push((1, 2, 0));
            }
        }
        8 => {
            if let Some((back, count)) = growth
                .words
                .get_mut(residue)
                .and_then(|w| w.moving.first_mut())
            {
                *back += by as i32;
                *count = sum(*count, i64::from(dice.below(2) as u32));
            }
        }
        9 => {
            if let Some(fixed) = growth
                .words
                .get_mut(residue)
                .and_then(|w| w.fixed.first_mut())
            {
                fixed.1 = sum(fixed.1, by);
            }
        }
        _ => {
            if let Some(word) = growth.words.get_mut(residue) {
                word.fixed = vec![(1 + dice.below(4) as u32, 1, dice.below(2) as u32)];
                word.moving = vec![(1 + dice.below(4) as i32, 1)];
            }
        }
    }
}

/// Begins the pattern one heap later: the first residue becomes the last, one period later.
fn begun_one_heap_later(growth: &mut Growth) {
    growth.start += 1;
    for polynomial in [&mut growth.orders[0], &mut growth.p_sizes[0]] {
        for j in 1..polynomial.0.len() {
            polynomial.0[j - 1] += polynomial.0[j];
        }
    }
    for (_, count, more) in &mut growth.words[0].fixed {
        *count += *more;
    }
    growth.orders.rotate_left(1);
    growth.p_sizes.rotate_left(1);
    growth.words.rotate_left(1);
}

pub(crate) fn attack(enemy: &mut Enemy, claims: u64, seed: u64) {
    for number in 0..claims {
        let claim = lie(&mut Dice(seed + number));
        enemy.claims(seed + number, &claim);
    }
}

#[test]
fn patterns_of_growth() {
    assert!(GROWING.len() > 1, "{}", GROWING.len());
    for game in &*GROWING {
        assert_eq!(holds(game, game.growth.as_ref().unwrap()), Ok(()));
    }
    tells(
        attack,
        500,
        &[
            "Ok",
            "NoPattern",
            "OffPattern",
            "PatternGoesOn",
            "WordOffPattern",
        ],
    );
}
