//! The parser of amounts on the command line: fuel, memory, time and heaps.
//!
//! Fuel takes decimal suffixes (`250k`, `10M`, `2G`), or is the time in which a core spends about as
//! much (`30s`, `5min`, `2h`: a million units a second). Memory takes decimal and binary ones (`2GB`,
//! `512MiB`, or `512M` for short), time `ms`, `s`, `min`, `h`, `d` and several of them in a row
//! (`1h30min`). A number without suffix counts units of fuel, bytes and seconds. `1.5`, `1e6` and
//! `10_000` are numbers. A heap is counted in beans; its number takes decimal suffixes, or is a
//! power (`2^26`).

use std::time::Duration;

/// Suffixes and their values.
type Units = &'static [(&'static str, u64)];

const FUEL: Units = &[
    ("", 1),
    ("k", 1_000),
    ("K", 1_000),
    ("M", 1_000_000),
    ("G", 1_000_000_000),
    ("T", 1_000_000_000_000),
    ("s", 1_000_000),
    ("min", 60_000_000),
    ("h", 3_600_000_000),
];

/// The suffixes of fuel that are not times.
const COUNTS: Units = FUEL.split_at(6).0;

const BYTES: Units = &[
    ("", 1),
    ("B", 1),
    ("kB", 1_000),
    ("KB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("K", 1 << 10),
    ("M", 1 << 20),
    ("G", 1 << 30),
    ("T", 1 << 40),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
];

const MILLISECONDS: Units = &[
    ("", 1_000),
    ("ms", 1),
    ("s", 1_000),
    ("min", 60_000),
    ("m", 60_000),
    ("h", 3_600_000),
    ("d", 86_400_000),
];

/// The reason why a text is not an amount.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// The text is empty.
    #[error("a number is missing")]
    Nothing,
    /// The amount is negative.
    #[error("an amount cannot be negative")]
    Negative,
    /// The text has characters other than digits.
    #[error("`{0}` is not a whole number")]
    NotWhole(String),
    /// The text does not start with a number.
    #[error("`{0}` does not start with a number")]
    NoNumber(String),
    /// The suffix is unknown.
    #[error("`{found}` is not a known suffix (known: {known}{})", minute(found))]
    Suffix {
        /// The suffix found.
        found: String,
        /// The suffixes allowed there.
        known: String,
    },
    /// The amount is too large.
    #[error("`{0}` is too large")]
    TooLarge(String),
}

/// Reads an amount of fuel, such as `10M`, or `10s` for what a core spends in ten seconds.
///
/// ```
/// use misere_census::quantity::fuel;
/// assert_eq!((fuel("10M")?, fuel("1.5k")?), (10_000_000, 1_500));
/// assert_eq!(fuel("10s")?, fuel("10M")?);
/// assert!(fuel("10 apples").is_err());
/// # Ok::<(), misere_census::quantity::QuantityError>(())
/// ```
///
/// # Errors
/// [`QuantityError`] if it is not one.
pub fn fuel(text: &str) -> Result<u64, QuantityError> {
    one(text, FUEL)
}

/// Reads an amount of memory in bytes, such as `2GiB`.
///
/// ```
/// use misere_census::quantity::bytes;
/// assert_eq!(bytes("2GiB")?, 2 << 30);
/// # Ok::<(), misere_census::quantity::QuantityError>(())
/// ```
///
/// # Errors
/// [`QuantityError`] if it is not one.
pub fn bytes(text: &str) -> Result<u64, QuantityError> {
    one(text, BYTES)
}

/// Reads a length of time, such as `10s` or `1h30min`.
///
/// Cost: linear in the text.
///
/// ```
/// use std::time::Duration;
/// use misere_census::quantity::duration;
/// assert_eq!(duration("1h30min")?, Duration::from_secs(5_400));
/// # Ok::<(), misere_census::quantity::QuantityError>(())
/// ```
///
/// # Errors
/// [`QuantityError`] if it is not one.
pub fn duration(text: &str) -> Result<Duration, QuantityError> {
    let (mut amount, mut rest) = first(text, MILLISECONDS)?;
    while !rest.is_empty() {
        let (more, after) = first(rest, MILLISECONDS)?;
        let too_large = || QuantityError::TooLarge(text.to_owned());
        amount = amount.checked_add(more).ok_or_else(too_large)?;
        rest = after;
    }
    Ok(Duration::from_millis(amount))
}

