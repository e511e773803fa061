//! The picture of the orders of the partial quotients of a game, heap by heap.

use misere_game::solution::{Partial, Verdict};

use crate::svg::{Body, MARGIN, number, shortened};

/// The data that is plotted.
#[derive(Clone, Copy, Debug)]
pub struct GrowthPlot<'a> {
    /// The game, as it is written.
    pub code: &'a str,
    /// Each heap at which the partial quotient changed, in ascending order.
    pub partials: &'a [Partial],
    /// The greatest heap to which partial quotients are known.
    pub heaps: u32,
    /// The verdict on the game.
    pub verdict: Verdict,
    /// The heap to which the quotient is proved infinite, if it is.
    pub infinite_to: Option<u32>,
    /// The rule that is proved to decide the game, if its partial quotients grow: `a law`.
    pub rule: Option<&'a str>,
    /// The preperiod and the period of the words of all heaps, if there are such words.
    ///
    /// They solve the game past an infinite quotient.
    pub all_heaps: Option<(u32, u32)>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 58.0;
const RIGHT: f64 = 24.0;
const BOTTOM: f64 = 74.0;

/// Draws `|Q_n|` and `|P_n|` over `n` as steps, on a logarithmic scale.
///
/// Where the game diverges a wall marks the heap. The axis of a game whose quotient has long
/// stopped changing ends a little after its last change.
///
/// Cost: linear in the partial quotients.
///
/// ```
/// use misere_pictures::{GrowthPlot, growth};
/// use misere_game::control::Control;
/// use misere_engine::quotient::{Limits, Strategy, solve};
/// let control = &mut Control::unlimited();
/// let solution = solve(&"0.123".parse()?, &Limits::default(), Strategy::Exact, control);
/// let picture = growth(&GrowthPlot {
///     code: "0.123",
///     partials: &solution.partials,
///     heaps: solution.heaps(),
///     verdict: solution.verdict,
///     infinite_to: None,
///     rule: None,
///     all_heaps: None,
/// });
/// assert!(picture.starts_with("<svg") && picture.contains("order 20, 5 in P"));
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[must_use]
pub fn growth(plot: &GrowthPlot<'_>) -> String {
    let (end, is_cut) = last_heap(plot);
    let greatest = plot.partials.iter().map(|partial| partial.order).max();
    let decades = f64::from(greatest.unwrap_or(1)).log10().ceil().max(1.0);
    let scale = Scale { end, decades };
    let mut body = Body::default();
    body.text(
        (MARGIN, 32.0),
        "start",
        17.0,
        "mp-ink",
        &format!("{}: partial quotients", plot.code),
    );
    axes(&mut body, &scale);
    // The order of Q_n is drawn from n to n + 1.
    let known = (f64::from(plot.heaps) + 1.0).min(end);
    let orders: Vec<(u32, u32)> = plot.partials.iter().map(|at| (at.heap, at.order)).collect();
    let p_sizes: Vec<(u32, u32)> = plot
        .partials
        .iter()
        .map(|at| (at.heap, at.p_size))
        .collect();
    // The trivial quotient has no element in P, and 0 has no logarithm.
    body.push(&steps(&scale, &p_sizes, None, known, "mp-p-line"));
    body.push(&steps(&scale, &orders, Some(1), known, "mp-q-line"));
    for at in plot.partials.iter().filter(|at| f64::from(at.heap) <= end) {
        body.push(&format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"3\" class=\"mp-q-ink\"><title>heap {}: order {}, {} in P</title></circle>",
            number(scale.x(f64::from(at.heap))),
            number(scale.y(f64::from(at.order))),
            at.heap,
            at.order,
            at.p_size
        ));
    }
    if let Some(heap) = plot.verdict.diverges_at() {
        // The quotients from the divergence to the heap of the proof are not proved infinite.
        wall(&mut body, &scale, heap, plot.infinite_to == Some(heap));
    }
    let legend_y = HEIGHT - 14.0;
    body.line(
        (LEFT, legend_y - 4.0),
        (LEFT + 26.0, legend_y - 4.0),
        "mp-q-line",
        " stroke-width=\"2.2\"",
    );
    body.text((LEFT + 32.0, legend_y), "start", 12.0, "mp-q-ink", "|Qₙ|");
    body.line(
        (LEFT + 74.0, legend_y - 4.0),
        (LEFT + 100.0, legend_y - 4.0),
        "mp-p-line",
        " stroke-width=\"2.2\"",
    );
    body.text((LEFT + 106.0, legend_y), "start", 12.0, "mp-p-ink", "|Pₙ|");
    let mut end_words = ending(plot);
    if is_cut {
        end_words.push_str(&format!("; known to heap {}", plot.heaps));
    }
    body.text(
        (WIDTH - RIGHT, legend_y),
        "end",
        12.0,
        "mp-soft",
        &end_words,
    );
    let last = plot.partials.last();
    let description = format!(
        "Orders of the partial quotients of {} and of their P-portions, heap by heap, on a logarithmic scale. {} changes; the last at \
         heap {}, to order {}. {end_words}.",
        plot.code,
        plot.partials.len(),
        last.map_or(0, |at| at.heap),
        last.map_or(1, |at| at.order),
    );
    let title = format!("{}: growth of the partial quotients", shortened(plot.code));
    body.picture(WIDTH, HEIGHT, &title, &description, "")
}

struct Scale {
    end: f64,
    decades: f64,
}

impl Scale {
    fn x(&self, heap: f64) -> f64 {
        LEFT + heap / self.end * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, order: f64) -> f64 {
        HEIGHT - BOTTOM - order.max(1.0).log10() / self.decades * (HEIGHT - BOTTOM - TOP)
    }
}

