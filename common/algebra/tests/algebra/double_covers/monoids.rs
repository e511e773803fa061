//! All commutative monoids of a small order, up to isomorphism.
//!
//! The elements are `0, …, m-1`, and 0 is the identity. First the squares `x²` are chosen, up to
//! renumbering; then the other products, cell by cell. Of tables with these squares that are
//! renumberings of one another only the lexicographically least is kept.

use std::collections::BTreeMap;

/// The greatest order for which tables have room.
pub(crate) const MAX_ORDER: usize = 9;
/// A product that is not chosen yet.
const OPEN: u8 = u8::MAX;

/// A multiplication table.
pub(crate) type Table = [[u8; MAX_ORDER]; MAX_ORDER];
/// A renumbering, or the list of the squares.
type Map = [u8; MAX_ORDER];

/// Returns the commutative monoids of an order, one of each isomorphism class.
pub(crate) fn monoids(order: usize) -> Vec<Table> {
    let mut found = Vec::new();
    for squares in squares(order) {
        let mut table = [[OPEN; MAX_ORDER]; MAX_ORDER];
        for x in 0..order {
            table[0][x] = x as u8;
            table[x][0] = x as u8;
            table[x][x] = squares[x];
        }
        let search = Search {
            order,
            cells: (1..order)
                .flat_map(|x| (x + 1..order).map(move |y| (x, y)))
                .collect(),
        };
        if search.close(&mut table) {
            search.fill(&table, &renumberings(order, &squares), &mut found);
        }
    }
    found
}

/// Returns maps that fix 0, one of each class under renumbering.
fn squares(order: usize) -> Vec<Map> {
    let mut classes: BTreeMap<Vec<u8>, Map> = BTreeMap::new();
    let mut map = [0; MAX_ORDER];
    loop {
        // After renumbering, earlier elements are the square of more.
        let mut roots = [0; MAX_ORDER];
        map[..order]
            .iter()
            .for_each(|&y| roots[usize::from(y)] += 1);
        if roots[1..order].is_sorted_by(|one, other| one >= other) {
            classes.entry(shape(order, &map)).or_insert(map);
        }
        let Some(next) = (1..order).find(|&x| usize::from(map[x]) + 1 < order) else {
            return classes.into_values().collect();
        };
        map[next] += 1;
        map[1..next].fill(0);
    }
}

/// Returns a name of a map that depends on its class alone.
///
/// The name lists the cycles with the trees that hang on them.
fn shape(order: usize, map: &Map) -> Vec<u8> {
    let next = |x: usize| usize::from(map[x]);
    let on_cycle: Vec<bool> = (0..order)
        .map(|x| {
            let mut y = next(x);
            (0..order).any(|_| {
                let is_back = y == x;
                y = next(y);
                is_back
            })
        })
        .collect();
    fn tree(order: usize, map: &Map, on_cycle: &[bool], x: usize) -> Vec<u8> {
        let mut below: Vec<Vec<u8>> = (0..order)
            .filter(|&y| usize::from(map[y]) == x && !on_cycle[y])
            .map(|y| tree(order, map, on_cycle, y))
            .collect();
        below.sort_unstable();
        [vec![1], below.concat(), vec![2]].concat()
    }
    let trees: Vec<Vec<u8>> = (0..order).map(|x| tree(order, map, &on_cycle, x)).collect();
    // The cycle of 0 comes first, since 0 is the identity.
    let mut cycles = Vec::new();
    for x in (1..order).filter(|&x| on_cycle[x]) {
        let mut cycle = vec![3];
        let mut y = x;
        loop {
            cycle.extend_from_slice(&trees[y]);
            y = next(y);
            if y == x {
                break;
            }
        }
        cycle.push(4);
        cycles.push(cycle);
    }
    cycles.sort_unstable();
    [trees[0].clone(), cycles.concat()].concat()
}

/// Returns the renumberings but the identity that fix 0 and commute with the map.
fn renumberings(order: usize, map: &Map) -> Vec<Map> {
    fn extend(order: usize, map: &Map, at: usize, to: &mut Map, found: &mut Vec<Map>) {
        if at == order {
            let commutes = (0..order).all(|x| to[usize::from(map[x])] == map[usize::from(to[x])]);
            if commutes && (0..order).any(|x| usize::from(to[x]) != x) {
                found.push(*to);
            }
            return;
        }
        for image in 1..order as u8 {
            let square = usize::from(map[at]);
            let fits = square >= at || to[square] == map[usize::from(image)];
            if fits && !to[1..at].contains(&image) {
                to[at] = image;
                extend(order, map, at + 1, to, found);
            }
        }
    }
    let mut found = Vec::new();
    extend(order, map, 1, &mut [0; MAX_ORDER], &mut found);
    found
}

