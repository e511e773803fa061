//! The writer of SVG.

use std::fmt::Write;

/// The style that all pictures share: colours for light and for dark pages.
const STYLE: &str = "\
.mp-paper{fill:#ffffff}.mp-ink{fill:#1f2733}.mp-soft{fill:#5b6673}.mp-line{stroke:#5b6673;fill:none}\
.mp-faint{stroke:#d5dae1;fill:none}.mp-box{fill:#f4f6f9;stroke:#c3cad4}.mp-group{fill:#e9f0fa;stroke:#7d94b5}\
.mp-node{fill:#ffffff;stroke:#39485c}.mp-p{fill:#1f4e8c;stroke:#1f4e8c}.mp-on-p{fill:#ffffff}\
.mp-q-line{stroke:#1f4e8c;fill:none}.mp-p-line{stroke:#c2571a;fill:none}.mp-q-ink{fill:#1f4e8c}.mp-p-ink{fill:#c2571a}\
.mp-wall{stroke:#b3261e;fill:none}.mp-wall-ink{fill:#b3261e}\
@media (prefers-color-scheme:dark){\
.mp-paper{fill:#14181e}.mp-ink{fill:#e6eaf0}.mp-soft{fill:#a3adba}.mp-line{stroke:#a3adba}\
.mp-faint{stroke:#2f3742}.mp-box{fill:#1c222a;stroke:#3b4552}.mp-group{fill:#1d2a3d;stroke:#55708f}\
.mp-node{fill:#14181e;stroke:#b6c1cf}.mp-p{fill:#8ab4f0;stroke:#8ab4f0}.mp-on-p{fill:#10151c}\
.mp-q-line{stroke:#8ab4f0}.mp-p-line{stroke:#f0a06a}.mp-q-ink{fill:#8ab4f0}.mp-p-ink{fill:#f0a06a}\
.mp-wall{stroke:#ff8a80}.mp-wall-ink{fill:#ff8a80}}";

/// Room around a picture.
pub(crate) const MARGIN: f64 = 24.0;

/// The body of a picture under construction.
#[derive(Debug, Default)]
pub(crate) struct Body(String);

impl Body {
    pub(crate) fn push(&mut self, markup: &str) {
        self.0.push_str(markup);
        self.0.push('\n');
    }

    /// Adds a line of text; `anchor` is `start`, `middle` or `end`.
    pub(crate) fn text(
        &mut self,
        at: (f64, f64),
        anchor: &str,
        size: f64,
        class: &str,
        text: &str,
    ) {
        let (x, y) = at;
        self.push(&format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\" font-size=\"{}\" class=\"{class}\">{}</text>",
            number(x),
            number(y),
            number(size),
            escaped(text)
        ));
    }

    pub(crate) fn rectangle(&mut self, at: (f64, f64), size: (f64, f64), round: f64, class: &str) {
        self.push(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" class=\"{class}\"/>",
            number(at.0),
            number(at.1),
            number(size.0),
            number(size.1),
            number(round)
        ));
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str, more: &str) {
        self.push(&format!(
            "<path d=\"M{} {}L{} {}\" class=\"{class}\"{more}/>",
            number(from.0),
            number(from.1),
            number(to.0),
            number(to.1)
        ));
    }

    /// Returns the whole picture, with a title, a description and further style rules.
    ///
    /// The title is for people who cannot see the picture.
    pub(crate) fn picture(
        self,
        width: f64,
        height: f64,
        title: &str,
        description: &str,
        style: &str,
    ) -> String {
        let (w, h) = (number(width.ceil()), number(height.ceil()));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" \
             font-family=\"system-ui, 'DejaVu Sans', sans-serif\">\n<title>{}</title>\n<desc>{}</desc>\n<style>{STYLE}{style}</style>\n\
             <rect width=\"{w}\" height=\"{h}\" class=\"mp-paper\"/>\n{}</svg>\n",
            escaped(title),
            escaped(description),
            self.0
        )
    }
}

/// Writes a coordinate to a tenth, which suffices for the eye and is the same on every machine.
pub(crate) fn number(x: f64) -> String {
    let tenths = (x * 10.0).round() as i64;
    let mut text = String::new();
    if tenths < 0 {
        text.push('-');
    }
    let (whole, rest) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
    // Writing to a string does not fail.
    let _ = write!(text, "{whole}");
    if rest > 0 {
        let _ = write!(text, ".{rest}");
    }
    text
}

/// Escapes text for the content and the quoted attributes of XML and HTML.
///
/// ```
/// assert_eq!(misere_pictures::escaped("a < \"b\""), "a &lt; &quot;b&quot;");
/// ```
///
/// Cost: linear in the length of the text.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Returns a word with its exponents raised and its indices lowered.
///
/// For example `ab^2c_12` becomes `ab²c₁₂`.
///
/// ```
/// assert_eq!(misere_pictures::raised("ab^12c_1d^2"), "ab¹²c₁d²");
/// ```
#[must_use]
pub fn raised(word: &str) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    const LOWERED: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];
    let mut digits = None;
    let mut text = String::with_capacity(word.len());
    for c in word.chars() {
        match (c, c.to_digit(10), digits) {
            ('^', ..) => digits = Some(RAISED),
            ('_', ..) => digits = Some(LOWERED),
            (_, Some(digit), Some(set)) => text.push(set[digit as usize]),
            _ => {
                digits = None;
                text.push(c);
            }
        }
    }
    text
}

/// Estimates the width of a text, in its font size.
///
/// It errs on the wide side for lower case.
pub(crate) fn breadth(text: &str) -> f64 {
    let of = |c: char| match c {
        '⁰'..='⁹' | '₀'..='₉' | '¹' | '²' | '³' | 'i' | 'j' | 'l' | '.' | ',' | '|' => {
            0.42
        }
        'm' | 'w' | 'A'..='Z' | 'Φ' => 0.85,
        _ => 0.6,
    };
    text.chars().map(of).sum()
}

/// Returns the width that a picture needs for its title.
pub(crate) fn title_width(title: &str) -> f64 {
    breadth(title) * 17.0 + 2.0 * MARGIN
}

/// Returns a name for a title, cut if it is long.
///
/// Finite games can have names of hundreds of characters.
pub(crate) fn shortened(name: &str) -> String {
    const MAX_NAME_CHARS: usize = 40;
    if name.chars().count() <= MAX_NAME_CHARS {
        return name.to_owned();
    }
    let beginning: String = name.chars().take(MAX_NAME_CHARS - 1).collect();
    format!("{beginning}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_to_a_tenth() {
        assert_eq!(
            [1.0, 0.04, -0.26, 12.349].map(number),
            ["1", "0", "-0.3", "12.3"]
        );
        assert_eq!(escaped("a<b & \"c\">"), "a&lt;b &amp; &quot;c&quot;&gt;");
    }
}
