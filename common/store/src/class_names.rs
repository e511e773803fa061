//! The names of the classes of a census, `R_8` for example.

use std::collections::BTreeMap;

use misere_game::bipartite::ClassKey;

use crate::{Store, StoreError};

/// The names of classes, each computed once.
#[derive(Debug, Default)]
pub struct ClassNames(BTreeMap<ClassKey, Option<String>>);

impl ClassNames {
    /// The most names that are remembered.
    const MAX_NAMES: usize = 1 << 14;

    /// Returns the name of a class of this census, if it has one.
    ///
    /// Cost: one seek for a class that was not queried before.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot be read.
    ///
    /// ```
    /// # let (dir, mut store) =
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/support/small_census.rs"));
    /// use misere_store::ClassNames;
    ///
    /// let record = store.game(&"0.3".parse()?)?.ok_or("no game")?.record;
    /// let name = ClassNames::default().of(&store, &record.class)?;
    /// assert!(name.is_some_and(|name| name.starts_with("T_")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(&mut self, store: &Store, class: &ClassKey) -> Result<Option<String>, StoreError> {
        if let Some(name) = self.0.get(class) {
            return Ok(name.clone());
        }
        let name = store.class(class)?.and_then(|stored| stored.name(class));
        if self.0.len() < Self::MAX_NAMES {
            self.0.insert(*class, name.clone());
        }
        Ok(name)
    }
}
