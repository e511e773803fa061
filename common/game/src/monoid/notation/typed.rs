//! The conversion of typed or copied text, LaTeX included, into plain notation.
//!
//! LaTeX commands become the characters that they print, `**` becomes `^`, an arrow `=`, and lowered
//! digits become an index. Every character keeps the place of its source, so that a fault is located in
//! the text that was typed.

/// A character, and its place in the text, counted in characters.
type PlacedChar = (usize, char);

/// Returns the text in plain notation.
pub(super) fn plain(text: &str) -> Vec<PlacedChar> {
    let chars: Vec<char> = text.chars().collect();
    let mut plain: Vec<PlacedChar> = Vec::with_capacity(chars.len());
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let next = chars.get(at + 1).copied();
        match (c, next) {
            ('\\', Some(letter)) if letter.is_ascii_alphabetic() => {
                let rest = chars[at + 1..].iter();
                let name: String = rest.take_while(|c| c.is_ascii_alphabetic()).collect();
                let end = at + 1 + name.len();
                match command(&name) {
                    Some(Command::Prints(c)) => plain.push((at, c)),
                    Some(Command::Wraps) => {
                        at = unwrapped(&chars, end, &mut plain);
                        continue;
                    }
                    None => plain.push((at, c)),
                }
                at = end;
                continue;
            }
            ('\\', Some(brace @ ('{' | '}' | '|'))) => {
                plain.push((at, brace));
                at += 2;
                continue;
            }
            ('\\', Some(',' | ';' | ':' | '!' | ' ')) => {
                plain.push((at, ' '));
                at += 2;
                continue;
            }
            ('$' | '~', _) => plain.push((at, ' ')),
            ('*', Some('*')) => {
                plain.push((at, '^'));
                at += 1;
            }
            // The rules of rewriting systems, and the comparison of programming languages.
            ('-', Some('>')) | ('=', Some('=')) => {
                plain.push((at, '='));
                at += 1;
            }
            ('→', _) => plain.push((at, '=')),
            ('^' | '_', Some('{')) => {
                if let Some(end) = digits_in_braces(&chars, at + 1) {
                    plain.push((at, c));
                    plain.extend((at + 2..end).map(|place| (place, chars[place])));
                    // The digits end here, so digits after them stay separate.
                    plain.push((end, ' '));
                    at = end;
                } else {
                    plain.push((at, c));
                }
            }
            ('₀'..='₉', _) => {
                if !matches!(
                    at.checked_sub(1).map(|before| chars[before]),
                    Some('₀'..='₉')
                ) {
                    plain.push((at, '_'));
                }
                plain.push((at, lowered(c)));
                if !matches!(next, Some('₀'..='₉')) {
                    plain.push((at, ' '));
                }
            }
            _ => plain.push((at, c)),
        }
        at += 1;
    }
    plain
}

/// The effect of a LaTeX command on a text.
enum Command {
    /// Prints this character.
    Prints(char),
    /// Changes only the appearance of its argument.
    Wraps,
}

fn command(name: &str) -> Option<Command> {
    const GREEK: [(&str, char); 25] = [
        ("alpha", 'α'),
        ("beta", 'β'),
        ("gamma", 'γ'),
        ("delta", 'δ'),
        ("epsilon", 'ε'),
        ("varepsilon", 'ε'),
        ("zeta", 'ζ'),
        ("eta", 'η'),
        ("theta", 'θ'),
        ("iota", 'ι'),
        ("kappa", 'κ'),
        ("lambda", 'λ'),
        ("mu", 'μ'),
        ("nu", 'ν'),
        ("xi", 'ξ'),
        ("omicron", 'ο'),
        ("pi", 'π'),
        ("rho", 'ρ'),
        ("sigma", 'σ'),
        ("tau", 'τ'),
        ("upsilon", 'υ'),
        ("phi", 'φ'),
        ("chi", 'χ'),
        ("psi", 'ψ'),
        ("omega", 'ω'),
    ];
    Some(Command::Prints(match name {
        "langle" | "lt" => '⟨',
        "rangle" | "gt" => '⟩',
        "mid" | "vert" | "lvert" | "rvert" => '|',
        "colon" => ':',
        "cdot" | "times" | "ast" => '·',
        "lbrace" => '{',
        "rbrace" => '}',
        "lbrack" => '[',
        "rbrack" => ']',
        "to" | "rightarrow" | "longrightarrow" => '=',
        "emptyset" | "varnothing" => '∅',
        "quad" | "qquad" | "displaystyle" | "left" | "right" | "middle" | "big" | "bigl"
        | "bigr" | "Big" | "Bigl" | "Bigr" => ' ',
        "mathcal" | "mathscr" | "mathfrak" | "mathit" | "mathrm" | "mathbf" | "mathsf" | "text"
        | "operatorname" => return Some(Command::Wraps),
        _ => GREEK.iter().find(|(known, _)| *known == name)?.1,
    }))
}

/// Adds the text in the braces that begin here, and returns the place after them.
fn unwrapped(chars: &[char], mut at: usize, plain: &mut Vec<PlacedChar>) -> usize {
    while chars.get(at) == Some(&' ') {
        at += 1;
    }
    let end = chars[at..].iter().position(|&c| c == '}');
    let (Some('{'), Some(end)) = (chars.get(at), end) else {
        return at;
    };
    let end = at + end;
    plain.extend((at + 1..end).map(|place| (place, chars[place])));
    end + 1
}

/// Returns the end of the braces that begin here, if they contain only digits.
fn digits_in_braces(chars: &[char], open: usize) -> Option<usize> {
    let digits = chars.get(open + 1..)?.iter();
    let digits = digits.take_while(|c| c.is_ascii_digit()).count();
    let end = open + 1 + digits;
    (digits > 0 && chars.get(end) == Some(&'}')).then_some(end)
}

fn lowered(c: char) -> char {
    const FIRST: u32 = '₀' as u32;
    char::from_digit(u32::from(c).wrapping_sub(FIRST), 10).unwrap_or(c)
}
