//! The normal play of a game, as text.

use misere_engine::normal::{Ending, NormalPlay};
use misere_game::solution::{ArithmeticPeriod, Limit};

use misere_census::quantity::write_fuel;

use crate::terminal::{Page, table};

/// The number of columns if no period determines it.
const FREE_COLUMNS: usize = 10;

/// Formats normal play as text.
pub fn describe(
    play: &NormalPlay,
    stopped_by: Option<String>,
    elapsed_s: f64,
    page: Page,
) -> String {
    let heaps = play.nim_values.len() - 1;
    let known = format!("nim-values known to heap {heaps}");
    let (status, columns, end) = match play.ending {
        Ending::Periodic(found) => {
            let end = (found.preperiod + found.period) as usize;
            (
                format!(
                    "solved: period {} from heap {} on",
                    found.period, found.preperiod
                ),
                (found.period as usize).clamp(1, 24),
                end.min(heaps),
            )
        }
        Ending::Arithmetic(found) => {
            let ArithmeticPeriod {
                period,
                saltus,
                preperiod,
                heaps: proof,
                ..
            } = found;
            (
                format!(
                    "solved: G(n + {period}) = G(n) + {saltus} from heap {preperiod} on: arithmetic \
                     period {period}, saltus {saltus}, proved by the heaps to {proof}"
                ),
                (period as usize).clamp(1, 24),
                (proof as usize).min(heaps),
            )
        }
        Ending::Exhausted(Limit::Fuel) => (
            format!("exhausted: fuel (raise --fuel); {known}"),
            FREE_COLUMNS,
            heaps,
        ),
        Ending::Exhausted(_) => (
            format!("exhausted: greatest heap (raise --max-heap); {known}"),
            FREE_COLUMNS,
            heaps,
        ),
        Ending::Interrupted => {
            let by = stopped_by.map_or_else(String::new, |by| format!(" {by}"));
            (
                format!("interrupted{by}: no verdict; {known}"),
                FREE_COLUMNS,
                heaps,
            )
        }
    };
    let largest = match (play.ending, play.nim_values.iter().max()) {
        (Ending::Arithmetic(_), _) => "there is no largest nim-value".to_owned(),
        (_, largest) => format!("largest nim-value {}", largest.copied().unwrap_or(0)),
    };
    let mut text = format!(
        "{}, normal play\n{status}\n\n{largest}; spent {} fuel, {elapsed_s:.3} s\n\nnim-values\n",
        console::style(&play.code).bold(),
        write_fuel(play.fuel),
    );
    let columns = if columns < 5 { FREE_COLUMNS } else { columns };
    let header = std::iter::once(String::new()).chain((1..=columns).map(|n| n.to_string()));
    let mut rows = vec![header.collect::<Vec<_>>()];
    let values = &play.nim_values[1..=end.max(1).min(heaps)];
    let lines: Vec<&[u32]> = values.chunks(columns).collect();
    let shown = page.rows.unwrap_or(usize::MAX).min(lines.len());
    for (row, line) in lines[..shown].iter().enumerate() {
        let label = std::iter::once(format!("{}+", row * columns));
        rows.push(label.chain(line.iter().map(ToString::to_string)).collect());
    }
    text.push_str(&table(&rows));
    if shown < lines.len() {
        text.push_str(&format!(
            "  … {} more rows (pipe the output or use --json to see all)\n",
            lines.len() - shown
        ));
    } else if matches!(play.ending, Ending::Periodic(_) | Ending::Arithmetic(_)) {
        text.push_str("  … and so on (proved)\n");
    }
    text
}
