//! The cells of a table, and their form in each markup.

use misere_pictures::escaped;

/// The content of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// Nothing.
    None,
    /// Text.
    Text(String),
    /// A number, or its replacement.
    Number(String),
    /// Words, presentations, names: letters with powers (`b^2`) and indices (`R_8`).
    Formula(String),
    /// A game in the papers' notation: `*2#320`, `K_2` for `K + *2`.
    Game(String),
    /// A key that is cut short where there is little room.
    Key(String),
}

/// The number of digits shown of a key; enough to distinguish those of a list.
const SHORT: usize = 8;

/// The length from which on words, which are keys and digests, may be broken anywhere.
pub(super) const MAX_UNBROKEN_WORD: usize = 20;

impl Cell {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn number(number: impl ToString) -> Self {
        Self::Number(number.to_string())
    }

    /// Returns a number if there is one, otherwise a dash.
    pub(crate) fn number_or_dash(number: Option<impl ToString>) -> Self {
        Self::Number(number.map_or_else(|| "–".to_owned(), |number| number.to_string()))
    }

    /// Reports whether the cell is aligned to the right.
    pub(super) fn is_number(&self) -> bool {
        matches!(self, Self::Number(_))
    }

    /// Returns the cell as plain text, with keys shortened.
    pub(super) fn plain(&self) -> &str {
        match self {
            Self::None => "",
            Self::Text(text) | Self::Number(text) | Self::Formula(text) | Self::Game(text) => text,
            Self::Key(key) => key.get(..SHORT).unwrap_or(key),
        }
    }

    /// Returns the cell as plain text, in full.
    pub(super) fn whole(&self) -> &str {
        match self {
            Self::Key(key) => key,
            _ => self.plain(),
        }
    }

    /// Formats the cell as HTML.
    pub(super) fn html(&self) -> String {
        match self {
            Self::Formula(formula) => pieces(formula)
                .into_iter()
                .map(|piece| match piece {
                    Piece::Letter(letter) => format!("<i>{letter}</i>"),
                    Piece::Raised(text) => format!("<sup>{text}</sup>"),
                    Piece::Lowered(text) => format!("<sub>{text}</sub>"),
                    Piece::Other(c) => escaped(&c.to_string()),
                })
                .collect(),
            Self::Game(game) => format!("<code>{}</code>", escaped(game)),
            Self::Key(key) => format!(
                "<code class=\"key\" title=\"{}\">{}</code>",
                escaped(key),
                escaped(self.plain())
            ),
            _ => escaped(self.plain()),
        }
    }

    /// Formats the cell as LaTeX.
    pub(super) fn latex(&self) -> String {
        match self {
            // One formula for each relation, so that lines can be broken between them.
            Self::Formula(formula) => {
                let formulas = formula
                    .split(", ")
                    .map(|part| format!("${}$", in_latex(part)));
                formulas.collect::<Vec<_>>().join(", ")
            }
            Self::Game(game) => game_in_latex(game),
            Self::Key(_) => format!("\\texttt{{{}}}", self.plain()),
            _ => latex_text(self.plain()),
        }
    }
}

/// A piece of a formula.
enum Piece {
    Letter(char),
    Raised(String),
    Lowered(String),
    Other(char),
}

fn pieces(formula: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut chars = formula.chars().peekable();
    while let Some(c) = chars.next() {
        pieces.push(match c {
            '^' | '_' => {
                let mut script = String::new();
                while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                    script.push(digit);
                }
                if c == '^' {
                    Piece::Raised(script)
                } else {
                    Piece::Lowered(script)
                }
            }
            c if c.is_ascii_alphabetic() => Piece::Letter(c),
            c => Piece::Other(c),
        });
    }
    pieces
}

