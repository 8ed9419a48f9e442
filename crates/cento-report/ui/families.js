// Documents that pairs connect, and when each was made where that is known.
Cento.families = (() => {
  const { h, svg, name } = Cento.dom;
  const { number, counted, percent, printable } = Cento.words;
  const FIRST = 40;
  const COLOURS = 10;

  const time = (document) => {
    const at = document.date ? Date.parse(document.date) : NaN;
    return Number.isNaN(at) ? null : at;
  };

  /* Points on a line of time, and an arc for each pair. */
  const timeline = (family, pairs) => {
    const dated = family.filter((document) => time(document) !== null);
    if (dated.length < 2) return null;
    dated.sort((a, b) => time(a) - time(b) || a.number - b.number);
    const [from, to] = [time(dated[0]), time(dated[dated.length - 1])];
    const [width, left, right] = [900, 40, 40];
    const x = (document) => left + (to > from ? ((time(document) - from) / (to - from)) * (width - left - right) : 0);
    const base = 62;
    const shown = dated.slice(0, 40);
    const arcs = pairs.filter((pair) => pair.documents.every((document) => shown.includes(document))).map((pair) => {
      const [a, b] = pair.documents.map(x).sort((one, other) => one - other);
      const height = Math.min(100, 24 + (b - a) / 5);
      return svg('path', { class: 'arc', d: `M${a.toFixed(1)} ${base}Q${((a + b) / 2).toFixed(1)} ${(base - height).toFixed(1)} ${b.toFixed(1)} ${base}`, 'stroke-width': (1 + 3 * Math.min(1, pair.value)).toFixed(1) });
    });
    const names = shown.map((document, index) => {
      const y = base + 24 + index * 20;
      return svg('g', { class: 'moment' },
        svg('line', { class: 'lead-line', x1: x(document).toFixed(1), x2: x(document).toFixed(1), y1: base, y2: y - 4 }),
        svg('circle', { cx: x(document).toFixed(1), cy: base, r: 5 }),
        svg('text', x(document) > width * 0.55 ? { x: (x(document) - 7).toFixed(1), y, 'text-anchor': 'end' } : { x: (x(document) + 7).toFixed(1), y }, `${printable(document.label).slice(0, 40)}, ${document.date.slice(0, 16).replace('T', ' ')}`));
    });
    const height = base + 16 + shown.length * 20;
    const words = `From ${printable(dated[0].label)}, ${dated[0].date}, to ${printable(dated[dated.length - 1].label)}, ${dated[dated.length - 1].date}`;
    return h('figure', { class: 'timeline' },
      svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': words }, svg('line', { class: 'axis', x1: left - 30, x2: width - 10, y1: base, y2: base }), arcs, names),
      h('figcaption', { class: 'note' }, 'The dates are those that came with the documents. The order in time does not say who copied from whom.'));
  };

  const card = (state, family, index, byDocument) => {
    const members = new Set(family);
    const pairs = [...new Set(family.flatMap((document) => byDocument.get(document) || []))].filter((pair) => pair.documents.every((document) => members.has(document)));
    pairs.sort((a, b) => a.number - b.number);
    return h('section', { class: 'card family', 'aria-label': `Family ${index + 1}` },
      h('h2', null, h('span', { class: `dot colour-${family[0].colour % COLOURS}`, 'aria-hidden': 'true' }), `Family ${number(index + 1)}`, h('small', null, `${counted(family.length, 'document')}, ${counted(pairs.length, 'pair')}`)),
      h('ul', { class: 'members' }, family.slice(0, 60).map((document) => h('li', { class: document.matches ? null : 'faded' }, h('a', { href: `#/document/${document.number}` }, name(document.label)), Cento.registered.badge(document))),
        family.length > 60 && h('li', { class: 'note' }, `and ${number(family.length - 60)} more`)),
      timeline(family, pairs),
      h('ul', { class: 'partners' }, pairs.slice(0, 12).map((pair) => h('li', null,
        h('a', { href: `#/pair/${pair.number}` }, name(pair.documents[0].label), ' and ', name(pair.documents[1].label)),
        h('span', { class: 'value' }, state.report.byDistance ? pair.distance.toPrecision(3) : percent(pair.value)))),
      pairs.length > 12 && h('li', { class: 'note' }, `and ${counted(pairs.length - 12, 'more pair')}`)));
  };

  return (state) => {
    let most = FIRST;
    let stale = true;
    const words = h('p', { class: 'note' });
    const cards = h('div', { class: 'cards' });
    const more = h('button', { type: 'button', on: { click: () => {
      most += FIRST;
      draw();
    } } }, 'Show more');
    const element = h('div', { class: 'view families' }, h('div', { class: 'lead' }, h('h1', null, 'Families'), words), cards, more);
    const draw = () => {
      stale = false;
      const byDocument = new Map();
      for (const pair of state.pairs) {
        for (const document of pair.documents) {
          if (!byDocument.has(document)) byDocument.set(document, []);
          byDocument.get(document).push(pair);
        }
      }
      const families = state.families.map((family, index) => [family, index]).filter(([family]) => family.some((document) => document.matches));
      words.textContent = families.length === 0 ? 'No documents are connected at this threshold.'
        : `Documents that pairs ${state.report.byDistance ? '' : `of ${state.enough(state.threshold)} `}connect, directly or through others. Move the threshold up to take families apart.`;
      cards.replaceChildren(...families.slice(0, most).map(([family, index]) => card(state, family, index, byDocument)));
      more.hidden = families.length <= most;
      more.textContent = `Show ${number(Math.min(FIRST, families.length - most))} more`;
    };
    state.follow(() => {
      stale = true;
      if (!element.hidden) draw();
    });
    return { element, title: () => 'Families', shown: () => stale && draw(), print: () => {} };
  };
})();
