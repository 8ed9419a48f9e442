// One document of a pair: its name, its files if it has several, and its text or code with everything marked in it.
Cento.pane = (() => {
  const { h, name, bar } = Cento.dom;
  const { number, counted, printable } = Cento.words;

  /* How large a document is, and in which language. */
  const about = (document) =>
    [Cento.program.language(document), counted(document.words, Cento.program.unit(document)), document.date].filter(Boolean).join(', ');

  /* The files of a program with how much of each is shared; choosing one goes to it. */
  const list = (document, code, marks, ignored, scroller) => {
    if (code.files[0].name === undefined) return null;
    const row = ({ name: file, section, count, found }) => h('li', null,
      h('button', { type: 'button', on: { click: () => {
        scroller.scrollTop = section.offsetTop;
      } } },
      name(file), h('span', { class: 'file-share', title: 'lines of code with something marked; brackets alone, comments and what is left out do not count' },
        `${number(found)} of ${counted(count, 'line')} shared `, bar(count > 0 ? found / count : 0))));
    return h('nav', { class: 'files', 'aria-label': `Files of ${printable(document.label)}` }, h('ul', null, code.shared(marks, ignored).map(row)));
  };

  /* Each passage has its number where it begins, the same on both sides. */
  const numbers = (passages) => passages.filter((passage) => passage.kind && passage.start < passage.end).map((passage) =>
    [passage.start, h('span', { class: `passage-number${passage.discount ? ' left-out' : ''}`, 'data-number': passage.number + 1, 'aria-hidden': 'true' })]);

  /* passages, ignored and marks as for the text. Returns the pane, what scrolls in it, the elements that
     passages stand in, and how people say where something is. */
  return (document, bytes, passages, ignored, marks) => {
    const code = Cento.program.is(document) ? Cento.code(document, bytes) : null;
    const lines = code || Cento.lines(bytes);
    const { pieces, places } = Cento.text(bytes, passages, ignored, marks, document.disguises || [], code, [...(code ? [] : lines.elements), ...numbers(passages)]);
    const text = h('div', {
      class: `pane-text digits-${lines.digits}${code ? ' code' : ''}`, tabindex: 0, role: 'region',
      'aria-label': `${code ? 'Code' : 'Text'} of ${printable(document.label)}`,
    }, code ? code.grouped(pieces) : pieces);
    // Said when all of the text is there: a browser looks for its direction again with each piece that is put in.
    text.dir = code ? 'ltr' : 'auto';
    const files = code && list(document, code, marks, ignored, text);
    const element = h('section', { class: 'pane' }, h('h2', null, h('a', { href: `#/document/${document.number}`, title: 'Everything about this document' }, name(document.label)), h('small', null, about(document))), files, text);
    return { element, text, places, where: lines.where };
  };
})();
