//! The end of a branch: the table of all products, and the prunes with everything known.

use misere_game::control::Stop;

use super::super::small_monoid::{MAX_ORDER, Mask, SmallElement, SmallMonoid, elements, times_a};
use super::base::meximal;
use super::mirror::{Mirror, mirrored};
use super::{Search, SimpleExtension};

/// Ticks of one finished table.
const LEAF_TICKS: u64 = 1_000;

impl Search<'_, '_> {
    /// Completes the table of a branch whose images are all known, and offers it to the caller.
    ///
    /// The table of its mirror image is treated likewise.
    pub(super) fn leaf(&mut self) -> Result<(), Stop> {
        let branches = self.now.mirror.branches();
        self.effort.leaves += branches;
        self.control.spend(LEAF_TICKS * branches)?;
        let monoid = self.table();
        if self.now.mirror == Mirror::Another {
            let exponents = self.power.map(|(_, exponent)| exponent);
            self.offer(mirrored(&monoid, &exponents));
        }
        self.offer(monoid);
        Ok(())
    }

    /// Passes a finished table on to the caller if it survives the prunes.
    fn offer(&mut self, monoid: SmallMonoid) {
        let extended = SimpleExtension {
            translates: self.translates(&monoid),
            monoid,
            x: 2 * self.base.monoid.orbits as SmallElement,
        };
        if self.passes(&extended) {
            (self.found)(extended);
        }
    }

    /// Returns the table of all products, from X and the products in S.
    fn table(&self) -> SmallMonoid {
        let (old, orbits) = (self.base.monoid.orbits, self.now.orbits);
        let mut monoid = SmallMonoid {
            orbits,
            p_portion: self.now.p_portion,
            table: self.base.monoid.table,
        };
        let times_x = |y: SmallElement| self.cells[usize::from(y >> 1)] ^ y & 1;
        for new in old..orbits {
            for s in 0..old {
                let product = times_x(monoid.table[s][self.parent[new]]);
                monoid.table[s][new] = product;
                monoid.table[new][s] = product;
            }
        }
        for new in old..orbits {
            for other in old..orbits {
                monoid.table[new][other] = times_x(monoid.table[self.parent[new]][other]);
            }
        }
        monoid
    }

    /// Returns the translates of an extension, given those of S.
    fn translates(&self, extended: &SmallMonoid) -> [Mask; MAX_ORDER] {
        let old = self.base.monoid.orbits;
        let mut rows = self.base.translates;
        for new in old..extended.orbits {
            let row = extended.pulled_back(2 * new as SmallElement, extended.p_portion);
            for orbit in 0..extended.orbits {
                rows[2 * orbit] |= (row >> (2 * orbit) & 3) << (2 * new);
            }
            rows[2 * new] |= row;
        }
        for orbit in 0..extended.orbits {
            rows[2 * orbit + 1] = times_a(rows[2 * orbit]);
        }
        rows
    }

    /// Applies the prunes again, with everything known.
    fn passes(&self, extended: &SimpleExtension) -> bool {
        let SimpleExtension {
            monoid,
            translates,
            x,
        } = extended;
        let rows = &translates[..monoid.order()];
        let old = self.base.monoid.all();
        let options = meximal(&rows[..self.base.monoid.order()], rows[usize::from(*x)]);
        if options == 0 || rows.contains(&0) {
            return false;
        }
        let powers = [*x, monoid.product(*x, *x)];
        elements(old).all(|s| {
            let at = usize::from(s);
            // Whether an option of s wins with an element. The meximal set of s is part of its
            // meximal set in S.
            let answers = |row: Mask| {
                let mut of_s = elements(self.base.options[at] & row);
                of_s.any(|y| s < 2 || rows[usize::from(y)] & rows[at] == 0)
            };
            let mut rest = s;
            let in_s = s == 0 || monoid.in_p(s) || answers(rows[0]);
            in_s && powers.iter().all(|&power| {
                // rest = s·x^(i-1): an option of x, or an option of s, must win s·x^i.
                let whole = monoid.product(s, power);
                let answered = monoid.in_p(whole)
                    || options & rows[usize::from(rest)] != 0
                    || answers(rows[usize::from(power)]);
                rest = whole;
                answered
            })
        })
    }
}