/// Reads a count, such as `12`.
///
/// ```
/// use misere_census::quantity::{QuantityError, whole_number};
/// assert_eq!(whole_number("12")?, 12);
/// assert_eq!(whole_number("-1"), Err(QuantityError::Negative));
/// # Ok::<(), QuantityError>(())
/// ```
///
/// # Errors
/// [`QuantityError`] if it is not one, or does not fit.
pub fn whole_number(text: &str) -> Result<u32, QuantityError> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) => Ok(number),
        Err(_) if text.is_empty() => Err(QuantityError::Nothing),
        Err(_) if !is_number => Err(QuantityError::NotWhole(text.to_owned())),
        Err(_) if text.starts_with('-') => Err(QuantityError::Negative),
        Err(_) => Err(QuantityError::TooLarge(text.to_owned())),
    }
}

/// Reads the number of a heap, such as `1000`, `230M` or `2^26`.
///
/// ```
/// use misere_census::quantity::heap;
/// assert_eq!((heap("2^26")?, heap("1.5M")?), (67_108_864, 1_500_000));
/// assert!(heap("1.5").is_err());
/// # Ok::<(), misere_census::quantity::QuantityError>(())
/// ```
///
/// # Errors
/// [`QuantityError`] if it is not one, or does not fit.
pub fn heap(text: &str) -> Result<u32, QuantityError> {
    let too_large = || QuantityError::TooLarge(text.to_owned());
    if let Some((base, power)) = text.split_once('^') {
        let (base, power) = (whole_number(base)?, whole_number(power)?);
        return base.checked_pow(power).ok_or_else(too_large);
    }
    // A fraction may be part of a number with a suffix or an exponent; alone it is not a heap.
    if text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
    {
        return whole_number(text);
    }
    u32::try_from(one(text, COUNTS)?).map_err(|_| too_large())
}

/// Reads an amount that spans the whole text.
fn one(text: &str, units: Units) -> Result<u64, QuantityError> {
    match first(text, units)? {
        (amount, "") => Ok(amount),
        (_, rest) => Err(unknown(rest, units)),
    }
}

/// The most digits of a number, and the greatest exponent: more digits fit no amount.
const MAX_DIGITS: usize = 25;

/// Reads the amount at the beginning of a text, and returns the rest after its suffix.
fn first(text: &str, units: Units) -> Result<(u64, &str), QuantityError> {
    let no_number = || QuantityError::NoNumber(text.to_owned());
    let too_large = || QuantityError::TooLarge(text.to_owned());
    if text.is_empty() {
        return Err(QuantityError::Nothing);
    }
    if text.starts_with('-') {
        return Err(QuantityError::Negative);
    }
    let is_of_number = |c: char| c.is_ascii_digit() || c == '.' || c == '_';
    let end = text.find(|c| !is_of_number(c)).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    let number = number.replace('_', "");
    let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
    let fraction = fraction.trim_end_matches('0');
    if whole.is_empty() || fraction.contains('.') {
        return Err(no_number());
    }
    let (exponent, rest) = exponent(rest);
    let end = rest
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(rest.len());
    let (suffix, rest) = rest.split_at(end);
    let unit = units.iter().find(|(name, _)| *name == suffix);
    let &(_, unit) = unit.ok_or_else(|| unknown(suffix, units))?;
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    if digits.len() > MAX_DIGITS || exponent > MAX_DIGITS {
        return Err(too_large());
    }
    // A text without digits other than zeros is the number 0.
    let amount = digits.parse::<u128>().unwrap_or(0);
    let up = amount.checked_mul(unit.into());
    let up = up.and_then(|amount| amount.checked_mul(10_u128.pow(exponent as u32)));
    let places = u32::try_from(fraction.len()).unwrap_or(u32::MAX);
    let down = 10_u128.checked_pow(places).unwrap_or(u128::MAX);
    let amount = up.ok_or_else(too_large)? / down;
    Ok((u64::try_from(amount).map_err(|_| too_large())?, rest))
}

