// The bar on top, the way from an address to a view, keys, light and dark, printing.
Cento.start = async () => {
  const { h, put, soon } = Cento.dom;
  const { number, percent } = Cento.words;
  const main = document.getElementById('main');
  const status = document.getElementById('status');
  const host = globalThis.CentoHost || null;
  const message = (text) => main.replaceChildren(h('p', { class: 'message' }, text));

  let report;
  try {
    report = await Cento.data.load();
  } catch (error) {
    message(error.message);
    return;
  }
  Cento.work.open(report);
  const state = Cento.state(report);
  const address = Cento.address(state);
  Cento.report = report;
  Cento.chosen = state;

  const alone = report.pairs.length === 1 && report.documents.length === 2;
  let views = new Map();
  let now = null;
  // The pair or document that was read last: whoever goes back to its list goes on there.
  let read = null;
  const leave = () => {
    read = null;
  };

  const tabs = [['', 'Overview'], ['graph', 'Graph'], ['families', 'Families'], ['decisions', 'Decisions']].map(([path, label]) =>
    [path, h('a', { href: `#/${path}`, on: { click: leave } }, label)]);
  const search = h('input', { type: 'search', id: 'search', placeholder: 'Search', title: 'Parts of names, and operators: share:>40 name:nov* longest:>=100 decision:none', 'aria-label': 'Search names, and more with operators such as share:>40', 'aria-keyshortcuts': '/', autocomplete: 'off', spellcheck: 'false', on: { input: () => state.search(search.value) } });
  const threshold = h('input', { type: 'number', id: 'threshold-number', min: Math.floor(state.floor * 100), max: 100, step: 1, 'aria-label': 'Threshold in percent', on: { change: () => state.setThreshold(Number(threshold.value) / 100) } });
  const themes = ['auto', 'light', 'dark'];
  const theme = h('button', { type: 'button', class: 'quiet', id: 'theme', on: { click: () => state.choose({ theme: themes[(themes.indexOf(state.theme) + 1) % themes.length] }) } }, 'Theme: auto');
  const names = h('button', { type: 'button', class: 'quiet', id: 'names', title: 'Codes in place of names, for a page that is shown to others. Names within texts stay.', on: { click: () => state.choose({ named: !state.named }) } });
  const help = h('dialog', { class: 'help', 'aria-label': 'Keys' }, h('h2', null, 'Keys'),
    h('dl', null, [['/', 'search'], ['↑ ↓', 'from row to row in a table'], ['Enter', 'open what is chosen'], ['n, p', 'next and previous passage'], ['j, k', 'next and previous pair of the list'], ['Esc', 'back to all pairs'], ['arrows, +, −, 0', 'move and zoom in the graph'], ['?', 'this list']]
      .map(([key, what]) => [h('dt', null, h('kbd', null, key)), h('dd', null, what)])),
    h('h2', null, 'Search'),
    h('dl', null, [['lind', 'a part of a name'], ['name:nov*', 'also left: and right:; * stands for anything'], ['share:>40', 'also score: longest: passages: words:; < >= 20..40'], ['decision:none', 'or reviewed, find, explained; note:'], ['since:new', 'or more, less, same: after comparing with an earlier run'], ['-lind', 'everything but that']]
      .map(([key, what]) => [h('dt', null, h('kbd', null, key)), h('dd', null, what)])),
    h('form', { method: 'dialog' }, h('button', null, 'Close')));

  put(document.getElementById('bar'),
    h('button', { type: 'button', class: 'skip', on: { click: () => main.focus() } }, 'Skip to the content'),
    h('a', { class: 'brand', href: '#/', on: { click: leave } }, 'cento'),
    host && h('a', { class: 'back', id: 'back', href: host.back, title: Cento.words.printable(host.name) }, '← Job'),
    h('nav', { 'aria-label': 'Views' }, tabs.map(([, link]) => link)),
    h('div', { class: 'controls' },
      !report.byDistance && !alone && h('label', { class: 'limit' }, 'from ', threshold, ' %'),
      !alone && search, names, theme,
      h('button', { type: 'button', class: 'quiet', 'aria-keyshortcuts': '?', on: { click: () => help.showModal() } }, 'Keys')));
  document.body.append(help);

  const show = (view) => {
    for (const child of main.children) child.hidden = child !== view.element;
    now = view;
    document.title = `${view.title()}${host ? ` · ${Cento.words.printable(host.name)}` : ''} · Cento`;
    view.shown();
    scrollTo(0, 0);
  };

  /* Views of one pair or one document are made when they are asked for. */
  const single = ({ path, argument }) => {
    if (path === 'pair' && report.all[Number(argument)] && argument !== '') return Cento.pair(state, report.all[Number(argument)]);
    if (path === 'document' && report.documents[Number(argument)] && argument !== '') return Cento.document(state, report.documents[Number(argument)]);
    return null;
  };

  const route = () => {
    // Other addresses within the page, such as those of headings, are no views.
    const here = address.follow() || (now === null ? { path: '', argument: '' } : null);
    if (!here) return;
    main.querySelector('.view.single')?.remove();
    const view = single(here);
    const isFirst = now === null;
    if (view) {
      view.element.classList.add('single');
      main.append(view.element);
    }
    show(view || views.get(here.path) || views.get(''));
    for (const [name, link] of tabs) {
      if (!view && name === (views.has(here.path) ? here.path : '')) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    if (view) read = here.path === 'pair' ? report.all[Number(here.argument)] : report.documents[Number(here.argument)];
    else if (!isFirst && read && now.reveal?.(read)) return;
    if (!isFirst) {
      const heading = now.element.querySelector('h1');
      heading.setAttribute('tabindex', -1);
      heading.focus({ preventScroll: true });
    }
  };

  const say = soon(() => {
    status.textContent = `${number(state.found.length)} pairs${report.byDistance ? '' : ` from ${percent(state.threshold)}`}`;
  });
  const follow = () => {
    threshold.value = Math.round(state.threshold * 100);
    if (search.value.trim() !== state.query.trim()) search.value = state.query;
    search.setAttribute('aria-invalid', state.problem !== '');
  };
  const dress = () => {
    document.documentElement.dataset.theme = state.theme;
    theme.textContent = `Theme: ${state.theme}`;
    names.textContent = state.named ? 'Hide names' : 'Reveal names';
  };

  /* All views anew: with other names, other columns, another run to compare with. */
  let named = state.named;
  const build = () => {
    state.forget();
    Cento.work.forget();
    views = new Map([['', Cento.overview(state)], ['graph', Cento.graph(state)], ['families', Cento.families(state)], ['decisions', Cento.decisions(state, rebuild)]]);
    main.replaceChildren(...[...views.values()].map((view) => view.element));
    state.follow(follow);
    state.follow(say);
    state.follow(() => now?.changed?.());
    state.remember(dress);
    state.remember(() => {
      if (named === state.named) return;
      named = state.named;
      rebuild();
    });
    let decided = Cento.work.count() > 0;
    Cento.work.follow(() => {
      // The list has a column for decisions as soon as there is one.
      if (decided !== (Cento.work.count() > 0) && now !== views.get('')) {
        decided = Cento.work.count() > 0;
        const overview = Cento.overview(state);
        views.get('').element.replaceWith(overview.element);
        overview.element.hidden = true;
        views.set('', overview);
      }
      state.refresh();
      now?.decided?.();
    });
    follow();
    dress();
  };
  const rebuild = () => {
    address.keep();
    build();
    if (now) route();
  };
  if (alone && location.hash === '') history.replaceState(null, '', '#/pair/0');
  address.follow();
  named = state.named;
  build();

  addEventListener('hashchange', route);
  addEventListener('resize', soon(() => now.resized && now.resized()));
  addEventListener('keydown', (event) => {
    const typing = event.target.closest('input:not([type="checkbox"], [type="radio"], [type="range"]), textarea, select');
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (typing) {
      if (event.key === 'Escape') event.target.blur();
      return;
    }
    if (event.key === '/' && !alone) search.focus();
    else if (event.key === '?') help.showModal();
    else if (event.key === 'Escape' && now !== views.get('')) location.hash = '#/';
    else if (!(now.key && now.key(event.key))) return;
    event.preventDefault();
  });
  const print = (on) => now.print(on);
  matchMedia('print').addEventListener('change', (event) => print(event.matches));
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(false));

  route();
};

Cento.start();
