//! All suffixes of a text in order, and how much each has in common with the one before it.

use libsais_rs::{libsais, libsais_int, libsais_plcp, libsais_plcp_int};

use super::symbols::Text;

/// The suffixes of a text, made in time and memory that grow with its length only, whatever the
/// text repeats.
pub(super) struct Suffixes {
    /// Where each starts, in the order of the suffixes.
    pub(super) order: Vec<u32>,
    /// For each place of the text, how many symbols its suffix has in common with the suffix before
    /// it in the order; 0 for the first one.
    pub(super) shared: Vec<u32>,
}

impl Suffixes {
    /// Sorts the suffixes. The text is lent for writing, and is as before afterwards.
    pub(super) fn of(text: &mut Text) -> Suffixes {
        let mut order = vec![0; text.len()];
        let mut shared = vec![0; text.len()];
        let codes = match text {
            Text::Bytes(bytes) => [
                libsais(bytes, &mut order, 0, None),
                libsais_plcp(bytes, &order, &mut shared),
            ],
            Text::Numbers(numbers) => {
                let alphabet = numbers.iter().max().map_or(1, |&largest| largest + 1);
                [
                    libsais_int(numbers, &mut order, alphabet, 0),
                    libsais_plcp_int(numbers, &order, &mut shared),
                ]
            }
        };
        assert_eq!(codes, [0, 0], "the lengths of all arrays agree");
        let unsigned = |places: Vec<i32>| places.into_iter().map(i32::cast_unsigned).collect();
        Suffixes {
            order: unsigned(order),
            shared: unsigned(shared),
        }
    }
}
