// The text of a document with its passages marked. Offsets are bytes, so bytes are what is cut.
Cento.text = (() => {
  const { h } = Cento.dom;

  /* Characters that nobody sees; those that turn the direction of text are never let loose. */
  const unseen = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\u{e0000}-\u{e0fff}\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu;
  const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

  const code = (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

  /* Text as nodes, with the unseen characters in elements of their own. */
  const nodes = (text) => {
    const parts = [];
    let last = 0;
    for (const match of text.matchAll(unseen)) {
      if (match.index > last) parts.push(text.slice(last, match.index));
      const character = match[0];
      parts.push(turning.test(character)
        ? h('span', { class: 'turning', title: 'a character that turns the direction of text' }, code(character))
        : h('span', { class: 'unseen', 'data-code': code(character) }, character));
      last = match.index + character.length;
    }
    if (last < text.length) parts.push(text.slice(last));
    return parts;
  };

  const wordly = /[\p{L}\p{N}]/u;

  const COLOURS = { verbatim: 'exact', edited: 'edited', reworded: 'paraphrased', chunk: 'edited' };

  /* Words of a passage that the other side does not have, without the space around them. */
  const changed = (text) => {
    const [, before, words, behind] = text.match(/^(\s*)([\s\S]*?)(\s*)$/);
    return [before, words && h('span', { class: 'changed' }, nodes(words)), behind].filter(Boolean);
  };

  /* Where something begins or ends: [byte, what, begins]. */
  const edges = (spans) => spans.flatMap((span) => (span.start < span.end ? [[span.start, span, true], [span.end, span, false]] : []));

  /*
   * bytes: the UTF-8 text; passages: [{ start, end, number, kind, discount }]; ignored: [{ start, end, kind }];
   * marks: [{ start, end, class }], the words that are verbatim, edited or reworded; the others are the author's own,
   * and of a program marked as such where they are in a passage;
   * disguises: [{ start, end, kind }], words that are not what they seem, and places where text is not shown;
   * code: what `Cento.code` makes of a program; beside: [[byte, element]], what stands beside the text.
   * Returns the nodes of the text and for each passage the elements that it stands in.
   */
  const marked = (bytes, passages, ignored, marks, disguises, code, beside = []) => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const titles = Cento.program.CLASSES[code ? 'code' : 'text'];
    const words = disguises.map((place) => ({ start: place.start, end: place.end, disguise: place.kind }));
    const elements = [...(code ? code.elements : []), ...beside, ...disguises.filter((place) => place.start === place.end).map((place) => [place.start, Cento.disguise.flag(place)])];
    // What a program has besides its tokens is never marked.
    const apart = code ? [...code.comments.map((span) => ({ start: span.start, end: span.end, comment: true })), ...code.gaps.map((span) => ({ ...span, gap: true }))] : [];
    const events = [
      ...edges(passages), ...edges(ignored), ...edges(marks), ...edges(words), ...edges(apart),
      ...elements.map(([byte, element]) => [byte, { element }, true]),
    ].sort((a, b) => a[0] - b[0]);
    const inside = new Set();
    const pieces = [];
    const places = new Map(passages.map((passage) => [passage.number, []]));
    let before = 'verbatim';
    let leftBefore;
    let at = 0;
    /* What the words here are to the other document; nothing where that is not known. */
    const classed = (word, text) => {
      if (word) return word.class;
      if (!code) return 'own';
      // Brackets and the like are no tokens; they go with what is around them. Types, modifiers and what else is
      // not compared are none either, and every token in a passage has a mark.
      if (!code.isPunctuation(text)) return null;
      return before === 'own' ? 'own' : 'verbatim';
    };
    const piece = (end) => {
      if (end <= at) return;
      const text = decoder.decode(bytes.subarray(at, end));
      const here = [...inside];
      const covering = here.filter((span) => span.number !== undefined).sort((a, b) => (a.end - a.start) - (b.end - b.start));
      const word = here.find((span) => span.class !== undefined);
      // What is left out ends with its last word; the full stop and the space behind it go with it.
      const left = here.find((span) => span.number === undefined && span.class === undefined && span.disguise === undefined && !span.comment && !span.gap)
        || (code || wordly.test(text) ? undefined : leftBefore);
      leftBefore = left;
      const odd = here.filter((span) => span.disguise !== undefined).map((span) => span.disguise);
      const framed = (content) => (odd.length > 0 ? Cento.disguise.words(odd, text, content) : content);
      const isBare = code && (here.some((span) => span.comment) || text.trim() === '');
      const what = (covering.length > 0 || word) && !isBare ? classed(word, text) : null;
      const plain = () => (code && !left ? code.content(at, end) : nodes(text));
      const own = () => (code ? h('span', { class: 'changed' }, plain()) : changed(text));
      if (here.some((span) => span.gap)) {
        pieces.push(h('span', { class: 'gap' }, text));
      } else if (what) {
        before = what;
        const isLeftOut = left || (covering[0] && covering[0].discount);
        const mark = h('mark', {
          class: `${COLOURS[what] || 'own'}${isLeftOut ? ' left-out' : ''}`, 'data-passages': covering.map((span) => span.number).join(' '),
          title: left ? `${titles[what]}; ${left.kind}, left out` : titles[what],
        }, framed(!left && (what === 'own' || what === 'reworded') ? own() : plain()));
        covering.forEach((span) => places.get(span.number).push(mark));
        pieces.push(mark);
      } else if (left) {
        pieces.push(h('span', { class: 'left-out', title: `${left.kind}, left out` }, framed(nodes(text))));
      } else {
        pieces.push(...[framed(plain())].flat());
      }
      at = end;
    };
    // White space of code is never marked: neither indentation nor the end of a line.
    const put = (end) => (code ? code.trimmed(at, end) : [end]).forEach(piece);
    for (const [byte, span, begins] of events) {
      put(Math.min(byte, bytes.length));
      if (span.element) pieces.push(span.element);
      else if (begins) inside.add(span);
      else inside.delete(span);
    }
    put(bytes.length);
    return { pieces, places };
  };
  marked.nodes = nodes;
  return marked;
})();