/// The result of comparing a table with one of its renumberings.
enum Compared {
    /// The renumbering is less for every choice of the open products.
    Less,
    /// The renumbering is greater for every choice of the open products.
    Greater,
    /// The open products decide, or the two tables are equal.
    Open,
}

struct Search {
    order: usize,
    /// The cells that are chosen, in the order of comparison.
    cells: Vec<(usize, usize)>,
}

impl Search {
    /// Adds every completion of a table that is the least of its renumberings.
    fn fill(&self, table: &Table, renumberings: &[Map], found: &mut Vec<Table>) {
        let mut left = Vec::with_capacity(renumberings.len());
        for to in renumberings {
            match self.compared(table, to) {
                Compared::Less => return,
                Compared::Greater => {}
                Compared::Open => left.push(*to),
            }
        }
        let Some(&(x, y)) = self.cells.iter().find(|&&(x, y)| table[x][y] == OPEN) else {
            found.push(*table);
            return;
        };
        for product in 0..self.order as u8 {
            let mut chosen = *table;
            chosen[x][y] = product;
            chosen[y][x] = product;
            if self.close(&mut chosen) {
                self.fill(&chosen, &left, found);
            }
        }
    }

    fn compared(&self, table: &Table, to: &Map) -> Compared {
        let mut from = [0; MAX_ORDER];
        (0..self.order).for_each(|x| from[usize::from(to[x])] = x);
        for &(x, y) in &self.cells {
            let (own, other) = (table[x][y], table[from[x]][from[y]]);
            if own == OPEN || other == OPEN {
                return Compared::Open;
            }
            match to[usize::from(other)].cmp(&own) {
                std::cmp::Ordering::Less => return Compared::Less,
                std::cmp::Ordering::Greater => return Compared::Greater,
                std::cmp::Ordering::Equal => {}
            }
        }
        Compared::Open
    }

    /// Fills in the products that the associative law forces; returns false if the law is broken.
    fn close(&self, table: &mut Table) -> bool {
        loop {
            let mut has_changed = false;
            for x in 1..self.order {
                for y in 1..self.order {
                    for z in 1..x {
                        let (xy, yz) = (table[x][y], table[y][z]);
                        if xy == OPEN || yz == OPEN {
                            continue;
                        }
                        let (xy, yz) = (usize::from(xy), usize::from(yz));
                        match (table[xy][z], table[x][yz]) {
                            (OPEN, OPEN) => {}
                            (OPEN, known) => {
                                (table[xy][z], table[z][xy]) = (known, known);
                                has_changed = true;
                            }
                            (known, OPEN) => {
                                (table[x][yz], table[yz][x]) = (known, known);
                                has_changed = true;
                            }
                            (one, other) if one != other => return false,
                            _ => {}
                        }
                    }
                }
            }
            if !has_changed {
                return true;
            }
        }
    }
}

/// The numbers of commutative monoids with the identity 0 on the elements `0, …, m-1`, by their
/// numbers of idempotents (the sequence A058160 of the OEIS).
const LABELLED: [&[u64]; 9] = [
    &[1],
    &[1, 1],
    &[1, 6, 2],
    &[4, 45, 36, 9],
    &[6, 408, 648, 348, 76],
    &[60, 7195, 13500, 11790, 5280, 1065],
    &[120, 200016, 369930, 425280, 293640, 118890, 22566],
    &[
        1920, 13811077, 14716716, 18035745, 16347660, 9953265, 3750516, 674611,
    ],
    &[
        7560, 3405271616, 1024787568, 971651856, 999666920, 794967600, 445001424, 157962168,
        27019896,
    ],
];

/// Compares a list with the published numbers: an isomorphism class has as many members on given
/// elements as there are renumberings for each automorphism.
pub(crate) fn is_complete(order: usize, list: &[Table]) -> bool {
    let mut by_idempotents = vec![0; order];
    let all: u64 = (1..order as u64).product();
    for table in list {
        let squares: Map = std::array::from_fn(|x| if x < order { table[x][x] } else { 0 });
        let keeps = |to: &&Map| {
            let of = |x: usize| usize::from(to[x]);
            (0..order).all(|x| {
                (0..order).all(|y| of(usize::from(table[x][y])) == usize::from(table[of(x)][of(y)]))
            })
        };
        let others = renumberings(order, &squares).iter().filter(keeps).count() as u64;
        let idempotents = (0..order).filter(|&x| usize::from(squares[x]) == x).count();
        by_idempotents[idempotents - 1] += all / (others + 1);
    }
    by_idempotents == LABELLED[order - 1]
}

#[test]
fn the_monoids_are_as_many_as_is_known() {
    for (order, known) in (1..).zip([1, 2, 5, 19, 78, 421, 2637]) {
        let list = monoids(order);
        assert_eq!(list.len(), known, "order {order}");
        assert!(is_complete(order, &list), "order {order}");
        assert!(!is_complete(order, &list[1..]), "order {order}");
    }
}
