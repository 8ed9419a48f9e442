//! Bytes as they are stored: compressed, whole or as a difference from a base.
//!
//! The first byte says how; zstd's frames go without their first four bytes, which are always the same.

use zstd::zstd_safe::{self, CCtx, CParameter, DCtx};

use super::delta;

/// As it is.
const PLAIN: u8 = 0;
/// Compressed by zstd.
const ZSTD: u8 = 1;
/// A delta.
const DELTA: u8 = 2;
/// Compressed by zstd with the base before it, as `zstd --patch-from` does.
const ZSTD_PATCH: u8 = 3;

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Pages are stored once and read often.
const LEVEL: i32 = 19;
/// Fewer bytes than this are not worth a frame.
const FEW: usize = 24;
/// With a longer base zstd would need more memory than a page is worth.
const LONGEST_BASE: usize = 32 << 20;

/// Bytes that are stored whole.
pub(super) fn whole(bytes: &[u8]) -> Vec<u8> {
    smallest([(PLAIN, bytes.to_vec()), (ZSTD, compressed(bytes, &[]))])
}

/// Bytes that are stored as a patch against a base: a delta if there are few edits, or else a frame of
/// zstd, which also packs what is inserted.
pub(super) fn patch(base: &[u8], bytes: &[u8]) -> Vec<u8> {
    let delta = delta::encode(base, bytes);
    if delta.len() < FEW || base.len() > LONGEST_BASE {
        return smallest([(DELTA, delta)]);
    }
    smallest([(DELTA, delta), (ZSTD_PATCH, compressed(bytes, base))])
}

/// The bytes again; nothing if they are damaged. `length` is what they must have.
pub(super) fn unpacked(packed: &[u8], base: Option<&[u8]>, length: usize) -> Option<Vec<u8>> {
    let (form, packed) = packed.split_first()?;
    let bytes = match (*form, base) {
        (PLAIN, None) => packed.to_vec(),
        (ZSTD, None) => decompressed(packed, &[], length)?,
        (DELTA, Some(base)) => delta::apply(base, packed, length)?,
        (ZSTD_PATCH, Some(base)) => decompressed(packed, base, length)?,
        _ => return None,
    };
    (bytes.len() == length).then_some(bytes)
}

/// The shortest form, with its number before it; of equally short ones the first.
fn smallest(forms: impl IntoIterator<Item = (u8, Vec<u8>)>) -> Vec<u8> {
    let shortest = forms.into_iter().min_by_key(|(_, bytes)| bytes.len());
    let (form, bytes) = shortest.unwrap_or_default();
    [&[form], bytes.as_slice()].concat()
}

/// A frame of zstd without its magic number; it says how long the bytes are.
fn compressed(bytes: &[u8], base: &[u8]) -> Vec<u8> {
    let frame = || -> Result<Vec<u8>, usize> {
        let mut context = CCtx::create();
        context.set_parameter(CParameter::CompressionLevel(LEVEL))?;
        context.set_parameter(CParameter::ContentSizeFlag(true))?;
        context.set_parameter(CParameter::ChecksumFlag(false))?;
        if !base.is_empty() {
            let reach = (base.len() + bytes.len()).next_power_of_two();
            let window = reach.trailing_zeros().clamp(10, 27);
            context.set_parameter(CParameter::WindowLog(window))?;
            context.ref_prefix(base)?;
        }
        let mut frame = Vec::with_capacity(zstd_safe::compress_bound(bytes.len()));
        context.compress2(&mut frame, bytes)?;
        Ok(frame)
    };
    match frame() {
        Ok(frame) if frame.starts_with(&MAGIC) => frame[MAGIC.len()..].to_vec(),
        // Whatever went wrong, another form is shorter than this one.
        _ => vec![0; bytes.len() + 1],
    }
}

/// The bytes of a frame, if there are not more than `most`.
fn decompressed(packed: &[u8], base: &[u8], most: usize) -> Option<Vec<u8>> {
    let frame = [&MAGIC, packed].concat();
    let length = zstd_safe::get_frame_content_size(&frame).ok()??;
    let length = usize::try_from(length)
        .ok()
        .filter(|length| *length <= most)?;
    let mut context = DCtx::create();
    if !base.is_empty() {
        context.ref_prefix(base).ok()?;
    }
    let mut bytes = Vec::with_capacity(length);
    context.decompress(&mut bytes, &frame).ok()?;
    Some(bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
mod tests {
    use super::*;

    fn page(number: usize) -> Vec<u8> {
        let line = |n: usize| format!("<p>{} of {n}, {}</p>\n", n * n + number % 7, n ^ number);
        (0..400).map(line).collect::<String>().into_bytes()
    }

    #[test]
    fn what_is_packed_comes_back() {
        for bytes in [page(1), Vec::new(), b"x".to_vec(), vec![0; 100_000]] {
            let packed = whole(&bytes);
            assert_eq!(unpacked(&packed, None, bytes.len()).unwrap(), bytes);
            assert!(packed.len() <= bytes.len() + 1);
            for base in [page(1), page(2), Vec::new()] {
                let packed = patch(&base, &bytes);
                assert_eq!(unpacked(&packed, Some(&base), bytes.len()).unwrap(), bytes);
            }
        }
    }

    #[test]
    fn damage_is_noticed_and_never_a_panic() {
        let (base, bytes) = (page(1), page(5));
        assert_eq!(patch(&base, &bytes)[0], ZSTD_PATCH);
        let forms = [
            (whole(&bytes), None),
            (patch(&base, &bytes), Some(base.as_slice())),
        ];
        for (packed, base) in forms {
            for place in 0..packed.len() {
                let mut broken = packed.clone();
                broken[place] ^= 0x41;
                let _ = unpacked(&broken, base, bytes.len());
                let _ = unpacked(&packed[..place], base, bytes.len());
            }
            assert_eq!(unpacked(&packed, base, bytes.len() + 1), None);
        }
        assert_eq!(unpacked(&[], None, 0), None);
        assert_eq!(unpacked(&[9, 1, 2], None, 2), None);
    }
}
