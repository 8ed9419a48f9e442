// How a result was made: version, recipe, parameters, what there is to know, and the hashes of texts.
Cento.run = (() => {
  const { h, name } = Cento.dom;
  const { percent, printable, list } = Cento.words;

  const setting = (value) => (Array.isArray(value) ? value.map(printable).join(', ') : printable(String(value)));

  return (report, documents) => {
    const row = (label, ...value) => [h('dt', null, label), h('dd', null, ...value)];
    return h('section', { class: 'run', 'aria-label': 'How this was made' },
      h('h2', null, 'How this was made'),
      h('dl', { class: 'settings' },
        row('made with', `Cento ${report.cento}, cento ${report.command}`),
        row('recipe', h('code', null, report.recipe)),
        row('measure', h('code', null, report.measure)),
        Object.entries(report.settings).map(([key, value]) => row(key, h('code', null, setting(value)))),
        row('left out of the shares', report.left_out.length > 0 ? list(report.left_out) : 'nothing'),
        documents.filter((document) => document.sha256).map((document) => row(['SHA-256 of ', name(document.label)], h('code', null, document.sha256)))),
      report.advice && documents.length === 0 && h('p', null, `Unrelated pairs of this collection reach about ${percent(report.advice.unrelated)}; a document that took a quarter of its text from another reaches about ${percent(report.advice.related)}.`),
      report.notes.length > 0 && h('ul', { class: 'notes' }, report.notes.map((note) => h('li', null, printable(note)))));
  };
})();
