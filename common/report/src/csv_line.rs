//! A line of CSV (RFC 4180), as every surface writes it.

use csv::{Terminator, WriterBuilder};

/// Returns the line of these fields, with its end. Fields are quoted where they must be.
///
/// The end is `\n` for files that people read and `\r\n` for the exports.
///
/// ```
/// use misere_report::csv_line;
/// assert_eq!(csv_line(["0.77", "a, \"b\"", ""], "\n"), "0.77,\"a, \"\"b\"\"\",\n");
/// ```
#[must_use]
pub fn csv_line<T: AsRef<[u8]>>(fields: impl IntoIterator<Item = T>, end: &str) -> String {
    let terminator = match end {
        "\r\n" => Terminator::CRLF,
        _ => Terminator::Any(b'\n'),
    };
    let mut builder = WriterBuilder::new();
    let builder = builder.terminator(terminator).buffer_capacity(512);
    let mut writer = builder.from_writer(Vec::new());
    // Memory takes every line.
    let written = writer.write_record(fields);
    debug_assert!(written.is_ok(), "{written:?}");
    let line = writer.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&line).into_owned()
}
