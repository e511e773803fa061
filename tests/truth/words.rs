//! The numbers and words in a text for people.

/// Returns the number behind these words, at their first place.
pub(crate) fn number_after(text: &str, words: &str) -> Option<u32> {
    let (_, rest) = text.split_once(words)?;
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    rest[..end].parse().ok()
}

/// Returns the text between two others, at their first place.
pub(crate) fn between<'a>(text: &'a str, before: &str, behind: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    Some(rest.split_once(behind)?.0)
}

/// Returns all texts between two others.
pub(crate) fn all_between<'a>(text: &'a str, before: &'a str, behind: &'a str) -> Vec<&'a str> {
    let parts = text.split(before).skip(1);
    parts
        .filter_map(|part| Some(part.split_once(behind)?.0))
        .collect()
}

/// Returns the text of a page or a part of it: without tags, on one line.
pub(crate) fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for c in html.chars() {
        match c {
            '<' => is_tag = true,
            '>' if is_tag => is_tag = false,
            c if !is_tag => text.push(c),
            _ => {}
        }
    }
    let text = unescaped(&text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a text of HTML or XML with its entities as characters.
pub(crate) fn unescaped(text: &str) -> String {
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#8239;", " "),
        ("&#60;", "<"),
        ("&#62;", ">"),
        ("&#38;", "&"),
        ("&amp;", "&"),
    ];
    entities
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// Returns a code as it is written in an address.
pub(crate) fn in_address(code: &str) -> String {
    let bytes = code.bytes();
    let set = |byte: u8| match byte {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'.' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    bytes.map(set).collect()
}

/// Returns the fields of the rows of a CSV text (RFC 4180), by the names in its heading.
pub(crate) fn csv(text: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let row = rows.last_mut().unwrap();
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                row.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\r' if !quoted => {}
            '\n' if !quoted => rows.push(vec![String::new()]),
            c => row.last_mut().unwrap().push(c),
        }
    }
    let heading = rows.remove(0);
    let whole = rows.into_iter().filter(|row| row.len() == heading.len());
    whole
        .map(|row| heading.iter().cloned().zip(row).collect())
        .collect()
}
