// What the person has chosen: a threshold, a search, an order and more. Every view follows it.
Cento.state = (report) => {
  const listeners = [];
  const keepers = [];
  const measures = Cento.measures.others(report);
  const lowest = report.byDistance ? 0 : report.settings.threshold || 0;
  const first = {
    threshold: lowest, range: null, query: '', measure: '', common: false, named: true, decision: '',
    sort: '', documentSort: '', scale: 'logarithmic', off: '', theme: 'auto',
  };
  // Of these, every view needs to know; the others are for one of them.
  const FOR_ALL = ['threshold', 'range', 'query', 'measure', 'common', 'named', 'decision'];
  const state = { report, first, measures, floor: lowest, ...first, pairs: [], found: [], families: [], ordered: [], problem: '' };

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

  /* A report lists some pairs for other reasons than how much they share: they are shown until somebody
     asks for more. */
  const isListed = (pair, threshold) => {
    const isAll = threshold <= state.floor;
    if (state.measure) return (!report.byShare || Boolean(pair.listed)) && pair.value >= threshold;
    if (report.byShare) return Boolean(pair.listed) && (isAll || pair.value >= threshold);
    return (isAll && report.settings.order === 'weight') || pair.score >= threshold;
  };
  const inRange = (pair) => !state.range || (pair.value > state.range[0] && pair.value <= state.range[1]) || (state.range[0] === 0 && pair.value === 0);
  const isDecided = (pair) => state.decision === '' || (Cento.work.of(pair)?.state || 'none') === state.decision;

  /* Colours are given to the families of the whole report, and stay with them whatever the threshold. */
  const colour = () => {
    const isAll = report.byDistance || state.threshold <= state.floor;
    const all = isAll ? state.families : families(report.pairs.filter((pair) => isListed(pair, state.floor)));
    for (const document of report.documents) document.colour = 0;
    all.forEach((family, number) => family.forEach((document) => {
      document.colour = number;
    }));
  };

  let coloured = null;
  const settle = () => {
    const search = Cento.search(state.query);
    state.problem = search.problem;
    state.pairs = report.byDistance ? report.pairs : report.pairs.filter((pair) => isListed(pair, state.threshold));
    state.found = state.pairs.filter((pair) => search.pair(pair) && inRange(pair) && isDecided(pair));
    state.families = families(state.pairs);
    if (coloured !== report.pairs) colour();
    coloured = report.pairs;
    for (const document of report.documents) {
      document.family = null;
      document.partners = 0;
      document.best = 0;
      document.matches = !search.ofPairs && search.document(document);
    }
    if (search.ofPairs) {
      for (const pair of state.found) {
        for (const document of pair.documents) document.matches ||= search.document(document);
      }
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

  const choose = (changes) => {
    const before = { ...state };
    Object.assign(state, changes);
    if (!measures.some(({ key }) => key === state.measure)) state.measure = '';
    if (!report.without_common) state.common = false;
    const changed = (key) => (key === 'range' ? String(state.range) !== String(before.range) : state[key] !== before[key]);
    if (changed('measure') || changed('common')) {
      report.goBy((measures.find(({ key }) => key === state.measure) || {}).value);
      report.leaveOutCommon(state.common);
      // Which pairs are listed was decided by the measure of the run; by another one it may be any of them.
      state.floor = state.measure ? 0 : lowest;
      coloured = null;
      if (changed('measure') && !('threshold' in changes)) Object.assign(state, { threshold: state.floor, range: null });
    }
    state.threshold = Math.min(1, Math.max(state.floor, state.threshold));
    if (changed('named')) Cento.names(report, state.named);
    if (FOR_ALL.some(changed)) {
      settle();
      listeners.forEach((listener) => listener(state));
    }
    keepers.forEach((keeper) => keeper(state));
  };

  /* How much the pairs share that are shown from this threshold on. */
  state.enough = (threshold) => {
    const share = `${Cento.words.threshold(threshold)} or more`;
    if (threshold > state.floor || state.measure) return share;
    if (report.byShare) return `${share}, or a passage of ${report.settings.passage} ${Cento.program.units(report.documents)}`;
    return report.pairs.some((pair) => pair.score < state.floor) ? `${share}, or text that few have` : share;
  };

  settle();
  /* Calls a function when other pairs or documents are to be shown, or others of their numbers. */
  state.follow = (listener) => listeners.push(listener);
  /* Calls a function whenever something was chosen. */
  state.remember = (keeper) => keepers.push(keeper);
  /* Nobody follows any more, but who keeps the address. */
  state.forget = () => {
    listeners.splice(0);
    keepers.splice(1);
  };
  state.choose = choose;
  state.setThreshold = (threshold) => choose({ threshold });
  state.leaveOutCommon = (common) => choose({ common });
  state.search = (query) => choose({ query });
  /* Decisions have changed: those who follow look again. */
  state.refresh = () => {
    settle();
    listeners.forEach((listener) => listener(state));
  };
  return state;
};
