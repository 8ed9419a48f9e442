// Which words of an edited passage the other text does not have at that place.
Cento.changes = (() => {
  const WORD = /[\p{L}\p{N}\p{M}]+/gu;
  // So many pairs of words are compared for a passage, and for all of them; what is beyond is shown without.
  const MOST = 4000000;
  const ALL = 40000000;

  /* The words of a part of a text and the bytes where they stand. */
  const words = (bytes, place) => {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(place.start, place.end));
    const encoder = new TextEncoder();
    let [at, byte] = [0, place.start];
    return [...text.matchAll(WORD)].map((match) => {
      byte += encoder.encode(text.slice(at, match.index)).length;
      const start = byte;
      byte += encoder.encode(match[0]).length;
      at = match.index + match[0].length;
      return { word: match[0].toLowerCase(), start, end: byte, changed: true };
    });
  };

  /* The longest common subsequence; what is not in it was changed. */
  const differing = (left, right) => {
    const width = right.length + 1;
    const lengths = new Uint16Array((left.length + 1) * width);
    for (let i = left.length - 1; i >= 0; i -= 1) {
      for (let j = right.length - 1; j >= 0; j -= 1) {
        lengths[i * width + j] = left[i].word === right[j].word
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
      }
    }
    const changed = [[], []];
    let [i, j] = [0, 0];
    while (i < left.length && j < right.length) {
      if (left[i].word === right[j].word) {
        i += 1;
        j += 1;
      } else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) {
        changed[0].push(left[i]);
        i += 1;
      } else {
        changed[1].push(right[j]);
        j += 1;
      }
    }
    changed[0].push(...left.slice(i));
    changed[1].push(...right.slice(j));
    return changed;
  };

  return (passages, bytes) => {
    const changed = [[], []];
    let left = ALL;
    for (const passage of passages) {
      if (passage.kind !== 'edited' || passage.left.words * passage.right.words > MOST) continue;
      const sides = [words(bytes[0], passage.left), words(bytes[1], passage.right)];
      const cost = sides[0].length * sides[1].length;
      if (cost > Math.min(MOST, left) || sides.some((side) => side.length > 65000)) continue;
      left -= cost;
      differing(...sides).forEach((some, at) => changed[at].push(...some));
    }
    return changed;
  };
})();