fn in_latex(formula: &str) -> String {
    let of_piece = |piece| match piece {
        Piece::Letter(letter) => letter.to_string(),
        Piece::Raised(script) => format!("^{{{script}}}"),
        Piece::Lowered(script) => format!("_{{{script}}}"),
        Piece::Other('⟨') => "\\langle ".to_owned(),
        Piece::Other('⟩') => "\\rangle ".to_owned(),
        Piece::Other('|') => "\\mid ".to_owned(),
        Piece::Other('{') => "\\{".to_owned(),
        Piece::Other('}') => "\\}".to_owned(),
        Piece::Other('↦') => "\\mapsto ".to_owned(),
        Piece::Other('∅') => "\\emptyset ".to_owned(),
        Piece::Other('≅') => "\\cong ".to_owned(),
        Piece::Other('Φ') => "\\Phi ".to_owned(),
        Piece::Other('…') => "\\dots ".to_owned(),
        Piece::Other('*') => "{\\ast}".to_owned(),
        Piece::Other(c) => c.to_string(),
    };
    pieces(formula).into_iter().map(of_piece).collect()
}

/// Turns sharps and added nimbers into subscripts: `2#_2` becomes `2_{\#2}`.
fn game_in_latex(game: &str) -> String {
    let mut latex = "$".to_owned();
    let mut lowered = String::new();
    let mut chars = game.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '#' => lowered.push_str("\\#"),
            '_' => lowered.extend(chars.next_if(char::is_ascii_digit)),
            _ => {
                lower(&mut latex, &mut lowered);
                match c {
                    '*' => latex.push_str("{\\ast}"),
                    ' ' => latex.push_str("\\,"),
                    // Long games may be broken after a group.
                    ')' if !matches!(chars.peek(), Some('#' | '_')) => {
                        latex.push_str(")\\allowbreak ");
                    }
                    c => latex.push(c),
                }
            }
        }
    }
    lower(&mut latex, &mut lowered);
    latex.push('$');
    latex
}

fn lower(latex: &mut String, lowered: &mut String) {
    if !lowered.is_empty() {
        latex.push_str(&format!("_{{{lowered}}}"));
        lowered.clear();
    }
}

/// Formats a text in LaTeX: what is between backquotes as code, `|P| = 3`, P and Q as formulas.
pub(super) fn latex_text(text: &str) -> String {
    let mut latex = String::with_capacity(text.len());
    for (at, part) in text.split('`').enumerate() {
        match at % 2 {
            0 => plain_in_latex(part, &mut latex),
            _ => {
                latex.push_str("\\texttt{");
                words_in_latex(part, &mut latex);
                latex.push('}');
            }
        }
    }
    latex
}

/// Formats a text without code.
fn plain_in_latex(text: &str, latex: &mut String) {
    let mut rest = text;
    while let Some((before, formula, after)) = next_formula(rest) {
        words_in_latex(before, latex);
        latex.push_str(&format!("${}$", indexed(formula)));
        rest = after;
    }
    words_in_latex(rest, latex);
}

/// Puts the index of a formula, if it has one, in braces.
fn indexed(formula: &str) -> String {
    match formula.split_once('_') {
        Some((letter, index)) if index.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{letter}_{{{index}}}")
        }
        _ => formula.to_owned(),
    }
}

/// Returns the length of the name of a quotient, such as `R_8` or `S'_12`, that begins a text.
fn name_of_quotient(text: &str) -> Option<usize> {
    let rest = text.strip_prefix(['R', 'S', 'T'])?;
    let digits = rest.strip_prefix('\'').unwrap_or(rest).strip_prefix('_')?;
    let after = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_name = after.len() < digits.len() && !after.starts_with(char::is_alphanumeric);
    is_name.then(|| text.len() - after.len())
}

/// Finds the next `|P|`, `|P| = 3`, P, Q or name of a quotient, with the text before and after it.
fn next_formula(text: &str) -> Option<(&str, &str, &str)> {
    let is_within = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "_^-(".contains(c));
    let mut places = text.match_indices(['|', 'P', 'Q', 'R', 'S', 'T']);
    places.find_map(|(at, found)| {
        let (before, rest) = text.split_at(at);
        let length = match found {
            "|" => {
                let inner = rest.get(1..)?.split('|').next()?;
                let is_size =
                    matches!(inner, "P" | "Q" | "P_n" | "Q_n") && rest.len() > inner.len() + 1;
                let length = is_size.then_some(inner.len() + 2)?;
                let digits = rest[length..].strip_prefix(" = ").map_or(0, |rest| {
                    rest.bytes().take_while(u8::is_ascii_digit).count()
                });
                length + if digits > 0 { 3 + digits } else { 0 }
            }
            "R" | "S" | "T" => {
                let before = before.chars().next_back();
                let is_alone = before == Some('(') || !is_within(before);
                is_alone.then(|| name_of_quotient(rest)).flatten()?
            }
            _ => {
                let is_alone =
                    !is_within(before.chars().next_back()) && !is_within(rest.chars().nth(1));
                is_alone.then_some(1)?
            }
        };
        let (formula, after) = rest.split_at(length);
        Some((before, formula, after))
    })
}

