//! Is a damaged store noticed?
