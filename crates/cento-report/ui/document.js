// Everything about one document: its partners, and in one text all that others have, too, with who has it.
Cento.document = (() => {
  const { h, name, meter } = Cento.dom;
  const { number, counted, percent, printable, list } = Cento.words;
  const STRENGTH = { verbatim: 3, edited: 2, reworded: 1 };

  const sideOf = (pair, document) => (pair.documents[0] === document ? 0 : 1);
  const other = (pair, document) => pair.documents[1 - sideOf(pair, document)];

  /* What of a document is in a partner: its words, each with its class, and the passages that they stand in. */
  const words = (pair, document) => (pair.marks ? pair.marks[sideOf(pair, document)] : []);
  const passages = (pair, document) => {
    const side = sideOf(pair, document);
    if (pair.passages) return pair.passages.filter((passage) => !passage.out).map((passage) => passage[side === 0 ? 'left' : 'right']);
    const { shared, stretch } = pair.registry || {};
    return side === 0 && stretch ? [stretch] : shared?.[side] || [];
  };

  /* Cuts spans that overlap into ones that do not; each knows all that it was part of. */
  const flat = (spans) => {
    const events = spans.filter(({ start, end }) => start < end).flatMap((span) => [[span.start, true, span], [span.end, false, span]]).sort((a, b) => a[0] - b[0]);
    const open = new Set();
    const found = [];
    let at = 0;
    for (const [byte, begins, span] of events) {
      if (byte > at && open.size > 0) found.push({ start: at, end: byte, of: [...open] });
      at = byte;
      if (begins) open.add(span);
      else open.delete(span);
    }
    return found;
  };

  /* Parts of the text that the same partners have. A full stop between them is none. */
  const parts = (pairs, document, bytes) => {
    const found = [];
    const letters = new TextDecoder('utf-8', { ignoreBOM: true });
    const hasWords = (start, end) => /[\p{L}\p{N}]/u.test(letters.decode(bytes.subarray(start, end)));
    for (const { start, end, of } of flat(pairs.flatMap((pair) => passages(pair, document).map((span) => ({ start: span.start, end: span.end, pair }))))) {
      const who = [...new Set(of.map(({ pair }) => pair))];
      const last = found[found.length - 1];
      if (last && last.end === start && last.pairs.length === who.length && who.every((one) => last.pairs.includes(one))) last.end = end;
      else if (hasWords(start, end)) found.push({ start, end, pairs: who, kind: 'edited', number: found.length });
    }
    return found;
  };

  /* Every word once, as the strongest of what it is to any partner. */
  const classes = (pairs, document, found) => {
    const all = flat(pairs.flatMap((pair) => words(pair, document)));
    if (all.length === 0) return found.map(({ start, end }) => ({ start, end, class: 'chunk' }));
    return all.map(({ start, end, of }) => ({ start, end, class: of.map((span) => span.class).reduce((a, b) => ((STRENGTH[a] || 0) >= (STRENGTH[b] || 0) ? a : b)) }));
  };

  const facts = (report, document) => {
    const row = (label, ...value) => [h('dt', null, label), h('dd', null, ...value)];
    const ignored = (document.ignored || []).filter((span) => report.left_out.includes(span.kind));
    const kinds = [...new Set(ignored.map((span) => span.kind))];
    const remarks = Cento.disguise.remarks(document);
    return h('dl', { class: 'settings' },
      document.words > 0 && row(Cento.program.units([document]), number(document.words)),
      Cento.program.is(document) && row('language', Cento.program.language(document)),
      !document.registered && row('in some other document', percent(document.found)),
      document.registered ? row('registered', Cento.registered.brief(document)) : document.date && row('date', document.date),
      document.parts?.length > 0 && row('files', number(document.parts.length)),
      // What is left out of a text is known of those that were aligned.
      (document.ignored || document.packed) && row('left out', kinds.length > 0 ? list(kinds.map((kind) => `${kind} (${counted(ignored.filter((span) => span.kind === kind).length, 'place')})`)) : 'nothing'),
      row('odd about it', remarks.length > 0 ? remarks.map(printable).join('; ') : [document.short ? 'fewer than 50 words: a few shared words weigh much' : 'nothing']),
      document.sha256 && row('SHA-256', h('code', null, document.sha256)));
  };

  const partners = (report, document, pairs) => h('section', { 'aria-labelledby': 'partners-title' },
    h('h2', { id: 'partners-title' }, 'Partners', h('small', null, ` ${counted(pairs.length, 'pair')} as listed`)),
    pairs.length === 0 ? h('p', { class: 'empty' }, 'No pair of this document is listed at this threshold.')
      : h('div', { class: 'scroller plain', tabindex: 0, role: 'region', 'aria-label': 'Partners' }, h('table', { class: 'rows free' },
        h('thead', null, h('tr', null, ['Document', ...(report.byDistance ? ['Distance'] : ['of this one, %', 'of the other, %']), 'Passages', 'Decision'].map((label) => h('th', { scope: 'col', class: /Document|Decision/.test(label) ? null : 'number' }, label)))),
        h('tbody', null, pairs.map((pair) => h('tr', null,
          h('td', null, h('a', { href: `#/pair/${pair.number}` }, name(other(pair, document).label)), Cento.registered.badge(other(pair, document))),
          report.byDistance ? h('td', { class: 'number' }, pair.distance.toPrecision(4)) : [sideOf(pair, document), 1 - sideOf(pair, document)].map((side) => h('td', { class: 'number' }, meter(pair.shares[side]))),
          h('td', { class: 'number' }, pair.passages ? number(pair.counts) : ''),
          h('td', null, Cento.work.STATES[Cento.work.of(pair)?.state] || '')))))));

  const LISTED = 400;
  const table = (document, found, where, go) => h('section', { class: 'passages', 'aria-labelledby': 'parts-title' },
    h('h2', { id: 'parts-title' }, 'Parts'),
    h('table', { class: 'rows free' },
      h('thead', null, h('tr', null, ['№', 'Where', 'Also in'].map((label) => h('th', { scope: 'col' }, label)))),
      h('tbody', null, found.slice(0, LISTED).map((part, index) => h('tr', null,
        h('td', null, h('button', { type: 'button', class: 'jump', 'aria-label': `Show part ${index + 1}`, on: { click: () => go(index) } }, number(index + 1))),
        h('td', { class: 'where' }, where(part)),
        h('td', null, part.pairs.map((pair, at) => [at > 0 && ', ', h('a', { href: `#/pair/${pair.number}` }, name(other(pair, document).label))])))))),
    found.length > LISTED && h('p', { class: 'note' }, `The first ${number(LISTED)} of ${number(found.length)} are listed; all are marked in the text.`));

  return (state, document) => {
    const { report } = state;
    const pairs = state.pairs.filter((pair) => pair.documents.includes(document));
    // A page has the texts of the documents that are in a pair, whatever the threshold on the page.
    const isListed = report.all.some((pair) => pair.documents.includes(document));
    const body = h('div', { class: 'reading' });
    const who = h('div', { class: 'card who', role: 'status' });
    const aside = h('aside', { class: 'numbers', 'aria-label': 'Who has it, and more about it' }, who, h('section', { class: 'card about', 'aria-labelledby': 'about-title' }, h('h2', { id: 'about-title' }, 'About it'), facts(report, document)));
    const element = h('div', { class: 'view document' },
      h('div', { class: 'lead' }, h('p', { class: 'crumbs' }, h('a', { href: '#/' }, '← All documents')), h('h1', null, name(document.label))),
      partners(report, document, pairs),
      h('section', { 'aria-labelledby': 'shared-title' }, h('h2', { id: 'shared-title' }, 'What others have, too'), h('div', { class: 'beside' }, body, aside)),
      h('div', { class: 'listed' }));
    let found = [];
    let places = new Map();
    let current = -1;

    const tell = () => {
      const one = found[current];
      who.replaceChildren(...(!one ? [h('h2', null, 'Who has it'), h('p', { class: 'note' }, found.length > 0
        ? `${counted(found.length, 'part')} of this text ${found.length === 1 ? 'is' : 'are'} in other documents. Choose one to see in which, or press n for the next.`
        : isListed ? 'No part of this text is marked as shared.' : 'Nothing is marked: only the parts that listed pairs share are looked for.')]
        : [h('h2', null, `Part ${number(current + 1)} of ${number(found.length)}`), h('p', { class: 'note' }, `in ${counted(one.pairs.length, 'other document')}`),
          h('ul', { class: 'partners' }, one.pairs.map((pair) => h('li', null, h('a', { href: `#/pair/${pair.number}` }, name(other(pair, document).label)))))]));
    };
    const go = (index) => {
      if (found.length === 0) return;
      (places.get(current) || []).forEach((mark) => mark.classList.remove('current'));
      current = (index + found.length) % found.length;
      const marks = places.get(current);
      marks.forEach((mark) => mark.classList.add('current'));
      marks[0]?.scrollIntoView({ block: 'nearest' });
      tell();
    };

    const show = async () => {
      tell();
      if (!document.packed) {
        body.replaceChildren(h('p', { class: 'message' }, document.registered ? 'The text of this document is not at hand.'
          : isListed ? 'The texts were left out of this report, so only numbers can be shown.' : 'This document is in no pair of the report, so its text is not on this page.'));
        return;
      }
      const bytes = await Cento.data.text(document);
      found = parts(pairs, document, bytes);
      const ignored = (document.ignored || []).filter((span) => report.left_out.includes(span.kind));
      const pane = Cento.pane(document, bytes, found, ignored, classes(pairs, document, found));
      places = pane.places;
      for (const { number: index, pairs: some } of found) {
        const names = list(some.slice(0, 6).map((pair) => printable(other(pair, document).label)));
        places.get(index).forEach((mark) => {
          mark.title = `in ${names}${some.length > 6 ? ` and ${number(some.length - 6)} more` : ''}`;
          mark.classList.toggle('many', some.length > 1);
        });
      }
      pane.text.addEventListener('click', (event) => {
        const mark = event.target.closest('mark');
        if (mark?.dataset.passages && String(getSelection()) === '') go(Number(mark.dataset.passages.split(' ')[0]));
      });
      body.replaceChildren(h('div', { class: 'panes one' }, pane.element));
      if (found.length > 0) element.querySelector('.listed').replaceChildren(table(document, found, pane.where, go));
      // What is left out at the top would hide what there is to see.
      const first = found.length > 0 && places.get(0)[0];
      if (first) pane.text.scrollTop = Math.max(0, first.offsetTop - 60);
      tell();
    };

    return {
      element,
      title: () => printable(document.label),
      shown: () => show().catch((error) => body.replaceChildren(h('p', { class: 'message' }, error.message))),
      print: () => {},
      key: (key) => {
        if (key === 'n') go(current + 1);
        else if (key === 'p') go(current < 0 ? -1 : current - 1);
        else return false;
        return true;
      },
    };
  };
})();
