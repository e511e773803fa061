//! How are amounts written on the command line?
//!
//! Fuel takes decimal suffixes (`250k`, `10M`, `2G`), memory decimal and binary ones (`512MiB`, `2GB`), time `ms`, `s`,
//! `min`, `h`. A number without suffix counts units of fuel, bytes and seconds.

use std::time::Duration;

const FUEL: &[(&str, u64)] = &[
    ("", 1),
    ("k", 1_000),
    ("M", 1_000_000),
    ("G", 1_000_000_000),
];

const BYTES: &[(&str, u64)] = &[
    ("", 1),
    ("B", 1),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
];

const MILLISECONDS: &[(&str, u64)] = &[
    ("", 1_000),
    ("ms", 1),
    ("s", 1_000),
    ("min", 60_000),
    ("m", 60_000),
    ("h", 3_600_000),
];

/// Why a text is no amount.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// It does not start with a number.
    #[error("`{0}` does not start with a number")]
    NoNumber(String),
    /// The suffix is not one of those known.
    #[error("`{found}` is not a known suffix (known: {known})")]
    Suffix {
        /// The suffix found.
        found: String,
        /// Those that may stand there.
        known: String,
    },
    /// More than fits.
    #[error("`{0}` is too large")]
    TooLarge(String),
}

/// Reads an amount of fuel, such as `10M`.
///
/// # Errors
/// [`QuantityError`] if it is not one.
pub fn fuel(text: &str) -> Result<u64, QuantityError> {
    read(text, FUEL)
}

/// Reads an amount of memory in bytes, such as `2GiB`.
///
/// # Errors
/// [`QuantityError`] if it is not one.
pub fn bytes(text: &str) -> Result<u64, QuantityError> {
    read(text, BYTES)
}

/// Reads a length of time, such as `10s`.
///
/// # Errors
/// [`QuantityError`] if it is not one.
pub fn duration(text: &str) -> Result<Duration, QuantityError> {
    read(text, MILLISECONDS).map(Duration::from_millis)
}

fn read(text: &str, units: &[(&str, u64)]) -> Result<u64, QuantityError> {
    let too_large = || QuantityError::TooLarge(text.to_owned());
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_')
        .unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let unit = units
        .iter()
        .find(|(name, _)| *name == suffix)
        .map(|&(_, unit)| unit)
        .ok_or_else(|| {
            let known: Vec<&str> = units
                .iter()
                .map(|&(name, _)| name)
                .filter(|name| !name.is_empty())
                .collect();
            QuantityError::Suffix {
                found: suffix.to_owned(),
                known: known.join(", "),
            }
        });
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole = whole.replace('_', "");
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(&whole) || !is_number(fraction) {
        return Err(QuantityError::NoNumber(text.to_owned()));
    }
    let unit = unit?;
    let mut amount = whole
        .parse::<u64>()
        .ok()
        .and_then(|whole| whole.checked_mul(unit))
        .ok_or_else(too_large)?;
    let mut place = unit;
    for digit in fraction.bytes() {
        place /= 10;
        amount = amount
            .checked_add(place * u64::from(digit - b'0'))
            .ok_or_else(too_large)?;
    }
    Ok(amount)
}

/// Writes fuel with the largest suffix that leaves at least one unit, to three digits: `1.24M`.
pub fn write_fuel(fuel: u64) -> String {
    let &(suffix, unit) = FUEL
        .iter()
        .rev()
        .find(|&&(_, unit)| fuel >= unit)
        .unwrap_or(&FUEL[0]);
    let amount = fuel as f64 / unit as f64;
    let decimals = if unit == 1 || amount >= 100.0 {
        0
    } else {
        1 + usize::from(amount < 10.0)
    };
    format!("{amount:.decimals$}{suffix}")
}

/// Writes bytes in binary units, to one decimal: `2.0GiB`.
pub fn write_bytes(bytes: u64) -> String {
    let &(suffix, unit) = [("GiB", 1_u64 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        .iter()
        .find(|&&(_, unit)| bytes >= unit)
        .unwrap_or(&("B", 1));
    format!("{:.1}{suffix}", bytes as f64 / unit as f64)
}

/// Writes a time span for people, rounded: `45 s`, `12 min`, `30 h`, `5 d`.
pub fn write_duration(seconds: f64) -> String {
    let whole = |unit: f64, name: &str| format!("{:.0} {name}", seconds / unit);
    match seconds {
        ..120.0 => whole(1.0, "s"),
        ..7_200.0 => whole(60.0, "min"),
        ..172_800.0 => whole(3_600.0, "h"),
        _ => whole(86_400.0, "d"),
    }
}

/// Writes a moment of Unix time, in milliseconds, as date and time of day (UTC): `2026-11-21 09:05:20Z`.
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
    }

    #[test]
    fn bad_amounts_are_refused() {
        assert_eq!(fuel(""), Err(QuantityError::NoNumber(String::new())));
        assert_eq!(fuel("M"), Err(QuantityError::NoNumber("M".to_owned())));
        assert_eq!(
            fuel("1.2.3"),
            Err(QuantityError::NoNumber("1.2.3".to_owned()))
        );
        assert_eq!(fuel("-1"), Err(QuantityError::NoNumber("-1".to_owned())));
        assert_eq!(
            fuel("99999999999999999999"),
            Err(QuantityError::TooLarge("99999999999999999999".to_owned()))
        );
        assert_eq!(
            fuel("99999999999999999G"),
            Err(QuantityError::TooLarge("99999999999999999G".to_owned()))
        );
        let error = fuel("3X").unwrap_err().to_string();
        assert_eq!(error, "`X` is not a known suffix (known: k, M, G)");
    }

    #[test]
    fn amounts_are_written() {
        assert_eq!(write_fuel(999), "999");
        assert_eq!(write_fuel(1_240_000), "1.24M");
        assert_eq!(write_fuel(12_400), "12.4k");
        assert_eq!(write_bytes(3 << 29), "1.5GiB");
    }
}
