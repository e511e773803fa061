//! Small automata that sort vectors of counts, from which evidence is made.

/// An automaton that reads the bits of some counts, the lowest first, and sorts the vectors of
/// counts into classes.
#[derive(Clone)]
pub(crate) struct Reader {
    /// For each state the next one for each choice of a bit for each count.
    pub(crate) next: Vec<Vec<u32>>,
    /// The class of a vector that ends in a state.
    pub(crate) class: Vec<usize>,
    pub(crate) classes: usize,
}

impl Reader {
    /// Builds the part of an automaton that is reached from state 0.
    ///
    /// The class of a state is the state to which zeros lead from it.
    fn explored<S: Clone + PartialEq>(
        start: S,
        digits: usize,
        step: impl Fn(&S, usize) -> S,
    ) -> Self {
        let mut states = vec![start];
        let mut next: Vec<Vec<u32>> = Vec::new();
        while next.len() < states.len() {
            let from = states[next.len()].clone();
            let to = (0..1 << digits).map(|bits| {
                let state = step(&from, bits);
                let known = states.iter().position(|other| *other == state);
                known.unwrap_or_else(|| {
                    states.push(state);
                    states.len() - 1
                }) as u32
            });
            let to = to.collect();
            next.push(to);
        }
        let end = |state: usize| (0..states.len()).fold(state, |at, _| next[at][0] as usize);
        let mut ends: Vec<usize> = (0..states.len()).map(end).collect();
        ends.sort_unstable();
        ends.dedup();
        let class =
            (0..states.len()).map(|state| ends.iter().position(|&e| e == end(state)).unwrap());
        Self {
            class: class.collect(),
            classes: ends.len(),
            next,
        }
    }

    /// Reads whether each count is 0.
    pub(crate) fn zero(digits: usize) -> Self {
        Self::explored(0, digits, |&seen, bits| seen | bits)
    }

    /// Reads for each count whether it is 0, 1, a greater odd number or a greater even one.
    pub(crate) fn parity(digits: usize) -> Self {
        // For each count: the first bit, and whether a later one was set.
        let start: (bool, Vec<(bool, bool)>) = (true, vec![(false, false); digits]);
        Self::explored(start, digits, |(is_first, seen), bits| {
            let seen = seen.iter().enumerate().map(|(d, &(first, later))| {
                let bit = bits >> d & 1 != 0;
                match is_first {
                    true => (bit, false),
                    false => (first, later || bit),
                }
            });
            (false, seen.collect())
        })
    }

    /// Reads which of two counts is greater, and whether each is even, as needed beside a diagonal.
    pub(crate) fn diagonal() -> Self {
        Self::explored((true, 0, 0_i32), 2, |&(is_first, lowest, sign), bits| {
            let lowest = if is_first { bits } else { lowest };
            let sign = match bits {
                1 => 1,
                2 => -1,
                _ => sign,
            };
            (false, lowest, sign)
        })
    }

    /// Reads whether the number of ones is even, and whether there are any: a sequence that does
    /// not repeat.
    pub(crate) fn ones(digits: usize) -> Self {
        let start = (vec![false; digits], false);
        Self::explored(start, digits, |(odd, any), bits| {
            let odd = odd
                .iter()
                .enumerate()
                .map(|(d, odd)| odd ^ (bits >> d & 1 != 0));
            (odd.collect(), *any || bits != 0)
        })
    }

    /// Reads whether the highest bit of the first count has an even place, with its parity and the
    /// other counts as zero or not.
    pub(crate) fn highest(digits: usize) -> Self {
        let start: (bool, Option<bool>, usize) = (false, None, 0);
        Self::explored(start, digits, |&(place, highest, others), bits| {
            let highest = if bits & 1 != 0 { Some(place) } else { highest };
            (!place, highest, others | bits & !1)
        })
    }
}
