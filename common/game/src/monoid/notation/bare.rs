//! Relations without brackets and generators, such as `a^2=1, b^3=b ; P = {a, b^2}`.

use super::{LocatedError, NotationErrorKind, PORTION, Reader, SEPARATORS};
use crate::monoid::finitely_presented::FinitePresentation;

/// The characters that separate generators from relations where there are no brackets.
const BARS: &[char] = &['|', '∣'];

/// Reads relations up to the P-portion or the end.
///
/// Generators may precede a bar; without a bar they are the letters that occur.
pub(super) fn presentation(reader: &mut Reader<'_>) -> Result<FinitePresentation, LocatedError> {
    reader.is_bare = true;
    // A line is a relation of its own.
    for c in &mut reader.chars {
        if matches!(c, '\n' | '\r') {
            *c = ',';
        }
    }
    let equals = reader.chars.iter().position(|&c| c == '=');
    let bar = reader.chars.iter().position(|c| BARS.contains(c));
    let names = match bar {
        Some(bar) if equals.is_none_or(|equals| bar < equals) => named(reader)?,
        _ => occurring(reader)?,
    };
    let mut relations = Vec::new();
    loop {
        while reader.skip(SEPARATORS) {}
        if reader.peek().is_none() || reader.is_before_p_portion() {
            break;
        }
        relations.extend(reader.relation(&names)?);
        let is_parted = reader.is_next(SEPARATORS) || reader.is_before_p_portion();
        if !is_parted && reader.peek().is_some() && !reader.is_next(&['.']) {
            return Err((reader.at, NotationErrorKind::Expected("`,`")));
        }
        if reader.skip(&['.']) {
            break;
        }
    }
    Ok(FinitePresentation::new(names, relations))
}

/// Reads a list of pairs in brackets, whose generators are the letters that occur.
pub(super) fn pairs(reader: &mut Reader<'_>) -> Result<FinitePresentation, LocatedError> {
    reader.is_bare = true;
    let names = occurring(reader)?;
    reader.expect(&['['], "`[`")?;
    let mut relations = Vec::new();
    while !reader.skip(&[']']) {
        relations.extend(reader.relation(&names)?);
        reader.separator(&[']'])?;
    }
    Ok(FinitePresentation::new(names, relations))
}

/// Reads the generators before the bar.
fn named(reader: &mut Reader<'_>) -> Result<Vec<String>, LocatedError> {
    let mut names: Vec<String> = Vec::new();
    while !reader.skip(BARS) {
        let at = reader.at;
        let name = reader.name()?;
        if names.contains(&name) {
            return Err((at, NotationErrorKind::RepeatedGenerator(name)));
        }
        names.push(name);
        reader.comma(&[','], BARS)?;
    }
    Ok(names)
}

/// Returns the letters of the relations, in the order in which they occur.
fn occurring(reader: &mut Reader<'_>) -> Result<Vec<String>, LocatedError> {
    let start = reader.at;
    let mut names: Vec<String> = Vec::new();
    while let Some(c) = reader.peek() {
        if reader.is_before_p_portion() {
            break;
        }
        if reader.is_letter(c) {
            let name = reader.name()?;
            if !names.contains(&name) {
                names.push(name);
            }
        } else {
            reader.at += 1;
        }
    }
    let writes_one = has_word_one(&reader.chars[start..reader.at]);
    reader.at = start;
    if !writes_one {
        names.retain(|name| name != "e");
    }
    Ok(names)
}

/// Reports whether `1` is a word of its own.
fn has_word_one(chars: &[char]) -> bool {
    let chars: Vec<char> = chars
        .iter()
        .copied()
        .filter(|c| !c.is_whitespace())
        .collect();
    let ends = |c: Option<&char>| {
        c.is_none_or(|c| "=[]".contains(*c) || SEPARATORS.contains(c) || PORTION.contains(c))
    };
    chars.iter().enumerate().any(|(at, &c)| {
        let before = at.checked_sub(1).and_then(|before| chars.get(before));
        c == '1' && ends(before) && ends(chars.get(at + 1))
    })
}
