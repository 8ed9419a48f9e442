// The bar on top, the way from an address to a view, keys, light and dark, printing.
Cento.start = async () => {
  const { h, soon } = Cento.dom;
  const { number, percent } = Cento.words;
  const main = document.getElementById('main');
  const status = document.getElementById('status');
  const message = (text) => main.replaceChildren(h('p', { class: 'message' }, text));

  let report;
  try {
    report = await Cento.data.load();
  } catch (error) {
    message(error.message);
    return;
  }
  const state = Cento.state(report);
  Cento.report = report;
  Cento.chosen = state;

  const alone = report.pairs.length === 1 && report.documents.length === 2;
  const overview = Cento.overview(state);
  const views = new Map([['', overview], ['graph', Cento.graph(state)], ['families', Cento.families(state)]]);
  let now = null;

  const tabs = [['', 'Overview'], ['graph', 'Graph'], ['families', 'Families']].map(([path, label]) =>
    [path, h('a', { href: `#/${path}` }, label)]);
  const search = h('input', { type: 'search', id: 'search', placeholder: 'Search names', 'aria-label': 'Search names', 'aria-keyshortcuts': '/', autocomplete: 'off', spellcheck: 'false', on: { input: () => state.search(search.value) } });
  const threshold = h('input', { type: 'number', id: 'threshold-number', min: Math.floor(state.floor * 100), max: 100, step: 1, 'aria-label': 'Threshold in percent', on: { change: () => state.setThreshold(Number(threshold.value) / 100) } });
  const themes = ['auto', 'light', 'dark'];
  const theme = h('button', { type: 'button', class: 'quiet', id: 'theme', on: { click: () => {
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme || 'auto') + 1) % themes.length];
    document.documentElement.dataset.theme = next;
    theme.textContent = `Theme: ${next}`;
  } } }, 'Theme: auto');
  const help = h('dialog', { class: 'help', 'aria-label': 'Keys' }, h('h2', null, 'Keys'),
    h('dl', null, [['/', 'search names'], ['↑ ↓', 'from row to row in a table'], ['Enter', 'open what is chosen'], ['n, p', 'next and previous passage of a pair'], ['Esc', 'back to all pairs'], ['arrows, +, −, 0', 'move and zoom in the graph'], ['?', 'this list']]
      .map(([key, what]) => [h('dt', null, h('kbd', null, key)), h('dd', null, what)])),
    h('form', { method: 'dialog' }, h('button', null, 'Close')));

  document.getElementById('bar').append(
    h('button', { type: 'button', class: 'skip', on: { click: () => main.focus() } }, 'Skip to the content'),
    h('a', { class: 'brand', href: '#/' }, 'cento'),
    h('nav', { 'aria-label': 'Views' }, tabs.map(([, link]) => link)),
    h('div', { class: 'controls' },
      !report.byDistance && !alone && h('label', { class: 'limit' }, 'from ', threshold, ' %'),
      !alone && search, theme,
      h('button', { type: 'button', class: 'quiet', 'aria-keyshortcuts': '?', on: { click: () => help.showModal() } }, 'Keys')));
  document.body.append(help);
  main.replaceChildren(...[...views.values()].map((view) => view.element));

  const show = (view, isSame) => {
    for (const child of main.children) child.hidden = child !== view.element;
    now = view;
    document.title = `${view.title()} · Cento`;
    view.shown();
    if (!isSame) scrollTo(0, 0);
  };

  const route = () => {
    // Other addresses within the page, such as those of headings, are no views.
    if (location.hash !== '' && !location.hash.startsWith('#/')) return;
    const [path, argument] = location.hash.slice(2).split('/');
    main.querySelector('.view.pair')?.remove();
    const pair = path === 'pair' ? report.all[Number(argument)] : null;
    const isFirst = now === null;
    if (pair) {
      const view = Cento.pair(state, pair);
      main.append(view.element);
      show(view);
    } else {
      show(views.get(path) || overview);
    }
    for (const [name, link] of tabs) {
      if (!pair && name === (views.has(path) ? path : '')) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
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
  };
  follow();
  state.follow(follow);
  state.follow(say);

  addEventListener('hashchange', route);
  addEventListener('resize', soon(() => now.resized && now.resized()));
  addEventListener('keydown', (event) => {
    const typing = event.target.closest('input, textarea, select');
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (typing) {
      if (event.key === 'Escape') event.target.blur();
      return;
    }
    if (event.key === '/' && !alone) search.focus();
    else if (event.key === '?') help.showModal();
    else if (event.key === 'Escape' && now !== overview) location.hash = '#/';
    else if (!(now.key && now.key(event.key))) return;
    event.preventDefault();
  });
  const print = (on) => now.print(on);
  matchMedia('print').addEventListener('change', (event) => print(event.matches));
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(false));

  if (alone && location.hash === '') location.replace('#/pair/0');
  route();
};

Cento.start();
