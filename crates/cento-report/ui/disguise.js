// What documents have that a reader does not see: counted, and marked where it is.
Cento.disguise = (() => {
  const { h } = Cento.dom;
  const { counted, printable } = Cento.words;

  /* What is counted, and what more there is to say: as on the command line. */
  const KINDS = {
    'look-alike': ['word', 'with look-alike letters of another script'],
    invisible: ['word', 'with invisible characters'],
    hidden: ['hidden character', ''],
    background: ['character', 'in the colour of the background'],
    tiny: ['character', 'too small to be read'],
  };
  const remark = (kind, count) => `${counted(count, KINDS[kind][0])} ${KINDS[kind][1]}`.trim();

  const found = (document) => Object.keys(KINDS)
    .filter((kind) => (document.disguised || {})[kind] > 0)
    .map((kind) => remark(kind, document.disguised[kind])).join(', ');

  /* Everything that is odd about a document. */
  const remarks = (document) => [found(document), ...(document.warnings || [])].filter(Boolean);

  const badge = (document) => found(document) && h('span', { class: 'badge disguise', title: found(document) }, 'unseen');

  /* The characters of a word that are not what they seem. */
  const foreign = (word) => {
    const letters = [...word].filter((c) => /\p{L}/u.test(c));
    const latin = letters.filter((c) => /\p{Script=Latin}/u.test(c));
    const fewer = letters.length - latin.length <= latin.length || latin.length === 0;
    return [...new Set(letters.filter((c) => /\p{Script=Latin}/u.test(c) !== fewer))];
  };
  const code = (c) => `U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

  /* Words that are written with other characters than it seems. */
  const words = (kinds, text, content) => h('span', {
    class: 'disguised',
    title: kinds.map((kind) => (kind === 'look-alike'
      ? `look-alike letters of another script: ${foreign(text).map((c) => `${c} (${code(c)})`).join(', ')}`
      : 'invisible characters inside')).join('; '),
  }, content);

  /* A flag where text is not shown; it opens. */
  const flag = (place) => h('details', { class: 'concealed' },
    h('summary', null, remark(place.kind, place.characters)),
    place.text !== undefined && h('bdi', null, printable(place.text), [...place.text].length >= 200 ? '…' : ''));

  const legend = (documents) => {
    const places = documents.flatMap((document) => document.disguises || []);
    return [
      places.some((place) => place.start < place.end) && h('li', null, h('span', { class: 'disguised' }, 'framed'), h('span', null, ' look-alike or invisible characters')),
      places.some((place) => place.start === place.end) && h('li', null, h('span', { class: 'concealed' }, 'flag'), h('span', null, ' text that is not shown, and does not count')),
    ];
  };

  return { remarks, badge, words, flag, legend };
})();
