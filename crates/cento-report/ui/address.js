// What has been chosen stands in the address: a page that is reloaded, sent on or gone back to shows the same.
Cento.address = (() => {
  const text = (key) => ({ write: (state) => (state[key] === state.first[key] ? '' : state[key]), read: (value, state) => ({ [key]: value === '' ? state.first[key] : value }) });
  const oneOf = (key, values) => ({ write: text(key).write, read: (value, state) => ({ [key]: values.includes(value) ? value : state.first[key] }) });
  const share = (value) => {
    const percent = Number(value);
    return value !== '' && percent >= 0 && percent <= 100 ? percent / 100 : null;
  };
  const percent = (value) => String(Number((value * 100).toFixed(4)));

  /* What has a name in the address. `read` gives what is chosen, whatever stands there. */
  const FIELDS = {
    from: {
      write: (state) => (state.threshold > state.floor ? percent(state.threshold) : ''),
      read: (value) => ({ threshold: share(value) ?? 0 }),
    },
    range: {
      write: (state) => (state.range ? state.range.map(percent).join('-') : ''),
      read: (value) => {
        const range = value.split('-').map(share);
        return { range: range.length === 2 && range.every((one) => one !== null) && range[0] < range[1] ? range : null };
      },
    },
    search: text('query'),
    measure: text('measure'),
    common: { write: (state) => (state.common ? 'out' : ''), read: (value) => ({ common: value === 'out' }) },
    names: { write: (state) => (state.named ? '' : 'hidden'), read: (value) => ({ named: value !== 'hidden' }) },
    decision: oneOf('decision', ['none', 'reviewed', 'find', 'explained']),
    sort: text('sort'),
    documents: text('documentSort'),
    scale: oneOf('scale', ['linear', 'logarithmic']),
    off: text('off'),
    theme: oneOf('theme', ['auto', 'light', 'dark']),
  };

  /* '#/graph?from=40' → ['graph', '', what is chosen]; nothing for addresses that are no views. */
  const parse = (hash) => {
    if (hash !== '' && !hash.startsWith('#/')) return null;
    const [way, query] = [hash.slice(2).split('?')[0], hash.includes('?') ? hash.slice(hash.indexOf('?') + 1) : null];
    const [path, argument = ''] = way.split('/');
    return { way, path, argument, query };
  };

  const write = (state, way) => {
    const query = new URLSearchParams();
    for (const [name, { write: written }] of Object.entries(FIELDS)) {
      if (written(state) !== '') query.set(name, written(state));
    }
    const all = query.toString();
    return `#/${way}${all === '' ? '' : `?${all}`}`;
  };

  const read = (state, query) => {
    const values = new URLSearchParams(query);
    return Object.assign({}, ...Object.entries(FIELDS).map(([name, field]) => field.read(values.get(name) || '', state)));
  };

  /* Links within the page say where to go and leave the rest as it is; an address that this page wrote, or
     that says what is chosen, is followed. Browsers refuse to be told too often. */
  const OFTEN = 250;
  return (state) => {
    let [last, waiting] = [0, 0];
    const put = () => {
      clearTimeout(waiting);
      waiting = 0;
      const here = parse(location.hash);
      if (!here) return;
      last = performance.now();
      history.replaceState({ cento: true }, '', write(state, here.way));
    };
    state.remember(() => {
      if (waiting) return;
      const rest = OFTEN - (performance.now() - last);
      if (rest <= 0) put();
      else waiting = setTimeout(put, rest);
    });
    return {
      /* Writes what is chosen now, without waiting. */
      keep: put,
      /* Takes over what the address says; returns the way to the view, or nothing if it is none. */
      follow: () => {
        const here = parse(location.hash);
        if (!here) return null;
        if (here.query !== null || history.state?.cento) {
          if (write(state, here.way) !== location.hash) state.choose(read(state, here.query || ''));
        }
        put();
        return here;
      },
    };
  };
})();
