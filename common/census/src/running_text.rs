//! Running text: items set in lines of a given width.

/// Sets `items` as running text.
///
/// They are separated by spaces and broken to `width` columns, with continued lines indented by
/// `indent` spaces. The first line starts after `indent` columns that the caller has already
/// written.
///
/// Cost: linear in the items.
///
/// ```
/// use misere_census::running_text::flow;
/// let heaps = ["1", "2", "4", "8", "16"];
/// assert_eq!(format!("heaps {}", flow(heaps, 6, 12)), "heaps 1 2 4\n      8 16");
/// ```
#[must_use]
pub fn flow<'a>(items: impl IntoIterator<Item = &'a str>, indent: usize, width: usize) -> String {
    let mut text = String::new();
    let mut column = indent;
    for item in items {
        let length = console::measure_text_width(item);
        if column > indent && column + 1 + length > width {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
        } else if column > indent {
            text.push(' ');
            column += 1;
        }
        text.push_str(item);
        column += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_flows_within_its_width() {
        assert_eq!(flow(["aa", "bb", "cc"], 2, 8), "aa bb\n  cc");
        assert_eq!(flow(["a-word-too-long", "b"], 2, 8), "a-word-too-long\n  b");
        assert_eq!(flow([], 2, 8), "");
    }
}
