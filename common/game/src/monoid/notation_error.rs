//! The faults of a text that is not a word, relation or presentation.

/// The greatest exponent that is read.
pub const MAX_EXPONENT: u32 = 1 << 20;

/// A text that is not a word, relation or presentation: the fault and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at character {} of `{text}`: {fault}", .at + 1)]
pub struct NotationError {
    /// The text.
    pub text: String,
    /// The offending character, counted from 0.
    ///
    /// It is the length of the text if something is missing at its end.
    pub at: usize,
    /// The fault in the text.
    pub fault: NotationErrorKind,
}

/// The faults that a text can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationErrorKind {
    /// Something else is expected here.
    #[error("{0} is expected here")]
    Expected(&'static str),
    /// A generator that the presentation does not name.
    #[error("`{0}` is not a generator")]
    UnknownGenerator(String),
    /// A generator named twice.
    #[error("generator `{0}` is named twice")]
    RepeatedGenerator(String),
    /// An exponent above [`MAX_EXPONENT`].
    #[error("an exponent is at most {MAX_EXPONENT}")]
    Exponent,
}
