//! Which documents are copies of which, settled before any text is made.

use anyhow::{Result, ensure};

use crate::corpus::Settings;
use crate::random::{Purpose, Random};

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Text of its own.
    Original,
    /// The text of an earlier document, edited.
    Copy(u32),
    /// A member of the giant family, by its place in it; the first one is the family's text.
    Giant(u32),
}

/// The role of every document.
#[derive(Debug)]
pub struct Plan {
    /// The original of each document, which is the document itself unless it is a copy.
    originals: Vec<u32>,
    /// The members of the giant family, ascending.
    giant: Vec<u32>,
}

impl Plan {
    /// Spreads the families over the documents; fails if there are too few documents for them.
    ///
    /// The number of copies and of families is exact; how many copies a family has is random.
    pub fn new(settings: &Settings) -> Result<Self> {
        let documents = settings.documents;
        ensure!(
            settings.giant <= documents,
            "--giant {} is more than all {documents} documents; use a smaller one or more --documents",
            settings.giant
        );
        let mut originals: Vec<u32> = (0..documents).collect();
        let giant = evenly_spread(settings.giant, documents);
        for &member in &giant {
            originals[member as usize] = giant[0];
        }
        let mut free: Vec<u32> = (0..documents)
            .filter(|document| giant.binary_search(document).is_err())
            .collect();
        let copies = nearest(f64::from(documents) * settings.duplicates);
        let families = nearest(copies as f64 / settings.cluster_size).clamp(copies.min(1), copies);
        ensure!(
            copies + families <= free.len(),
            "{copies} copies of {families} originals do not fit into {} documents; \
             use a smaller --duplicates or --giant, or a larger --cluster-size",
            free.len()
        );
        let mut random = Random::new(settings.seed, Purpose::Plan, 0);
        for place in 0..copies + families {
            let other = place + random.below(free.len() - place);
            free.swap(place, other);
        }
        let mut rest = &mut free[..];
        for copies in family_sizes(copies, families, &mut random) {
            let (family, others) = rest.split_at_mut(copies + 1);
            family.sort_unstable();
            for &copy in &family[1..] {
                originals[copy as usize] = family[0];
            }
            rest = others;
        }
        Ok(Self { originals, giant })
    }

    /// What a document is.
    pub fn role(&self, document: u32) -> Role {
        let original = self.originals[document as usize];
        if self.giant.first() == Some(&original) {
            let before = self.giant.partition_point(|&member| member < document);
            return Role::Giant(u32::try_from(before).unwrap_or(u32::MAX));
        }
        if original == document {
            Role::Original
        } else {
            Role::Copy(original)
        }
    }

    /// The first member of the giant family.
    pub fn giant(&self) -> Option<u32> {
        self.giant.first().copied()
    }

    /// Every original with each of its copies, ascending.
    pub fn pairs(&self) -> Vec<(u32, u32)> {
        let mut pairs: Vec<(u32, u32)> = (0..)
            .zip(&self.originals)
            .filter(|&(document, &original)| document != original)
            .map(|(document, &original)| (original, document))
            .collect();
        pairs.sort_unstable();
        pairs
    }

    /// The first families by their original: each is the original and all its copies, ascending.
    /// Fails if there are fewer.
    pub fn families(&self, count: u32) -> Result<Vec<Vec<u32>>> {
        let families: Vec<Vec<u32>> = self
            .pairs()
            .chunk_by(|left, right| left.0 == right.0)
            .take(count as usize)
            .map(|pairs| {
                let copies = pairs.iter().map(|pair| pair.1);
                std::iter::once(pairs[0].0).chain(copies).collect()
            })
            .collect();
        ensure!(
            families.len() == count as usize,
            "--queries {count} wants as many originals with copies, and there are {}; \
             use fewer queries, or more --documents or --duplicates",
            families.len()
        );
        Ok(families)
    }
}

/// So many documents at equal distances, from the first one on.
fn evenly_spread(count: u32, documents: u32) -> Vec<u32> {
    (0..u64::from(count))
        .map(|place| place * u64::from(documents) / u64::from(count))
        .filter_map(|document| u32::try_from(document).ok())
        .collect()
}

/// How many copies each family has: at least one, few for most and many for some.
///
/// Going through the copies, each either starts a family or joins the last one; the chance is such
/// that the families come out exactly.
fn family_sizes(copies: usize, families: usize, random: &mut Random) -> Vec<usize> {
    let mut sizes: Vec<usize> = Vec::with_capacity(families);
    for copy in 0..copies {
        let starts = copy == 0 || random.below(copies - copy) < families - sizes.len();
        match sizes.last_mut() {
            Some(last) if !starts => *last += 1,
            _ => sizes.push(1),
        }
    }
    sizes
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts of documents are neither negative nor beyond a usize"
)]
fn nearest(count: f64) -> usize {
    count.round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_exact_and_originals_come_first() {
        let settings = Settings {
            documents: 10_000,
            duplicates: 0.3,
            cluster_size: 3.0,
            giant: 500,
            ..Settings::default()
        };
        let plan = Plan::new(&settings).unwrap();
        let roles: Vec<Role> = (0..10_000).map(|document| plan.role(document)).collect();
        let count = |of: fn(&Role) -> bool| roles.iter().filter(|role| of(role)).count();
        assert_eq!(count(|role| matches!(role, Role::Copy(_))), 3000);
        assert_eq!(count(|role| matches!(role, Role::Giant(_))), 500);
        let pairs = plan.pairs();
        assert_eq!(pairs.len(), 3000 + 499);
        assert!(pairs.iter().all(|(original, copy)| original < copy));
        let families = plan.families(1001).unwrap();
        assert_eq!(families[0].len(), 500);
        assert!(plan.families(1002).is_err());
        assert!(families.iter().any(|family| family.len() == 2));
        assert!(families[1..].iter().any(|family| family.len() > 6));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let with = |duplicates, cluster_size, giant| {
            Plan::new(&Settings {
                documents: 90,
                duplicates,
                cluster_size,
                giant,
                ..Settings::default()
            })
        };
        assert!(with(2.0 / 3.0, 2.0, 0).is_ok());
        assert!(with(0.7, 2.0, 0).is_err());
        assert!(with(0.5, 1.0, 0).is_ok());
        assert!(with(0.5, 1.0, 1).is_err());
        assert!(with(0.0, 1.0, 90).is_ok());
        assert!(with(0.0, 1.0, 91).is_err());
        assert!(with(0.01, 50.0, 0).is_ok());
    }
}
