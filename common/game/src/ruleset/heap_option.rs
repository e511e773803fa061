//! An option of a heap: the heaps that one move leaves.

/// The most heaps one move can leave.
///
/// A digit is one of 0 to V, whose greatest bit is for four heaps.
pub const MAX_PARTS: usize = 4;

/// The heaps that one move leaves of a heap.
///
/// They are at most four sizes, largest first, padded with zeros (heap 0 is the empty sum).
///
/// ```
/// use misere_game::ruleset::{Code, HeapOption};
/// let kayles: Code = "0.77".parse()?;
/// let options = kayles.options(4);
/// assert_eq!(options.len(), 4); // 3, 2+1, 2, 1+1
/// assert!(options.contains(&HeapOption([2, 1, 0, 0])));
/// # Ok::<(), misere_game::ruleset::CodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HeapOption(pub [u32; MAX_PARTS]);

impl HeapOption {
    /// Returns the heaps left, largest first, without the padding.
    ///
    /// ```
    /// use misere_game::ruleset::HeapOption;
    /// assert_eq!(HeapOption([5, 2, 0, 0]).parts().collect::<Vec<_>>(), [5, 2]);
    /// ```
    pub fn parts(self) -> impl Iterator<Item = u32> {
        self.0.into_iter().take_while(|&part| part > 0)
    }
}
