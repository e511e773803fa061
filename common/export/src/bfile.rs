//! OEIS b-files: one term a line with its index, and comments at the head.
//!
//! The format is described at <https://oeis.org/SubmitB.html>. The sequence is the one of the
//! requested code. If the census keeps the game under another code, a comment explains the heap
//! numbers of the two.

use misere_report::completeness::Completeness;

use super::staging::Staging;
use super::{Counts, ExportError, Sequence, Source, selection};

/// Writes the sequence of the one selected code into a file named after it.
pub(super) fn write(
    source: &Source<'_>,
    statement: &Completeness,
    sequence: Sequence,
    terms: u32,
    staging: &mut Staging,
) -> Result<Counts, ExportError> {
    let code = selection::one_code(source.filter).ok_or(ExportError::NotOneCode)?;
    let absent = || ExportError::NoRecord(code.clone());
    let game = source.store.game(code)?.ok_or_else(absent)?;
    let record = &game.record;
    let solution = source.solution(&game)?;
    let values = sequence.terms(record, &solution, terms, source.interrupt)?;
    let mut file = staging.create(&format!("{sequence}.txt"))?;
    let end = match sequence.ends_with(record, &solution, &values) {
        true => "; there are no others",
        false => "",
    };
    let ground = match sequence {
        Sequence::NimValues => "computed by the recurrence".to_owned(),
        _ => format!(
            "proved by the certificate of {} in the census",
            game.representative
        ),
    };
    let sentence = game.sentence();
    let same = sentence.map_or_else(String::new, |sentence| format!("# {sentence}.\n"));
    file.text(&format!(
        "# {code}: {}.\n{same}# Offset {}, {} terms; each is {ground}{end}.\n# Census {}, {}.\n",
        sequence.says(),
        sequence.offset(),
        values.len(),
        statement.digest_text(),
        statement.engine,
    ))?;
    for (n, value) in (u64::from(sequence.offset())..).zip(&values) {
        file.text(&format!("{n} {value}\n"))?;
    }
    file.close()?;
    Ok(Counts::from([("terms", values.len() as u64)]))
}
