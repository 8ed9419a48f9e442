// The first page: numbers, the distribution, every pair, every document, what was skipped, how it was run.
Cento.overview = (() => {
  const { h, name, meter } = Cento.dom;
  const { number, counted, percent, threshold } = Cento.words;

  const tile = (value, label, note) => h('div', { class: 'tile' }, h('dt', null, label), h('dd', null, value, note && h('small', null, note)));

  const numbers = (state) => {
    const { report } = state;
    const element = h('dl', { class: 'tiles' });
    const update = () => {
      const compared = report.histogram ? report.histogram.reduce((sum, count) => sum + count, 0) : null;
      const read = report.documents.filter((document) => !document.old).length;
      const old = report.documents.length - read;
      element.replaceChildren(
        tile(number(read), read === 1 ? 'document' : 'documents', old > 0 && `and ${number(old)} ${report.command === 'verify' ? 'registered' : 'to compare with'}`),
        compared === null ? '' : tile(number(compared), `${compared === 1 ? 'pair' : 'pairs'} compared`),
        tile(number(state.pairs.length), report.byDistance ? 'nearest neighbours' : `${state.pairs.length === 1 ? 'pair' : 'pairs'} from ${threshold(state.threshold)}`,
          state.found.length !== state.pairs.length && `${number(state.found.length)} of them listed below`),
        tile(number(state.families.length), state.families.length === 1 ? 'family' : 'families', state.families.length > 0 && `the largest has ${number(state.families[0].length)}`),
        tile(number(report.skipped.length), 'skipped', report.skipped.length > 0 && 'listed below'));
    };
    state.follow(update);
    update();
    return element;
  };

  const pairColumns = (state) => {
    const { report } = state;
    const share = (side) => ({
      key: side === 0 ? 'left-share' : 'right-share', label: side === 0 ? 'of left' : 'of right', unit: '%', kind: 'number',
      title: side === 0 ? 'How much of the left document is in the right one' : 'How much of the right document is in the left one',
      value: (pair) => pair.shares[side], cell: (pair) => percent(pair.shares[side]),
    });
    const side = (at) => ({
      key: at === 0 ? 'left' : 'right', label: at === 0 ? 'Left' : 'Right', kind: 'name',
      value: (pair) => pair.documents[at].low,
      cell: (pair) => [name(pair.documents[at].label), pair.documents[at].registered && h('small', null, Cento.registered.brief(pair.documents[at])), pair.documents[at].short && h('span', { class: 'badge', title: short(pair.documents[at]) }, 'short'), at === 1 && pair.thin && h('span', { class: 'badge', title: 'one of them has so few digests that nothing can be said about how much is shared' }, 'few digests'), Cento.disguise.badge(pair.documents[at])],
    });
    const link = (pair) => ({
      href: `#/pair/${pair.number}`,
      label: `${Cento.words.printable(pair.documents[0].label)} and ${Cento.words.printable(pair.documents[1].label)}, open this pair`,
    });
    if (report.byDistance) {
      return [
        { key: 'distance', label: 'Distance', kind: 'number', value: (pair) => pair.distance, cell: (pair) => pair.distance.toPrecision(4) },
        { ...side(0), link }, side(1),
        { key: 'mutual', label: 'Mutual', kind: 'name', value: (pair) => (pair.mutual ? 'a' : 'b'), cell: (pair) => (pair.mutual ? 'each the other’s nearest' : 'left’s nearest') },
      ];
    }
    const measured = { key: 'value', unit: '%', kind: 'number', value: (pair) => pair.value, cell: (pair) => [meter(pair.value), badge(pair)] };
    const chosen = () => state.measures.find(({ key }) => key === state.measure);
    const own = report.byShare ? ['Shared', 'The larger share'] : ['Score', `The measure ${report.measure}`];
    return [
      { ...measured, get label() { return chosen() ? capital(chosen().label) : own[0]; }, get title() { return chosen() ? `The measure ${chosen().label}` : own[1]; } },
      ...(report.pairs.some((pair) => pair.exact) ? [exact] : []),
      { ...side(0), link }, side(1), share(0), share(1),
      ...(Cento.program.any(report.documents) ? [language((pair) => pair.documents)] : []),
      ...(report.pairs.some((pair) => pair.weight !== undefined) ? [weight] : []),
      ...(report.pairs.some((pair) => pair.passages) ? evidenceColumns(report) : []),
      ...(Cento.earlier.held() ? [since] : []),
      ...(Cento.work.count() > 0 ? [decision] : []),
    ];
  };

  const capital = (word) => `${word[0].toUpperCase()}${word.slice(1)}`;
  const since = {
    key: 'since', label: 'Since', kind: 'name', title: 'Compared with the earlier run', value: (pair) => ['new', 'more', 'less', 'same'].indexOf(pair.since),
    cell: (pair) => `${Cento.earlier.WORDS[pair.since]}${pair.since === 'more' || pair.since === 'less' ? ` (${percent(pair.before)})` : ''}`,
  };
  const decision = {
    key: 'decision', label: 'Decision', kind: 'name', value: (pair) => Cento.work.of(pair)?.state || '~',
    cell: (pair) => {
      const found = Cento.work.of(pair);
      return found ? h('span', { class: `decided ${found.state}`, title: found.note || null }, Cento.work.STATES[found.state], found.note && ' ✎') : '';
    },
  };

  const short = (document) => {
    const units = Cento.program.units([document]);
    return `fewer than 50 ${units}: a few shared ${units} weigh much`;
  };

  /* How much documents have: words, tokens, or each its own. */
  const size = (report) => {
    const units = Cento.program.units(report.documents);
    const isMixed = units.includes(' ');
    return {
      label: isMixed ? 'Size' : `${units[0].toUpperCase()}${units.slice(1)}`,
      cell: (document) => (isMixed ? counted(document.words, Cento.program.unit(document)) : number(document.words)),
    };
  };

  /* The languages of the programs; texts say that they are text. */
  const language = (documents) => {
    const value = (row) => Cento.program.languages(documents(row)).join(', ');
    return { key: 'language', label: 'Language', kind: 'name', value, cell: value };
  };

  /* What a pair is listed for, if that is no share. */
  const REASONS = { passage: 'Listed for a passage that both have', stretch: 'Listed for a stretch that has more rare pairs of words in common than chance makes' };
  const badge = ({ listed }) => REASONS[listed] && h('span', { class: 'badge', title: REASONS[listed] }, listed);

  const exact = { key: 'exact', label: 'Exact', unit: '%', kind: 'number', title: 'The score by the texts themselves, without digests that are equal by chance', value: (pair) => (pair.exact ? pair.exact.score : 0), cell: (pair) => (pair.exact ? percent(pair.exact.score) : '') };

  const weight = { key: 'weight', label: 'Weight', unit: '%', kind: 'number', title: 'How much of both is text that they share and that few registered documents have', value: (pair) => pair.weight || 0, cell: (pair) => (pair.weight === undefined ? '' : percent(pair.weight)) };

  /* The order that the report has. */
  const given = (report) => {
    if (report.byDistance) return { key: 'distance', down: false, given: true };
    return { key: report.settings.order === 'weight' ? 'weight' : 'value', down: true, given: true };
  };

  const evidenceColumns = (report) => [
    { key: 'longest', label: 'Longest', unit: { Words: 'words', Tokens: 'tokens' }[size(report).label], kind: 'number', title: Cento.program.all(report.documents) ? 'Tokens in the longest run of shared ones' : `${size(report).label} in the longest run that is the same in both`, value: (pair) => pair.longest || 0, cell: (pair) => (pair.longest === undefined ? '' : number(pair.longest)) },
    { key: 'passages', label: 'Passages', kind: 'number', title: 'Passages that count', value: (pair) => pair.counts, cell: (pair) => (pair.passages ? number(pair.counts) : '') },
  ];

  const documentColumns = (report) => [
    { key: 'document', label: 'Document', kind: 'name', link: (document) => ({ href: `#/document/${document.number}`, label: `${Cento.words.printable(document.label)}, everything about this document` }), value: (document) => document.low, cell: (document) => [name(document.label), document.registered && h('small', null, Cento.registered.brief(document)), document.short && h('span', { class: 'badge', title: short(document) }, 'short'), Cento.registered.badge(document), Cento.disguise.badge(document)] },
    ...(Cento.program.any(report.documents) ? [language((document) => [document])] : []),
    { key: 'words', label: size(report).label, kind: 'number', value: (document) => document.words, cell: (document) => (document.words > 0 ? size(report).cell(document) : '') },
    { key: 'global', label: 'Global similarity', unit: '%', kind: 'number', title: 'How much of it is in some other document', value: (document) => document.found, cell: (document) => (document.registered ? '' : meter(document.found)) },
    { key: 'partners', label: 'Pairs', kind: 'number', title: 'Pairs at or above the threshold', value: (document) => document.partners, cell: (document) => number(document.partners) },
    ...(report.documents.some((document) => document.date) ? [{ key: 'date', label: 'Date', kind: 'name', value: (document) => document.date || '', cell: (document) => document.date || '' }] : []),
    ...(report.documents.some((document) => Cento.disguise.remarks(document).length > 0) ? [{ key: 'warnings', label: 'Remarks', kind: 'name', value: (document) => Cento.disguise.remarks(document).join(), cell: (document) => h('span', { class: 'name', title: Cento.disguise.remarks(document).join('; ') }, Cento.disguise.remarks(document).join('; ')) }] : []),
  ];

  /* Registered documents that are not listed, because what they share says nothing. */
  const standard = (report) => report.documents.filter((document) => (document.verified || {}).standard > 0).map((document) =>
    h('p', { class: 'note' }, name(document.label), `: ${number(document.verified.standard)} more ${document.verified.standard === 1 ? 'shares' : 'share'} only text that many have.`));

  const skipped = (report) => report.skipped.length > 0 && h('section', { id: 'skipped', 'aria-labelledby': 'skipped-title' },
    h('h2', { id: 'skipped-title' }, 'Skipped'),
    h('p', { class: 'note' }, `${counted(report.skipped.length, 'file')} could not be read and ${report.skipped.length === 1 ? 'is' : 'are'} not part of this report.`),
    h('div', { class: 'scroller plain', tabindex: 0, role: 'region', 'aria-label': 'Skipped files' }, h('table', { class: 'rows free' },
      h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'File'), h('th', { scope: 'col' }, 'Why'))),
      h('tbody', null, report.skipped.map((one) => h('tr', null, h('td', null, name(one.id)), h('td', null, Cento.words.printable(one.reason))))))));

  /* Of which measure the list is, and which decisions are in it. */
  const choices = (state) => {
    const select = (id, label, key, options) => {
      const box = h('select', { id, on: { change: () => state.choose({ [key]: box.value }) } }, options.map(([value, words]) => h('option', { value }, words)));
      const update = () => {
        box.value = state[key];
      };
      update();
      state.follow(update);
      return h('label', { class: 'toggle' }, label, box);
    };
    return h('div', { class: 'options' },
      state.measures.length > 0 && select('measure', 'by', 'measure', [['', Cento.measures.own(state.report)], ...state.measures.map(({ key, label }) => [key, label])]),
      !state.report.byDistance && select('decision', 'decision', 'decision', [['', 'any'], ['none', 'none yet'], ...Object.entries(Cento.work.STATES)]));
  };

  return (state) => {
    const { report } = state;
    const title = h('h1');
    const isCode = Cento.program.all(report.documents);
    const shared = { words: 'text', tokens: 'code' }[Cento.program.units(report.documents)] || 'text and code';
    const pairs = Cento.table({
      caption: 'Pairs', columns: pairColumns(state), sort: given(report), empty: 'No pair matches.',
      chosen: state.sort, choose: (sort) => state.choose({ sort }),
      // Whoever reads one pair goes on to the next of this list.
      arranged: (rows) => {
        state.ordered = rows;
      },
    });
    const documents = Cento.table({
      caption: 'Documents', columns: documentColumns(report), sort: { key: 'global', down: true }, empty: 'No document matches.',
      chosen: state.documentSort, choose: (documentSort) => state.choose({ documentSort }),
    });
    const problem = h('p', { class: 'problem', role: 'status' });
    const distribution = h('h2', { id: 'scores-title' });
    const element = h('div', { class: 'view overview' },
      h('div', { class: 'lead' }, title,
        h('p', { class: 'verdict' }, `This page lists the ${shared} that documents share, and where it is. It is evidence, not a verdict: there are good reasons to share ${shared}, and a person who reads both ${isCode ? 'programs' : 'texts'} decides what it means.`)),
      Cento.common.notice(state), numbers(state),
      !report.byDistance && h('section', { class: 'card', 'aria-labelledby': 'scores-title' }, distribution, Cento.histogram(state)),
      h('section', { id: 'pairs' }, h('div', { class: 'lead row' }, h('h2', { id: 'pairs-title' }, 'Pairs'), choices(state)), problem, pairs.element, standard(report)),
      Cento.own(report),
      h('section', { id: 'documents' }, h('h2', { id: 'documents-title' }, 'Documents'), documents.element),
      skipped(report), Cento.run(report, []));
    const update = () => {
      const count = state.pairs.length;
      const isByWeight = report.settings.order === 'weight' && state.threshold <= state.floor;
      // What was not compared must not read as nothing found.
      if (report.documents.length < 2) title.textContent = report.documents.length === 0 ? 'No document could be read' : 'There is nothing to compare the only document with';
      else if (report.byDistance) title.textContent = `${counted(report.documents.length, 'document')} and their nearest by style`;
      else if (isByWeight && !state.measure) title.textContent = `${count === 0 ? 'No' : number(count)} ${count === 1 ? 'pair is' : 'pairs are'} listed, those with most text that few have first`;
      else if (state.measure) {
        title.textContent = `${count === 0 ? 'No' : number(count)} ${count === 1 ? 'pair has' : 'pairs have'} ${Cento.words.an(state.measures.find(({ key }) => key === state.measure).label)} of ${state.enough(state.threshold)}`;
      } else {
        title.textContent = `${count === 0 ? 'No' : number(count)} ${count === 1 ? 'pair shares' : 'pairs share'} ${state.enough(state.threshold)}`;
      }
      problem.textContent = state.problem;
      distribution.textContent = state.measure ? capital(state.measures.find(({ key }) => key === state.measure).label) : report.byShare ? 'Shares' : 'Scores';
      pairs.show(state.found);
      documents.show(report.documents.filter((document) => document.matches));
    };
    state.follow(update);
    state.remember(() => {
      pairs.sortBy(state.sort);
      documents.sortBy(state.documentSort);
    });
    update();
    return {
      element,
      title: () => 'Shared text',
      shown: () => {
        pairs.redraw();
        documents.redraw();
      },
      reveal: (row) => pairs.reveal(row) || documents.reveal(row),
      print: (on) => {
        pairs.print(on);
        documents.print(on);
      },
    };
  };
})();
