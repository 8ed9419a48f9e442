// What the person has chosen: a threshold and a search. Every view follows it.
Cento.state = (report) => {
  const listeners = [];
  const floor = report.byDistance ? 0 : report.settings.threshold || 0;
  const state = { report, floor, threshold: floor, query: '', pairs: [], found: [], families: [] };

  /* The groups of documents that pairs connect, largest first. */
  const families = (pairs) => {
    const parent = report.documents.map((_, number) => number);
    const root = (number) => {
      let at = number;
      while (parent[at] !== at) {
        parent[at] = parent[parent[at]];
        at = parent[at];
      }
      return at;
    };
    for (const pair of pairs) {
      const [a, b] = pair.documents.map((document) => root(document.number));
      parent[Math.max(a, b)] = Math.min(a, b);
    }
    const groups = new Map();
    for (const document of report.documents) {
      const group = root(document.number);
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push(document);
    }
    const all = [...groups.values()].filter((group) => group.length > 1);
    all.sort((a, b) => b.length - a.length || a[0].number - b[0].number);
    return all;
  };

  const matches = (document) => state.query === '' || document.low.includes(state.query);

  /* A report lists some pairs for other reasons than how much they share: they are shown until somebody
     asks for more. */
  const isShown = (pair) => {
    const isAll = state.threshold <= floor;
    if (report.byShare) return Boolean(pair.listed) && (isAll || pair.value >= state.threshold);
    return (isAll && report.settings.order === 'weight') || pair.score >= state.threshold;
  };

  const settle = () => {
    state.pairs = report.byDistance ? report.pairs : report.pairs.filter(isShown);
    state.found = state.pairs.filter((pair) => pair.documents.some(matches));
    state.families = families(state.pairs);
    for (const document of report.documents) {
      document.family = null;
      document.partners = 0;
      document.best = 0;
      document.matches = matches(document);
    }
    state.families.forEach((family, number) => family.forEach((document) => {
      document.family = number;
    }));
    for (const pair of state.pairs) {
      for (const document of pair.documents) {
        document.partners += 1;
        document.best = Math.max(document.best, pair.value);
      }
    }
  };

  const change = (changes) => {
    Object.assign(state, changes);
    state.threshold = Math.min(1, Math.max(floor, state.threshold));
    settle();
    listeners.forEach((listener) => listener(state));
  };

  /* How much the pairs share that are shown from this threshold on. */
  state.enough = (threshold) => {
    const share = `${Cento.words.threshold(threshold)} or more`;
    if (threshold > floor) return share;
    if (report.byShare) return `${share}, or a passage of ${report.settings.passage} ${Cento.program.units(report.documents)}`;
    return report.pairs.some((pair) => pair.score < floor) ? `${share}, or text that few have` : share;
  };

  settle();
  state.follow = (listener) => listeners.push(listener);
  state.setThreshold = (threshold) => change({ threshold });
  state.leaveOutCommon = (on) => {
    report.leaveOutCommon(on);
    change({});
  };
  state.search = (query) => change({ query: query.trim().toLowerCase() });
  return state;
};
