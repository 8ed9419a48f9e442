// Registered versions of verified documents themselves: they do not count, and are never left out of sight.
Cento.own = (() => {
  const { h, name, meter } = Cento.dom;
  const { printable } = Cento.words;

  return (report) => {
    const rows = report.documents.flatMap((document) => ((document.verified || {}).own || []).map((own) => [document, own]));
    return rows.length > 0 && h('section', { id: 'own', 'aria-labelledby': 'own-title' },
      h('h2', { id: 'own-title' }, 'Own versions'),
      h('p', { class: 'note' }, 'Registered versions of the documents themselves, by id and submitter. They are not among the pairs and count for no share.'),
      h('div', { class: 'scroller plain', tabindex: 0, role: 'region', 'aria-label': 'Own versions' }, h('table', { class: 'rows free' },
        h('thead', null, h('tr', null, ['Document', 'Registered as', 'Version', 'On', 'Has of the document'].map((label) => h('th', { scope: 'col' }, label)))),
        h('tbody', null, rows.map(([document, own]) => h('tr', null,
          h('td', null, name(document.label)), h('td', null, name(own.id)), h('td', null, String(own.version)),
          h('td', null, printable(own.registered.slice(0, 10))), h('td', null, meter(own.containment))))))));
  };
})();