/// Returns the exponent at the beginning of a text, as in `e6`, or 0; and the rest.
fn exponent(text: &str) -> (usize, &str) {
    let Some(rest) = text.strip_prefix(['e', 'E']) else {
        return (0, text);
    };
    let rest = rest.strip_prefix('+').unwrap_or(rest);
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    match rest[..end].parse() {
        Ok(exponent) => (exponent, &rest[end..]),
        // A number that overflows is too large; without digits it is not an exponent.
        Err(_) if end > 0 => (usize::MAX, &rest[end..]),
        Err(_) => (0, text),
    }
}

/// Explains the suffix `m`, which could be meant for two others.
fn minute(found: &str) -> &'static str {
    match found {
        "m" => "; 1M is a million, 1min a minute",
        _ => "",
    }
}

fn unknown(found: &str, units: Units) -> QuantityError {
    let mut known: Vec<&str> = Vec::new();
    for &(name, _) in units.iter().filter(|(name, _)| !name.is_empty()) {
        // One of `k` and `K` is enough.
        if !known.iter().any(|other| other.eq_ignore_ascii_case(name)) {
            known.push(name);
        }
    }
    QuantityError::Suffix {
        found: found.to_owned(),
        known: known.join(", "),
    }
}

/// Writes fuel with the largest suffix that leaves at least one unit, to three digits: `1.24M`.
///
/// ```
/// use misere_census::quantity::write_fuel;
/// assert_eq!((write_fuel(999), write_fuel(1_240_000)), ("999".to_owned(), "1.24M".to_owned()));
/// ```
pub fn write_fuel(fuel: u64) -> String {
    let &(suffix, unit) = COUNTS
        .iter()
        .rev()
        .filter(|(suffix, _)| !matches!(*suffix, "K" | "T"))
        .find(|&&(_, unit)| fuel >= unit)
        .unwrap_or(&COUNTS[0]);
    let amount = fuel as f64 / unit as f64;
    let decimals = if unit == 1 || amount >= 100.0 {
        0
    } else {
        1 + usize::from(amount < 10.0)
    };
    format!("{amount:.decimals$}{suffix}")
}

