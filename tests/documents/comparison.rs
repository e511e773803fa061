//! The comparison of printed lines with a page, except where the page leaves something out.
//!
//! On a page `…` within a line represents any text, and a line `…` any number of lines. White space
//! at the end of a line does not count.

/// The result for a line when the shown lines are compared with the printed ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Shown and printed, as the page writes it.
    Same(String),
    /// Shown, but not printed.
    Missing(String),
    /// Printed, but not shown.
    Unexpected(String),
}

/// Compares the shown lines with the printed ones, with as few differences as possible.
pub(crate) fn compare(shown: &[String], printed: &[String]) -> Vec<Line> {
    let costs = costs(shown, printed);
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < shown.len() || j < printed.len() {
        let cost = costs[i][j];
        if i < shown.len() && is_left_out(&shown[i]) {
            if costs[i + 1][j] == cost {
                lines.push(Line::Same(shown[i].clone()));
                i += 1;
            } else {
                j += 1;
            }
        } else if i < shown.len()
            && j < printed.len()
            && costs[i + 1][j + 1] == cost
            && matches(&shown[i], &printed[j])
        {
            lines.push(Line::Same(shown[i].clone()));
            (i, j) = (i + 1, j + 1);
        } else if i < shown.len() && j < printed.len() && costs[i + 1][j + 1] + 1 == cost {
            lines.push(Line::Missing(shown[i].clone()));
            lines.push(Line::Unexpected(printed[j].clone()));
            (i, j) = (i + 1, j + 1);
        } else if i < shown.len() && costs[i + 1][j] + 1 == cost {
            lines.push(Line::Missing(shown[i].clone()));
            i += 1;
        } else {
            lines.push(Line::Unexpected(printed[j].clone()));
            j += 1;
        }
    }
    lines
}

/// Computes `costs[i][j]`: the number of differences from `shown[i]` and `printed[j]` on.
fn costs(shown: &[String], printed: &[String]) -> Vec<Vec<usize>> {
    let mut costs = vec![vec![0; printed.len() + 1]; shown.len() + 1];
    for i in (0..=shown.len()).rev() {
        for j in (0..=printed.len()).rev() {
            let mut least = usize::MAX;
            if i == shown.len() && j == printed.len() {
                least = 0;
            }
            if i < shown.len() {
                let left_out = is_left_out(&shown[i]);
                least = least.min(costs[i + 1][j] + usize::from(!left_out));
                if j < printed.len() && left_out {
                    least = least.min(costs[i][j + 1]);
                } else if j < printed.len() {
                    let differs = !matches(&shown[i], &printed[j]);
                    least = least.min(costs[i + 1][j + 1] + usize::from(differs));
                }
            }
            if j < printed.len() {
                least = least.min(costs[i][j + 1] + 1);
            }
            costs[i][j] = least;
        }
    }
    costs
}

/// Reports whether a line of a page represents any number of lines.
fn is_left_out(shown: &str) -> bool {
    shown.trim() == "…"
}

/// Reports whether a line of a page agrees with a printed one.
fn matches(shown: &str, printed: &str) -> bool {
    let mut rest = printed.trim_end();
    let pieces: Vec<&str> = shown.trim_end().split('…').collect();
    let Some((last, others)) = pieces.split_last() else {
        return false;
    };
    for (place, piece) in others.iter().enumerate() {
        match rest.find(piece) {
            Some(at) if place > 0 || at == 0 => rest = &rest[at + piece.len()..],
            _ => return false,
        }
    }
    if others.is_empty() {
        rest == *last
    } else {
        rest.ends_with(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    fn same(shown: &str, printed: &str) -> bool {
        let compared = compare(&lines(shown), &lines(printed));
        compared.iter().all(|line| matches!(line, Line::Same(_)))
    }

    #[test]
    fn an_ellipsis_in_a_line_is_any_text() {
        assert!(same("a … c", "a b c"));
        assert!(same("a…", "a"));
        assert!(same("…a…b", "xaxb"));
        assert!(!same("…a…b", "xbxa"));
        assert!(!same("a … c", "xa b c"));
        assert!(!same("a b", "a  b"));
        assert!(same("a  ", "a"));
    }

    #[test]
    fn a_line_that_is_left_out_is_any_number_of_lines() {
        assert!(same("a\n…\nc", "a\nb\nb\nc"));
        assert!(same("a\n  …\nc", "a\nc"));
        assert!(same("…\nc\n…", "a\nb\nc"));
        assert!(!same("a\n…\nd", "a\nb\nc"));
        assert!(!same("a", "a\nb"));
        assert!(!same("a\nb", "a"));
    }

    #[test]
    fn a_difference_is_where_it_is() {
        let compared = compare(&lines("a\nb\n…\nd"), &lines("a\nx\ny\nd\ne"));
        let expected = [
            Line::Same("a".to_owned()),
            Line::Missing("b".to_owned()),
            Line::Unexpected("x".to_owned()),
            Line::Same("…".to_owned()),
            Line::Same("d".to_owned()),
            Line::Unexpected("e".to_owned()),
        ];
        assert_eq!(compared, expected);
    }
}
