//! OEIS b-files: one term a line, its index before it, with comments at the head (<https://oeis.org/SubmitB.html>).

use super::staging::Staging;
use super::{Counts, ExportError, Sequence, Source, selection};
use crate::completeness::Completeness;
use crate::store::view::View;

/// Writes the sequence of the one code selected, in a file of its name.
pub(super) fn write(
    source: &Source<'_>,
    statement: &Completeness,
    sequence: Sequence,
    terms: u32,
    staging: &mut Staging,
) -> Result<Counts, ExportError> {
    let code = selection::one_code(source.filter).ok_or(ExportError::NotOneCode)?;
    let absent = || ExportError::NoRecord(code.clone());
    let record = View::of(source.store).record(code)?.ok_or_else(absent)?;
    let solution = source.solution(&record)?;
    let values = sequence.terms(&record, &solution, terms, source.interrupt)?;
    let mut file = staging.create(&format!("{sequence}.txt"))?;
    let end = match sequence.ends_with(&record, &solution, &values) {
        true => "; there are no others",
        false => "",
    };
    file.text(&format!(
        "# {code}: {}.\n# Offset {}, {} terms; each is proved{}{end}.\n# Census {}, {}.\n",
        sequence.says(),
        sequence.offset(),
        values.len(),
        match sequence {
            Sequence::NimValues => " by the recurrence",
            _ => " by a certificate of the census",
        },
        statement.digest,
        statement.engine,
    ))?;
    for (n, value) in (u64::from(sequence.offset())..).zip(&values) {
        file.text(&format!("{n} {value}\n"))?;
    }
    file.close()?;
    Ok(Counts::from([("terms", values.len() as u64)]))
}