/// Writes bytes in binary units, to one decimal: `2.0GiB`.
///
/// ```
/// use misere_census::quantity::write_bytes;
/// assert_eq!(write_bytes(2 << 30), "2.0GiB");
/// ```
pub fn write_bytes(bytes: u64) -> String {
    let &(suffix, unit) = [("GiB", 1_u64 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        .iter()
        .find(|&&(_, unit)| bytes >= unit)
        .unwrap_or(&("B", 1));
    format!("{:.1}{suffix}", bytes as f64 / unit as f64)
}

/// Writes a time span for people, rounded: `45 s`, `12 min`, `30 h`, `5 d`.
///
/// ```
/// use misere_census::quantity::write_duration;
/// assert_eq!((write_duration(45.0), write_duration(720.0)), ("45 s".to_owned(), "12 min".to_owned()));
/// ```
pub fn write_duration(seconds: f64) -> String {
    let whole = |unit: f64, name: &str| format!("{:.0} {name}", seconds / unit);
    match seconds {
        ..120.0 => whole(1.0, "s"),
        ..7_200.0 => whole(60.0, "min"),
        ..172_800.0 => whole(3_600.0, "h"),
        _ => whole(86_400.0, "d"),
    }
}

/// Writes a time in Unix milliseconds as date and time of day (UTC): `2026-11-21 09:05:20Z`.
///
/// ```
/// use misere_census::quantity::write_time;
/// assert_eq!(write_time(1_000_000_000_000), "2001-09-09 01:46:40Z");
/// ```
pub fn write_time(unix_ms: u64) -> String {
    let seconds = unix_ms / 1000;
    let (mut days, of_day) = (seconds / 86_400, seconds % 86_400);
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [
        31,
        28 + u64::from(leap(year)),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
    ] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!(
        "{year}-{month:02}-{:02} {hour:02}:{minute:02}:{second:02}Z",
        days + 1
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_by_the_calendar() {
        assert_eq!(write_time(0), "1970-01-01 00:00:00Z");
        assert_eq!(write_time(951_827_696_000), "2000-02-29 12:34:56Z");
        assert_eq!(write_time(1_795_251_920_999), "2026-11-21 09:05:20Z");
        assert_eq!(write_time(1_798_761_599_000), "2026-12-31 23:59:59Z");
        assert_eq!(write_duration(89.6), "90 s");
        assert_eq!(write_duration(7_000.0), "117 min");
        assert_eq!(write_duration(1e6), "12 d");
    }

    #[test]
    fn amounts_are_read() {
        assert_eq!(fuel("250"), Ok(250));
        assert_eq!(fuel("250k"), Ok(250_000));
        assert_eq!(fuel("1.5M"), Ok(1_500_000));
        assert_eq!(fuel("10_000"), Ok(10_000));
        assert_eq!(bytes("2GiB"), Ok(2 << 30));
        assert_eq!(bytes("2GB"), Ok(2_000_000_000));
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("1.5min"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("3"), Ok(Duration::from_secs(3)));
        assert_eq!(fuel("1e6"), Ok(1_000_000));
        assert_eq!(fuel("1.5E+3"), Ok(1_500));
        assert_eq!(fuel("2e3k"), Ok(2_000_000));
        assert_eq!(fuel("1K"), fuel("1k"));
        assert_eq!(fuel("0.0000000015G"), Ok(1));
        assert_eq!(fuel("00000000000000000000000000000007"), Ok(7));
        assert_eq!(bytes("512M"), bytes("512MiB"));
        assert_eq!(bytes("4G"), Ok(4 << 30));
        assert_eq!(duration("1h30m"), Ok(Duration::from_secs(5_400)));
        assert_eq!(duration("1d"), Ok(Duration::from_secs(86_400)));
        assert_eq!(duration("1min2s3ms"), Ok(Duration::from_millis(62_003)));
    }

    #[test]
    fn bad_amounts_are_refused() {
        assert_eq!(fuel(""), Err(QuantityError::Nothing));
        assert_eq!(fuel("M"), Err(QuantityError::NoNumber("M".to_owned())));
        assert_eq!(
            fuel("1.2.3"),
            Err(QuantityError::NoNumber("1.2.3".to_owned()))
        );
        assert_eq!(fuel("-1"), Err(QuantityError::Negative));
        assert_eq!(fuel("1_"), Ok(1));
        assert!(matches!(fuel("1M2"), Err(QuantityError::Suffix { .. })));
        assert!(matches!(fuel("1e"), Err(QuantityError::Suffix { .. })));
        assert!(matches!(
            duration("1h30x"),
            Err(QuantityError::Suffix { .. })
        ));
        for text in ["1e99999999999999999999", "1e26", "9e25", "1e20"] {
            let too_large = QuantityError::TooLarge(text.to_owned());
            assert_eq!(fuel(text), Err(too_large), "{text}");
        }
        assert_eq!(
            fuel("99999999999999999999"),
            Err(QuantityError::TooLarge("99999999999999999999".to_owned()))
        );
        assert_eq!(
            fuel("99999999999999999G"),
            Err(QuantityError::TooLarge("99999999999999999G".to_owned()))
        );
        let minute = fuel("1m").unwrap_err().to_string();
        assert!(minute.contains("1min a minute"), "{minute}");
        let error = fuel("3X").unwrap_err().to_string();
        assert_eq!(
            error,
            "`X` is not a known suffix (known: k, M, G, T, s, min, h)"
        );
    }

    #[test]
    fn amounts_are_written() {
        assert_eq!(write_fuel(999), "999");
        assert_eq!(write_fuel(1_240_000), "1.24M");
        assert_eq!(write_fuel(12_400), "12.4k");
        assert_eq!(write_bytes(3 << 29), "1.5GiB");
    }
}
