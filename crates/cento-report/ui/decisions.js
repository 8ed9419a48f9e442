// What was decided, on one page to print; decisions as a file; and an earlier run to compare with.
Cento.decisions = (() => {
  const { h, name } = Cento.dom;
  const { number, counted, percent, printable } = Cento.words;
  const HEADINGS = { find: 'Finds', explained: 'Explained', reviewed: 'Reviewed' };
  const LISTED = 200;

  const save = (text, file) => {
    const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    h('a', { href: address, download: file }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  };

  /* A button that asks for a file and gives it to a function. */
  const asking = (id, label, accept, act) => {
    const input = h('input', { type: 'file', hidden: true, accept, 'aria-label': label, id: `${id}-file`, on: { change: () => {
      if (input.files[0]) act(input.files[0]);
      input.value = '';
    } } });
    return [h('button', { type: 'button', id, on: { click: () => input.click() } }, label), input];
  };

  const linked = (pair) => h('a', { href: `#/pair/${pair.number}` }, name(pair.documents[0].label), ' and ', name(pair.documents[1].label));
  const shared = (report, pair) => (report.byDistance ? pair.distance.toPrecision(3) : pair.shares.map(percent).join(' / '));

  const table = (heads, rows) => h('div', { class: 'scroller plain', tabindex: 0, role: 'region', 'aria-label': heads[0] }, h('table', { class: 'rows free' },
    h('thead', null, h('tr', null, heads.map((head) => h('th', { scope: 'col' }, head)))),
    h('tbody', null, rows.map((cells) => h('tr', null, cells.map((cell) => h('td', null, cell)))))));

  const decided = (report, pairs, state) => {
    const some = pairs.filter((pair) => Cento.work.of(pair)?.state === state);
    return some.length > 0 && h('section', { class: `of-${state}` },
      h('h2', null, HEADINGS[state], h('small', null, ` ${counted(some.length, 'pair')}`)),
      table(['Pair', report.byDistance ? 'Distance' : 'Shared, % of each', 'Note', 'Decided'], some.map((pair) => {
        const { note, when, who } = Cento.work.of(pair);
        return [linked(pair), shared(report, pair), note ? note.split('\n').map((line) => h('div', null, printable(line))) : '', [String(when || '').slice(0, 16).replace('T', ' '), who && `, ${printable(String(who))}`]];
      })));
  };

  /* What has changed since an earlier run. */
  const changes = (state, held, rebuild) => {
    const { report } = state;
    const of = (since) => state.pairs.filter((pair) => pair.since === since);
    const some = (since, kind, words) => {
      const pairs = of(since);
      return h('section', null, h('h3', null, `${counted(pairs.length, kind)}${pairs.length === 1 ? words[0] : words[1]}`),
        pairs.length > 0 && table(['Pair', 'Shared, % of each', 'Before, %'], pairs.slice(0, LISTED).map((pair) => [linked(pair), shared(report, pair), pair.before === undefined ? '' : percent(pair.before)])),
        pairs.length > LISTED && h('p', { class: 'note' }, `The first ${number(LISTED)} are listed; since:${since} in the search finds all.`));
    };
    const known = held.decisions.length;
    const hidden = (id) => (state.named ? name(id) : 'a document');
    return h('div', { class: 'changes' },
      h('p', null, 'Compared with ', name(held.name), `: ${counted(held.added.length, 'new document')}, ${number(held.altered.length)} with another text, ${number(held.missing.length)} no longer there. As before: ${counted(of('same').length, 'pair')}.`),
      held.isOtherwise && h('p', { class: 'problem' }, 'The earlier run had another recipe, measure or threshold: a pair may be new because of that.'),
      known > 0 && Cento.work.mayDecide && h('p', null, `This browser has ${counted(known, 'decision')} about the earlier run. `, h('button', { type: 'button', id: 'take-over', on: { click: async () => {
        const { taken, other, older } = await Cento.work.take(held.decisions);
        held.decisions = [];
        held.took = `${counted(taken, 'decision')} taken over, ${number(other)} left because a text is another or gone, ${number(older)} because there is a later one.`;
        rebuild();
      } } }, 'Take over those whose texts are the same')),
      held.took && h('p', { role: 'status' }, held.took),
      some('new', 'new pair', ['', '']), some('more', 'pair', [' shares more', ' share more']), some('less', 'pair', [' shares less', ' share less']),
      h('section', null, h('h3', null, `${counted(held.gone.length, 'pair')} no longer listed`),
        held.gone.length > 0 && table(['Pair', 'Before, %'], held.gone.slice(0, LISTED).map((pair) => [[hidden(pair.left), ' and ', hidden(pair.right)], percent(pair.share)]))));
  };

  return (state, rebuild) => {
    const { report } = state;
    const title = h('h1');
    const words = h('p', { class: 'note' });
    const lists = h('div');
    const since = h('div');
    const said = h('p', { role: 'status', class: 'note' });
    let stale = true;
    const show = (link) => h('button', { type: 'button', id: 'show-undecided', on: { click: () => {
      state.choose({ decision: 'none' });
      location.hash = '#/';
    } } }, link);
    const element = h('div', { class: 'view decisions' },
      h('div', { class: 'lead row' }, h('div', null, title, words),
        h('div', { class: 'tools' },
          h('button', { type: 'button', id: 'print', on: { click: () => print() } }, 'Print'),
          h('button', { type: 'button', id: 'export', on: { click: () => save(Cento.work.exported(), 'decisions.json') } }, 'Export'),
          Cento.work.mayDecide && asking('import', 'Import', '.json', async (file) => {
            try {
              const { taken, older, other } = await Cento.work.imported(await file.text());
              if (Cento.work.problem() !== '') {
                said.textContent = `${printable(file.name)} is not taken over: ${printable(Cento.work.problem())}.`;
                return;
              }
              said.textContent = `${counted(taken, 'decision')} taken over from ${printable(file.name)}; ${number(older)} not, because there is a later one here; ${number(other)} not, because a text is another or not in this report.`;
            } catch {
              said.textContent = `${printable(file.name)} has no decisions in it: choose a file that Export wrote.`;
            }
          }))),
      said, lists,
      h('section', { class: 'earlier', 'aria-labelledby': 'earlier-title' },
        h('div', { class: 'lead row' }, h('h2', { id: 'earlier-title' }, 'Since an earlier run'),
          h('div', { class: 'tools' }, asking('compare', 'Choose its report', '.html,.json', async (file) => {
            try {
              await Cento.earlier.load(report, file);
              state.refresh();
              rebuild();
            } catch (error) {
              since.replaceChildren(h('p', { class: 'problem', role: 'alert' }, printable(error.message)));
            }
          }))),
        h('p', { class: 'note' }, 'Choose the report.html or report.json of an earlier run over the same class to see which pairs are new. The file is read in this browser and goes nowhere.'),
        since),
      Cento.run(report, []));
    const draw = () => {
      stale = false;
      const count = state.pairs.filter((pair) => Cento.work.of(pair)).length;
      const rest = state.pairs.length - count;
      title.textContent = `${number(count)} of ${counted(state.pairs.length, 'pair')} decided`;
      const { host } = Cento.work;
      if (host) words.textContent = [`${Cento.work.mayDecide ? 'Open a pair to decide about it. ' : ''}Decisions are kept on the server, with who and when, for all who may see this report; they are removed with it on ${host.expires.slice(0, 16).replace('T', ' ')} UTC, so export what is to stay.`, Cento.work.problem() !== '' && `The server does not answer as it should: ${printable(Cento.work.problem())}.`].filter(Boolean).join(' ');
      else words.textContent = Cento.work.isKept() ? 'Open a pair to decide about it. Decisions stay in this browser, under these documents; export them to keep them elsewhere or to give them to somebody.'
        : 'This browser does not keep decisions for this page: export them before you close it.';
      lists.replaceChildren(...[...Object.keys(HEADINGS).map((one) => decided(report, state.pairs, one)),
        rest > 0 && !report.byDistance && h('section', { class: 'undecided' }, h('h2', null, 'Not decided', h('small', null, ` ${counted(rest, 'pair')}`)), show('Show them'))].filter(Boolean));
      const held = Cento.earlier.held();
      if (held) since.replaceChildren(changes(state, held, rebuild));
    };
    const refresh = () => {
      stale = true;
      if (!element.hidden) draw();
    };
    state.follow(refresh);
    return { element, title: () => 'Decisions', shown: () => stale && draw(), decided: draw, print: () => {} };
  };
})();
