//! The codes of a space by their places.
//!
//! A code of a family is computed from its place; only lists and surveys are held in memory.

use misere_game::ruleset::Code;

use super::survey::Survey;

/// The codes of a space, by their places in ascending order.
///
/// ```
/// use misere_census::Space;
/// let space = Space::Octal { digits: 8 };
/// let listing = space.listing();
/// assert_eq!(listing.count(), 18_874_367);
/// let code = |place| listing.code(place).map(|code| code.to_string());
/// assert_eq!(code(0).as_deref(), Some("0.1"));
/// assert_eq!(code(18_874_366).as_deref(), Some("4.7777777"));
/// assert_eq!(code(18_874_367), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Listing<'a> {
    /// Like [`Space::Octal`](crate::Space::Octal).
    Octal {
        /// The number of digits.
        digits: u8,
    },
    /// Codes in ascending order.
    Codes(&'a [Code]),
    /// Like [`Space::Hexadecimal`](crate::Space::Hexadecimal).
    Hexadecimal {
        /// The number of digits.
        digits: u8,
    },
    /// Like [`Space::Subtraction`](crate::Space::Subtraction).
    Subtraction {
        /// The most beans.
        most: u8,
    },
    /// Like [`Space::Quaternary`](crate::Space::Quaternary).
    Quaternary {
        /// The number of digits.
        digits: u8,
    },
    /// Like [`Space::BornByFive`](crate::Space::BornByFive).
    BornByFive(&'a Survey),
}

impl Listing<'_> {
    /// Returns the number of codes of the listing.
    ///
    /// ```
    /// use misere_census::Space;
    /// // 0.1 to 0.7, and 4.0.
    /// assert_eq!(Space::Octal { digits: 1 }.listing().count(), 8);
    /// ```
    #[must_use]
    pub fn count(&self) -> u64 {
        match *self {
            Self::Octal { digits } => OCTAL.without_d0(digits) + OCTAL.with_each_d0(digits),
            Self::Hexadecimal { digits } => {
                HEXADECIMAL.without_d0(digits) + 3 * HEXADECIMAL.with_each_d0(digits)
            }
            Self::Subtraction { most } => SUBTRACTION.without_d0(most),
            Self::Quaternary { digits } => QUATERNARY.without_d0(digits),
            Self::Codes(codes) => codes.len() as u64,
            Self::BornByFive(survey) => survey.count(),
        }
    }

    /// Returns the code at a place, counted from 0; `None` after the last.
    ///
    /// Cost: linear in the digits.
    ///
    /// ```
    /// use misere_census::Space;
    /// let space = Space::Octal { digits: 2 };
    /// let texts = [0, 62, 63].map(|place| space.listing().code(place).map(|code| code.to_string()));
    /// assert_eq!(texts, ["0.1", "0.77", "4"].map(|text| Some(text.to_owned())));
    /// ```
    #[must_use]
    pub fn code(&self, place: u64) -> Option<Code> {
        let (family, digits, with_d0) = match *self {
            Self::Octal { digits } => (OCTAL, digits, &[4][..]),
            Self::Hexadecimal { digits } => (HEXADECIMAL, digits, &[4, 8, 12][..]),
            Self::Subtraction { most } => (SUBTRACTION, most, &[][..]),
            Self::Quaternary { digits } => (QUATERNARY, digits, &[][..]),
            Self::Codes(codes) => return codes.get(usize::try_from(place).ok()?).cloned(),
            Self::BornByFive(survey) => return survey.code(place),
        };
        let Some(behind) = place.checked_sub(family.without_d0(digits)) else {
            return family.code(0, place + 1);
        };
        let each = family.with_each_d0(digits);
        let d0 = with_d0.get(usize::try_from(behind / each).ok()?)?;
        family.code(*d0, behind % each)
    }
}

/// Codes whose digits are the multiples of a step below a bound.
#[derive(Clone, Copy)]
struct Family {
    /// The number of possible digits.
    base: u64,
    /// Each digit is a multiple of this.
    step: u8,
}

const OCTAL: Family = Family { base: 8, step: 1 };
const HEXADECIMAL: Family = Family { base: 16, step: 1 };
const QUATERNARY: Family = Family { base: 4, step: 1 };
/// The digits 0 and 3: moves of this number of beans are forbidden, or allowed without conditions.
const SUBTRACTION: Family = Family { base: 2, step: 3 };

impl Family {
    /// Returns the number of codes `0.d_1…d_n`, without the code that has no moves.
    fn without_d0(self, digits: u8) -> u64 {
        self.base.pow(digits.into()) - 1
    }

    /// Returns the number of codes `d_0.d_1…d_(n-1)` with one `d_0`.
    fn with_each_d0(self, digits: u8) -> u64 {
        self.base.pow(u32::from(digits).saturating_sub(1))
    }

    /// Returns the code with this `d_0` at a place among all codes with it.
    ///
    /// The first is the code without digits. There are `b^n` codes of at most `n` digits. Exactly
    /// `n` digits have `(b − 1) · b^(n-1)` of them, as the last digit is not 0.
    fn code(self, d0: u8, place: u64) -> Option<Code> {
        let mut length = 0;
        while self.base.checked_pow(length)? <= place {
            length += 1;
        }
        let mut digits = vec![0; length as usize];
        if let Some((last, rest)) = digits.split_last_mut() {
            let among = place - self.base.pow(length - 1);
            *last = (among % (self.base - 1)) as u8 + 1;
            let mut number = among / (self.base - 1);
            for digit in rest.iter_mut().rev() {
                *digit = (number % self.base) as u8;
                number /= self.base;
            }
        }
        digits.iter_mut().for_each(|digit| *digit *= self.step);
        Code::new(d0, &digits)
    }
}
