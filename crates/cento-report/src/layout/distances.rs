//! Families as graphs, and how far apart their documents are along the edges.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A family: documents that edges connect.
pub(super) struct Graph {
    /// The documents' numbers, ascending.
    pub(super) members: Vec<usize>,
    /// For each member its neighbours, by their place among the members, and how far they are.
    pub(super) neighbours: Vec<Vec<(usize, f64)>>,
}

impl Graph {
    /// The families of some edges, in the order of their closest pair, then of their first
    /// documents, so that what is most alike comes first.
    pub(super) fn components(documents: usize, edges: &[([usize; 2], f64)]) -> Vec<Graph> {
        let mut parent: Vec<usize> = (0..documents).collect();
        for ([a, b], _) in edges {
            let (a, b) = (root(&mut parent, *a), root(&mut parent, *b));
            parent[a.max(b)] = a.min(b);
        }
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for document in 0..documents {
            let group = root(&mut parent, document);
            groups.entry(group).or_default().push(document);
        }
        groups.retain(|_, members| members.len() > 1);
        let mut place = vec![0; documents];
        for members in groups.values() {
            for (number, &member) in members.iter().enumerate() {
                place[member] = number;
            }
        }
        let mut graphs: BTreeMap<usize, Graph> = groups
            .into_iter()
            .map(|(group, members)| {
                let neighbours = vec![Vec::new(); members.len()];
                (
                    group,
                    Graph {
                        members,
                        neighbours,
                    },
                )
            })
            .collect();
        for &([a, b], apart) in edges.iter().filter(|([a, b], _)| a != b) {
            if let Some(graph) = graphs.get_mut(&root(&mut parent, a)) {
                graph.neighbours[place[a]].push((place[b], apart));
                graph.neighbours[place[b]].push((place[a], apart));
            }
        }
        let mut graphs: Vec<Graph> = graphs.into_values().collect();
        graphs.sort_by(|a, b| a.closest().total_cmp(&b.closest()));
        graphs
    }

    /// The length of the shortest edge.
    fn closest(&self) -> f64 {
        let lengths = self.neighbours.iter().flatten().map(|(_, apart)| *apart);
        lengths.fold(f64::INFINITY, f64::min)
    }

    /// How far every member is from one of them, along the edges.
    pub(super) fn from(&self, member: usize) -> Vec<f64> {
        let mut distances = vec![f64::INFINITY; self.members.len()];
        distances[member] = 0.0;
        let mut open = BinaryHeap::from([(Reverse(0), member)]);
        while let Some((Reverse(so_far), next)) = open.pop() {
            if thousandths(distances[next]) < so_far {
                continue;
            }
            for &(neighbour, apart) in &self.neighbours[next] {
                let through = distances[next] + apart;
                if through < distances[neighbour] {
                    distances[neighbour] = through;
                    open.push((Reverse(thousandths(through)), neighbour));
                }
            }
        }
        distances
    }
}

/// A distance as a number that can be ordered.
fn thousandths(distance: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "distances are positive, and a sum of them is far below 2^53"
    )]
    let number = (distance * 1000.0) as u64;
    number
}

fn root(parent: &mut [usize], mut document: usize) -> usize {
    while parent[document] != document {
        parent[document] = parent[parent[document]];
        document = parent[document];
    }
    document
}