/// Returns the last heap on the axis, and whether more are known.
fn last_heap(plot: &GrowthPlot<'_>) -> (f64, bool) {
    let changed = plot.partials.last().map_or(0, |at| at.heap);
    let wall = plot.verdict.diverges_at().unwrap_or(0);
    let wanted = (changed + changed / 3 + 4).max(wall + 1);
    (
        f64::from(wanted.min(plot.heaps.max(wall + 1)).max(1)),
        plot.heaps > wanted,
    )
}

fn axes(body: &mut Body, scale: &Scale) {
    let (floor, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    for decade in 0..=scale.decades as u32 {
        for step in [1, 2, 5] {
            let order = f64::from(10_u32.saturating_pow(decade)) * f64::from(step);
            if order > 10_f64.powf(scale.decades) * 1.001 || (step > 1 && scale.decades > 3.0) {
                continue;
            }
            let y = scale.y(order);
            body.line((LEFT, y), (right, y), "mp-faint", "");
            body.text(
                (LEFT - 8.0, y + 4.0),
                "end",
                11.0,
                "mp-soft",
                &format!("{order}"),
            );
        }
    }
    let stride = stride(scale.end);
    let mut heap = 0.0;
    while heap <= scale.end {
        let x = scale.x(heap);
        body.line((x, floor), (x, floor + 5.0), "mp-line", "");
        body.text(
            (x, floor + 19.0),
            "middle",
            11.0,
            "mp-soft",
            &format!("{heap}"),
        );
        heap += stride;
    }
    body.line((LEFT, floor), (right, floor), "mp-line", "");
    body.line((LEFT, TOP), (LEFT, floor), "mp-line", "");
    body.text((right, floor + 36.0), "end", 12.0, "mp-soft", "heap n");
}

/// Returns 1, 2 or 5 times a power of ten, so that there are at most a dozen marks.
fn stride(end: f64) -> f64 {
    let mut power = 1.0;
    loop {
        for step in [1.0, 2.0, 5.0] {
            if end / (step * power) <= 12.0 {
                return step * power;
            }
        }
        power *= 10.0;
    }
}

fn steps(
    scale: &Scale,
    changes: &[(u32, u32)],
    first: Option<u32>,
    known: f64,
    class: &str,
) -> String {
    let mut path = String::new();
    let mut present = first;
    if let Some(first) = first {
        path.push_str(&format!(
            "M{} {}",
            number(scale.x(0.0)),
            number(scale.y(f64::from(first)))
        ));
    }
    for &(heap, size) in changes {
        let (x, y) = (number(scale.x(f64::from(heap))), scale.y(f64::from(size)));
        match present {
            Some(_) => path.push_str(&format!("H{x}V{}", number(y))),
            None => path.push_str(&format!("M{x} {}", number(y))),
        }
        present = Some(size);
    }
    if present.is_some() {
        path.push_str(&format!("H{}", number(scale.x(known))));
    }
    format!("<path d=\"{path}\" class=\"{class}\" stroke-width=\"2.2\"/>")
}

fn wall(body: &mut Body, scale: &Scale, heap: u32, is_proved: bool) {
    let x = scale.x(f64::from(heap));
    let dashes = if is_proved {
        ""
    } else {
        " stroke-dasharray=\"6 4\""
    };
    body.line(
        (x, TOP),
        (x, HEIGHT - BOTTOM),
        "mp-wall",
        &format!("{dashes} stroke-width=\"2\""),
    );
    let word = if is_proved { "∞" } else { "∞ ?" };
    body.text((x, TOP - 6.0), "middle", 15.0, "mp-wall-ink", word);
}

/// Returns the end of a game in a few words, with its certainty.
///
/// ```
/// use misere_pictures::{GrowthPlot, ending};
/// use misere_game::solution::Verdict;
/// let plot = GrowthPlot {
///     code: "0.31011",
///     partials: &[],
///     heaps: 4,
///     verdict: Verdict::Diverges { heap: 5, copies: 200 },
///     infinite_to: Some(5),
///     rule: None,
///     all_heaps: Some((6, 2)),
/// };
/// let solved = "infinite at heap 5; solved with period 2 from heap 6 on (proved)";
/// assert_eq!(ending(&plot), solved);
/// let later = GrowthPlot { infinite_to: Some(9), all_heaps: None, ..plot };
/// assert_eq!(ending(&later), "infinite to heap 9 (proved), diverges at heap 5");
/// ```
#[must_use]
pub fn ending(plot: &GrowthPlot<'_>) -> String {
    let heaps = plot.heaps;
    match plot.verdict {
        Verdict::Solved { period, preperiod } => {
            format!("solved: period {period} from heap {preperiod} on (proved)")
        }
        Verdict::TameRelative { heap } => format!("tame relative to heap {heap} (proved)"),
        Verdict::Diverges { heap, .. } => match (plot.all_heaps, plot.infinite_to) {
            (Some((preperiod, period)), infinite_to) => format!(
                "infinite at heap {}; solved with period {period} from heap {preperiod} on (proved)",
                infinite_to.unwrap_or(heap)
            ),
            (None, Some(proved)) if proved > heap => {
                format!("infinite to heap {proved} (proved), diverges at heap {heap}")
            }
            (None, Some(proved)) => format!("infinite at heap {proved} (proved)"),
            (None, None) => format!("diverges at heap {heap}: seen, not proved"),
        },
        Verdict::Grows { start, period } => {
            let grows = format!("grows with period {period} from heap {start} on");
            match plot.rule {
                Some(rule) => format!("{grows}; solved by {rule} (proved)"),
                None => format!("{grows} (a conjecture)"),
            }
        }
        Verdict::Exhausted(_) | Verdict::Interrupted => format!("open beyond heap {heaps}"),
    }
}
