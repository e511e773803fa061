//! The primes that divide a period.

/// Returns the primes that divide a number, ascending.
pub(super) fn prime_factors(mut number: u32) -> Vec<u32> {
    let mut primes = Vec::new();
    let mut divisor = 2;
    while u64::from(divisor) * u64::from(divisor) <= u64::from(number) {
        if number.is_multiple_of(divisor) {
            primes.push(divisor);
            while number.is_multiple_of(divisor) {
                number /= divisor;
            }
        }
        divisor += 1;
    }
    primes.extend((number > 1).then_some(number));
    primes
}
