//! The setting of words and relations on a page.

use misere_pictures::escaped;

/// Returns a word or a relation as HTML: letters slanted, exponents raised, indices lowered.
///
/// The input may be any text; the output contains no other markup.
pub(super) fn math(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let element = match c {
            '^' => "sup",
            '_' => "sub",
            'a'..='z' => {
                html.push_str("<i>");
                html.push(c);
                while let Some(letter) = chars.next_if(char::is_ascii_lowercase) {
                    html.push(letter);
                }
                html.push_str("</i>");
                continue;
            }
            _ => {
                push_escaped(&mut html, c);
                continue;
            }
        };
        let mut digits = String::new();
        while let Some(digit) = chars.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        html.push_str(&format!("<{element}>{digits}</{element}>"));
    }
    html
}

/// Returns text as HTML, in which the parts between backquotes are code.
pub(super) fn with_code(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + 16);
    for (at, part) in text.split('`').enumerate() {
        let is_code = at % 2 == 1;
        if is_code {
            html.push_str("<code>");
        }
        part.chars().for_each(|c| push_escaped(&mut html, c));
        if is_code {
            html.push_str("</code>");
        }
    }
    html
}

fn push_escaped(html: &mut String, c: char) {
    html.push_str(&escaped(c.encode_utf8(&mut [0; 4])));
}

/// Returns a presentation with its P-portion as LaTeX.
pub(super) fn latex(text: &str) -> String {
    let mut latex = String::with_capacity(2 * text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '⟨' => latex.push_str("\\langle "),
            '⟩' => latex.push_str(" \\rangle"),
            '|' => latex.push_str("\\mid"),
            '{' => latex.push_str("\\{"),
            '}' => latex.push_str("\\}"),
            '^' | '_' => {
                latex.push(c);
                latex.push('{');
                while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                    latex.push(digit);
                }
                latex.push('}');
            }
            'P' => latex.push_str("\\quad \\mathcal{P}"),
            c => latex.push(c),
        }
    }
    latex
}

/// Returns a word with raised digits, where there is no markup.
pub(super) fn plain(text: &str) -> String {
    let mut raised = false;
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match (c, c.to_digit(10)) {
            ('^', _) => raised = true,
            (_, Some(digit)) if raised => plain.push(digits[digit as usize]),
            _ => {
                raised = false;
                plain.push(c);
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_set_and_nothing_else_gets_through() {
        assert_eq!(
            math("ab^12c_1 = 1"),
            "<i>ab</i><sup>12</sup><i>c</i><sub>1</sub> = 1"
        );
        assert_eq!(math("<b>&\""), "&lt;<i>b</i>&gt;&amp;&quot;");
        assert_eq!(
            with_code("say `a<b` & go"),
            "say <code>a&lt;b</code> &amp; go"
        );
        assert_eq!(plain("ab^12c = 1"), "ab¹²c = 1");
    }

    #[test]
    fn latex_is_read_as_what_it_was_made_of() {
        use misere_game::monoid::readable::WrittenPresentation;
        for text in [
            "⟨a,b | a^2 = 1, b^13 = b⟩  P = {a, b^2}",
            "⟨⟩  P = {}",
            "⟨a,b_1 | a^2 = 1, b_1^3 = b_1⟩  P = {a, b_1^2}",
        ] {
            let written: WrittenPresentation = text.parse().unwrap();
            assert_eq!(latex(text).parse(), Ok(written), "{}", latex(text));
        }
    }
}
