//! The forms of the heaps and positions of a code.
//!
//! A position is composed of its heaps, option by option. Heaps whose forms are equal are
//! interchangeable, a heap that equals `0` is left out, and two heaps that equal `*` cancel. The
//! remaining positions are the sums of the remaining heaps: in a game without moves that split
//! heaps one for each heap, in Kayles some thousands to heap 30.

use rustc_hash::FxHashMap;

use misere_game::control::{Control, Stop};
use misere_game::ruleset::Code;

use super::{Form, Forms, GAME_TICKS, OPTION_TICKS};

/// The heaps of a position that count, ascending.
type Position = Vec<u32>;

/// The forms of the positions of one code, on a shelf that is lent to each call.
#[derive(Debug)]
pub struct HeapForms<'a> {
    code: &'a Code,
    of_position: FxHashMap<Position, Form>,
    /// The least heap with the same form, for each heap whose form is known; 0 if that is `0`.
    stand_ins: Vec<u32>,
    /// The least heap with that form.
    first: FxHashMap<Form, u32>,
}

/// A position whose options are being found.
struct Open {
    position: Position,
    missing: Vec<Position>,
    options: Vec<Form>,
}

impl<'a> HeapForms<'a> {
    /// Returns the forms of a code, with none known yet.
    #[must_use]
    pub fn new(code: &'a Code) -> Self {
        Self {
            code,
            of_position: FxHashMap::from_iter([(Position::new(), Form::ZERO)]),
            stand_ins: vec![0],
            first: FxHashMap::from_iter([(Form::ZERO, 0)]),
        }
    }

    /// Returns the form of a heap.
    ///
    /// Cost: the positions that can be reached from this heap and the smaller ones.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::Forms;
    /// use misere_algebra::forms::heaps::HeapForms;
    /// let code = "0.123".parse()?;
    /// let (mut forms, mut heaps) = (Forms::new(), HeapForms::new(&code));
    /// let eight = heaps.heap(8, &mut forms, &mut Control::unlimited())?;
    /// assert_eq!(forms.game(eight)?.to_string(), "{{*2},*}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it; the forms known by then are kept.
    pub fn heap(
        &mut self,
        heap: u32,
        forms: &mut Forms,
        control: &mut Control,
    ) -> Result<Form, Stop> {
        while self.stand_ins.len() as u64 <= u64::from(heap) {
            let next = self.stand_ins.len() as u32;
            let form = self.evaluate(vec![next], forms, control)?;
            let first = *self.first.entry(form).or_insert(next);
            self.stand_ins.push(first);
        }
        let position = self.simplified([heap].into_iter());
        self.evaluate(position, forms, control)
    }

    /// Returns the form of a sum of heaps.
    ///
    /// Cost: as for [`heap`](Self::heap), with the positions that can be reached from the sum.
    ///
    /// ```
    /// use misere_game::control::Control;
    /// use misere_algebra::forms::{Form, Forms};
    /// use misere_algebra::forms::heaps::HeapForms;
    /// let code = "0.77".parse()?;
    /// let (mut forms, mut heaps) = (Forms::new(), HeapForms::new(&code));
    /// let sum = heaps.position(&[1, 4, 2], &mut forms, &mut Control::unlimited())?;
    /// assert_eq!(forms.game(sum)?.to_string(), "*2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] if `control` ends it; the forms known by then are kept.
    pub fn position(
        &mut self,
        heaps: &[u32],
        forms: &mut Forms,
        control: &mut Control,
    ) -> Result<Form, Stop> {
        self.heap(heaps.iter().copied().max().unwrap_or(0), forms, control)?;
        let position = self.simplified(heaps.iter().copied());
        self.evaluate(position, forms, control)
    }

    /// Returns the heaps that count, each as the least heap with its form.
    fn simplified(&self, heaps: impl Iterator<Item = u32>) -> Position {
        let stand_in = |heap: u32| self.stand_ins.get(heap as usize).copied().unwrap_or(heap);
        let mut position: Position = heaps.map(stand_in).filter(|&heap| heap > 0).collect();
        position.sort_unstable();
        if let Some(&star) = self.first.get(&Form::STAR) {
            let begin = position.partition_point(|&heap| heap < star);
            let end = position.partition_point(|&heap| heap <= star);
            position.drain(begin..begin + (end - begin) / 2 * 2);
        }
        position
    }

    fn evaluate(
        &mut self,
        root: Position,
        forms: &mut Forms,
        control: &mut Control,
    ) -> Result<Form, Stop> {
        if let Some(&form) = self.of_position.get(&root) {
            return Ok(form);
        }
        let mut stack = vec![self.open(root, control)?];
        let mut last = Form::ZERO;
        while let Some(open) = stack.last_mut() {
            let mut descend = None;
            while let Some(option) = open.missing.pop() {
                match self.of_position.get(&option) {
                    Some(&form) => open.options.push(form),
                    None => {
                        descend = Some(option);
                        break;
                    }
                }
            }
            if let Some(position) = descend {
                open.missing.push(position.clone());
                let open = self.open(position, control)?;
                stack.push(open);
            } else if let Some(open) = stack.pop() {
                last = forms.with_options(&open.options, control)?;
                self.of_position.insert(open.position, last);
            }
        }
        Ok(last)
    }

    /// Lists the options of a position.
    fn open(&self, position: Position, control: &mut Control) -> Result<Open, Stop> {
        let mut missing: Vec<Position> = Vec::new();
        let width = position.len() as u64 + 3;
        control.spend(GAME_TICKS + OPTION_TICKS * width)?;
        for (at, &heap) in position.iter().enumerate() {
            if at > 0 && position[at - 1] == heap {
                continue;
            }
            let options = self.code.most_options(heap);
            control.spend(options.saturating_mul(OPTION_TICKS * width))?;
            self.code.for_each_option(heap, |option| {
                let others = position[..at].iter().chain(&position[at + 1..]);
                missing.push(self.simplified(others.copied().chain(option.parts())));
            });
        }
        missing.sort_unstable();
        missing.dedup();
        Ok(Open {
            position,
            missing,
            options: Vec::new(),
        })
    }
}
