//! The orbits of the children of a node under the automorphisms found so far.

use super::super::Element;
use super::super::refinement::Translation;
use super::Automorphism;

/// The orbits of one node's children under the automorphisms known to fix the node's sequence.
pub(super) struct Orbits<'a> {
    cell: &'a [Element],
    /// A forest: each child's representative so far.
    parent: Vec<usize>,
    settled: Vec<usize>,
    absorbed: usize,
}

impl<'a> Orbits<'a> {
    pub(super) fn new(cell: &'a [Element]) -> Self {
        Self {
            cell,
            parent: (0..cell.len()).collect(),
            settled: Vec::new(),
            absorbed: 0,
        }
    }

    /// Joins the orbits by the automorphisms found since the last call.
    pub(super) fn absorb(&mut self, automorphisms: &[Automorphism], path: &[Translation]) {
        for automorphism in &automorphisms[self.absorbed..] {
            if (path.iter()).any(|s| automorphism[s.element as usize] != s.element) {
                continue;
            }
            for child in 0..self.cell.len() {
                let image = automorphism[self.cell[child] as usize];
                // The cell is invariant under automorphisms that fix the sequence, and sorted.
                if let Ok(image) = self.cell.binary_search(&image) {
                    let (one, other) = (self.find(child), self.find(image));
                    self.parent[one] = other;
                }
            }
        }
        self.absorbed = automorphisms.len();
    }

    fn find(&mut self, mut child: usize) -> usize {
        while self.parent[child] != child {
            self.parent[child] = self.parent[self.parent[child]];
            child = self.parent[child];
        }
        child
    }

    /// Reports whether no settled child is in the orbit of `child`.
    pub(super) fn is_new(&mut self, child: usize) -> bool {
        let root = self.find(child);
        (0..self.settled.len()).all(|at| self.find(self.settled[at]) != root)
    }

    pub(super) fn settle(&mut self, child: usize) {
        self.settled.push(child);
    }
}