/// Formats words; long ones, which are keys and digests, may be broken anywhere.
fn words_in_latex(text: &str, latex: &mut String) {
    for (at, word) in text.split(' ').enumerate() {
        if at > 0 {
            latex.push(' ');
        }
        let is_long = word.chars().count() > MAX_UNBROKEN_WORD;
        for (at, c) in word.chars().enumerate() {
            if is_long && at > 0 && at % 8 == 0 {
                latex.push_str("\\allowbreak{}");
            }
            char_in_latex(c, latex);
        }
    }
}

fn char_in_latex(c: char, latex: &mut String) {
    match c {
        '&' | '%' | '#' | '_' | '{' | '}' | '$' => {
            latex.push('\\');
            latex.push(c);
        }
        '^' => latex.push_str("\\^{}"),
        '~' => latex.push_str("\\~{}"),
        '\\' => latex.push_str("\\textbackslash{}"),
        '–' => latex.push_str("--"),
        '<' | '>' | '|' | '*' | '=' | '≤' | '≥' | '↦' | '⟨' | '⟩' | '∈' | '·' | 'Φ' | '∞' | '≅'
        | '∅' | '×' => {
            let symbol = match c {
                '*' => "\\ast",
                '≤' => "\\le",
                '≥' => "\\ge",
                '↦' => "\\mapsto",
                '⟨' => "\\langle",
                '⟩' => "\\rangle",
                '|' => "|",
                '∈' => "\\in",
                '·' => "\\cdot",
                'Φ' => "\\Phi",
                '∞' => "\\infty",
                '≅' => "\\cong",
                '∅' => "\\emptyset",
                '×' => "\\times",
                '<' => "<",
                '>' => ">",
                _ => "=",
            };
            latex.push_str(&format!("${symbol}$"));
        }
        c => latex.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_and_games_in_markup() {
        let formula = Cell::Formula("⟨a,b | a^2 = 1, b_12^3 = b⟩".to_owned());
        assert_eq!(
            formula.latex(),
            "$\\langle a,b \\mid  a^{2} = 1$, $b_{12}^{3} = b\\rangle $"
        );
        assert!(formula.html().contains("<i>b</i><sub>12</sub><sup>3</sup>"));
        let game = Cell::Game("*(G2#_2 2#)3".to_owned());
        assert_eq!(game.latex(), "${\\ast}(G2_{\\#2}\\,2_{\\#})\\allowbreak 3$");
        assert_eq!(latex_text("50 % of {x_1}"), "50 \\% of \\{x\\_1\\}");
    }

    #[test]
    fn formulas_in_a_text_are_set_as_formulas() {
        for (text, latex) in [
            ("|P| = 3", "$|P| = 3$"),
            ("with |P| = 12, and |Q|", "with $|P| = 12$, and $|Q|$"),
            ("5 in P, not Q.", "5 in $P$, not $Q$."),
            ("the P-portion of PQ", "the P-portion of PQ"),
            ("a|b", "a$|$b"),
            (
                "0.34: S_12, R_8 or S'_12",
                "0.34: $S_{12}$, $R_{8}$ or $S'_{12}$",
            ),
            ("T_k, RT_2, T_2b", "T\\_k, RT\\_2, T\\_2b"),
            (
                "run `misere solve --fuel 1_0` now",
                "run \\texttt{misere solve --fuel 1\\_0} now",
            ),
            (
                "Digest 0123456789abcdef01234567",
                "Digest 01234567\\allowbreak{}89abcdef\\allowbreak{}01234567",
            ),
        ] {
            assert_eq!(latex_text(text), latex);
        }
    }

    #[test]
    fn keys_are_cut_where_there_is_little_room() {
        let key = Cell::Key("0123456789abcdef".to_owned());
        assert_eq!((key.plain(), key.whole()), ("01234567", "0123456789abcdef"));
    }
}
