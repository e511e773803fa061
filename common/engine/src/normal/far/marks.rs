//! The facts about the nim-values to powers of two.

use misere_game::solution::Mark;
use misere_game::solution::normal_values::marked;

use super::space::Space;
use super::value::Value;
use super::{Far, Values};

impl Far {
    /// Returns the facts about the nim-values to each power of two from 1024 on, and to `heaps`.
    ///
    /// The heap `heaps` must be known.
    ///
    /// Cost: a step for each heap.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_engine::normal::far::Far;
    /// let mut far = Far::new(&"0.56".parse()?)?;
    /// far.run_until(4_096, |_, _| {}, &mut Control::unlimited());
    /// let last = far.marks(4_096)[2];
    /// assert_eq!((last.heaps, last.rare, last.last_rare), (4_096, 45, 1_795));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn marks(&self, heaps: u32) -> Vec<Mark> {
        let heaps = heaps.min(self.heap());
        match &self.values {
            Values::Narrow(values) => of(values, self.standing.space, heaps),
            Values::Wide(values) => of(values, self.standing.space, heaps),
        }
    }
}

fn of<V: Value>(values: &[V], space: Space, heaps: u32) -> Vec<Mark> {
    let mut times: Vec<u32> = Vec::new();
    let (mut rare, mut last_rare) = (0, 0);
    let (mut greatest, mut first) = (0, 0);
    let mut rest = (0_u32..).zip(values).skip(1).peekable();
    let marks = marked(heaps).map(|heaps| {
        while let Some((heap, value)) = rest.next_if(|&(heap, _)| heap <= heaps) {
            let number = value.number();
            if number >= times.len() {
                times.resize(number + 1, 0);
            }
            times[number] += 1;
            if number > greatest {
                (greatest, first) = (number, heap);
            }
            if space.is_rare(number, heap as usize) {
                rare += 1;
                last_rare = heap;
            }
        }
        let frequency = times.iter().copied().max().unwrap_or(0);
        let most_frequent = times.iter().position(|&times| times == frequency);
        Mark {
            heaps,
            rare,
            last_rare,
            max_nim_value: greatest as u32,
            max_nim_value_heap: first,
            most_frequent: most_frequent.unwrap_or(0) as u32,
            frequency,
        }
    });
    marks.collect()
}
