//! The pictures of a quotient, as files.

use std::path::Path;

use misere_census::output_file::OutputError;
use misere_pictures::{
    PretendingFunction, cayley_graph, class_diagram, idempotent_order, pretending_strip,
};

use super::quotient::Quotient;
use crate::exit::Failure;
use crate::result_file;

/// Writes the pictures of a quotient to a directory, which is made if it is not there.
///
/// # Errors
/// [`OutputError`] if the directory cannot be made, or a file cannot be written.
pub(super) fn write(dir: &Path, title: &str, quotient: &Quotient) -> Result<(), Failure> {
    std::fs::create_dir_all(dir).map_err(|cause| OutputError::File {
        file: dir.to_owned(),
        cause,
    })?;
    let (monoid, words) = (&quotient.monoid, &quotient.words);
    let mut pictures = vec![
        ("classes.svg", class_diagram(title, monoid, words)),
        ("idempotents.svg", idempotent_order(title, monoid, words)),
        ("cayley.svg", cayley_graph(title, monoid, words)),
    ];
    if let Some(game) = &quotient.game {
        let function = PretendingFunction {
            values: &game.values,
            repeats: game.repeats.map(|it| (it.period, it.preperiod)),
        };
        let strip = pretending_strip(&game.code.to_string(), monoid, words, function);
        pictures.push(("pretending.svg", strip));
    }
    for (name, picture) in pictures {
        result_file::write(&dir.join(name), &picture)?;
    }
    Ok(())
}
