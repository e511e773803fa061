//! The layout of boxes in layers, one below the other.
//!
//! Within a layer boxes are ordered by the mean place of their neighbours above and below, in a few
//! sweeps down and up (Sugiyama's method); then each is drawn toward its neighbours as far as the
//! others leave room.

/// A box to place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    /// The layer; 0 is the top.
    pub(crate) layer: usize,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// The places of all boxes.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// The upper left corner of each box.
    pub(crate) corners: Vec<(f64, f64)>,
    /// The points between the ends of each edge.
    ///
    /// An edge passes the layers between its ends through gaps that are left for it.
    pub(crate) routes: Vec<Vec<(f64, f64)>>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

const SWEEPS: usize = 12;

/// Room for an edge that passes a layer.
const LANE: f64 = 12.0;

/// Places boxes that are joined by `edges`, `gap` apart in a layer.
///
/// Layers are `between` apart.
pub(crate) fn places(items: &[Item], edges: &[(usize, usize)], gap: f64, between: f64) -> Places {
    let (all, links, chains) = with_lanes(items, edges);
    let layers = all.iter().map(|item| item.layer + 1).max().unwrap_or(0);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); layers];
    for (index, item) in all.iter().enumerate() {
        rows[item.layer].push(index);
    }
    let mut neighbours = vec![Vec::new(); all.len()];
    for &(one, other) in &links {
        neighbours[one].push(other);
        neighbours[other].push(one);
    }
    let mut centre = vec![0.0; all.len()];
    rows.iter()
        .for_each(|row| pack(&all, row, gap, &mut centre));
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        for at in 0..layers {
            let layer = if down { at } else { layers - 1 - at };
            order(&all, &mut rows[layer], &neighbours, down, &mut centre);
            spread(&all, &rows[layer], gap, &mut centre);
        }
    }
    corners(&all, items.len(), &rows, &centre, &chains, between)
}

/// The boxes with lanes, the links between neighbouring layers, and the lanes of each edge.
///
/// A lane is a narrow box in each layer that an edge passes.
type Lanes = (Vec<Item>, Vec<(usize, usize)>, Vec<Vec<usize>>);

fn with_lanes(items: &[Item], edges: &[(usize, usize)]) -> Lanes {
    let (mut all, mut links) = (items.to_vec(), Vec::new());
    let chains = edges.iter().map(|&(from, to)| {
        let (mut last, mut chain) = (from, Vec::new());
        for layer in items[from].layer + 1..items[to].layer {
            all.push(Item {
                layer,
                width: LANE,
                height: 0.0,
            });
            links.push((last, all.len() - 1));
            last = all.len() - 1;
            chain.push(last);
        }
        links.push((last, to));
        chain
    });
    let chains = chains.collect();
    (all, links, chains)
}

/// Orders a layer by the mean place of the neighbours above it, or below it.
///
/// It moves its boxes there.
fn order(
    items: &[Item],
    row: &mut [usize],
    neighbours: &[Vec<usize>],
    down: bool,
    centre: &mut [f64],
) {
    let pull = |index: usize, centre: &[f64]| {
        let toward = neighbours[index].iter().filter(|&&other| match down {
            true => items[other].layer < items[index].layer,
            false => items[other].layer > items[index].layer,
        });
        mean(toward.map(|&other| centre[other])).unwrap_or(centre[index])
    };
    for &index in row.iter() {
        centre[index] = pull(index, centre);
    }
    row.sort_by(|&one, &other| centre[one].total_cmp(&centre[other]).then(one.cmp(&other)));
}

/// Places boxes side by side, around 0.
fn pack(items: &[Item], row: &[usize], gap: f64, centre: &mut [f64]) {
    let width: f64 = row.iter().map(|&index| items[index].width + gap).sum();
    let mut x = -width / 2.0;
    for &index in row {
        centre[index] = x + (items[index].width + gap) / 2.0;
        x += items[index].width + gap;
    }
}

/// Moves overlapping boxes apart, and keeps their order and the mean of their places.
fn spread(items: &[Item], row: &[usize], gap: f64, centre: &mut [f64]) {
    let wanted = mean(row.iter().map(|&index| centre[index]));
    let room = |one: usize, other: usize| (items[one].width + items[other].width) / 2.0 + gap;
    // One pass pushes to the right from the left neighbour, the other to the left from the right
    // one. The mean of both is free of overlap too.
    let mut right: Vec<f64> = row.iter().map(|&index| centre[index]).collect();
    let mut left = right.clone();
    for at in 1..row.len() {
        right[at] = right[at].max(right[at - 1] + room(row[at - 1], row[at]));
    }
    for at in (1..row.len()).rev() {
        left[at - 1] = left[at - 1].min(left[at] - room(row[at - 1], row[at]));
    }
    for (at, &index) in row.iter().enumerate() {
        centre[index] = (left[at] + right[at]) / 2.0;
    }
    let found = mean(row.iter().map(|&index| centre[index]));
    let shift = wanted.unwrap_or(0.0) - found.unwrap_or(0.0);
    row.iter().for_each(|&index| centre[index] += shift);
}

fn corners(
    items: &[Item],
    boxes: usize,
    rows: &[Vec<usize>],
    centre: &[f64],
    chains: &[Vec<usize>],
    between: f64,
) -> Places {
    let left = |index: usize| centre[index] - items[index].width / 2.0;
    let least = (0..items.len()).map(left).fold(f64::INFINITY, f64::min);
    let mut corners = vec![(0.0, 0.0); items.len()];
    let mut bands = Vec::with_capacity(rows.len());
    let (mut y, mut width) = (0.0, 0.0_f64);
    for row in rows {
        let heights = row.iter().map(|&index| items[index].height);
        let height = heights.fold(0.0, f64::max);
        for &index in row {
            let x = left(index) - least;
            corners[index] = (x, y + (height - items[index].height) / 2.0);
            width = width.max(x + items[index].width);
        }
        bands.push((y, y + height));
        y += height + between;
    }
    let route = |chain: &Vec<usize>| {
        let through = chain.iter().flat_map(|&lane| {
            let x = corners[lane].0 + LANE / 2.0;
            let (top, bottom) = bands[items[lane].layer];
            [(x, top), (x, bottom)]
        });
        through.collect()
    };
    let routes = chains.iter().map(route).collect();
    corners.truncate(boxes);
    Places {
        corners,
        routes,
        width,
        height: (y - between).max(0.0),
    }
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
    (count > 0.0).then(|| sum / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_of_a_layer_do_not_overlap() {
        let items: Vec<Item> = (0..12)
            .map(|index| Item {
                layer: index % 3,
                width: 10.0 + index as f64,
                height: 5.0,
            })
            .collect();
        let edges: Vec<(usize, usize)> =
            (0..11).map(|index| (index, (index * 7 + 1) % 12)).collect();
        let places = places(&items, &edges, 4.0, 20.0);
        for one in 0..12 {
            for other in (0..12).filter(|&other| other != one && other % 3 == one % 3) {
                let (x, y) = (places.corners[one].0, places.corners[other].0);
                assert!(x + items[one].width < y + 0.001 || y + items[other].width < x + 0.001);
            }
        }
        assert_eq!(places.height, 55.0);
    }
}
