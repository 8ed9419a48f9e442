// What is typed into the search: parts of names, and operators such as share:>40 or name:nov*.
Cento.search = (() => {
  const TERMS = /(-?)(?:([a-z]+):)?("[^"]*"?|\S+)/gi;

  /* nov* → names that begin so; without a star, names that contain it. */
  const like = (pattern) => {
    if (!pattern.includes('*')) return (text) => text.includes(pattern);
    const parts = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    const whole = new RegExp(`^${parts.join('.*')}$`, 's');
    return (text) => whole.test(text);
  };

  /* >40, >=40, <40, 40..60, 40 → a test of numbers; nothing if it is none of them. */
  const within = (pattern) => {
    const [, sign, from, dots, to] = pattern.match(/^(>=|<=|>|<)?(\d+(?:\.\d+)?)(\.\.(\d+(?:\.\d+)?))?%?$/) || [];
    if (from === undefined || (sign && dots)) return null;
    const [low, high] = [Number(from), Number(to)];
    if (dots && low > high) return null;
    if (dots) return (value) => value >= low && value <= high;
    return { '>': (value) => value > low, '>=': (value) => value >= low, '<': (value) => value < low, '<=': (value) => value <= low }[sign]
      || ((value) => Math.round(value) === low);
  };

  const named = (document, test) => document.low.split('\n').some(test);
  const NAMES = {
    name: (pair, test) => test(pair.documents[0]) || test(pair.documents[1]),
    left: (pair, test) => test(pair.documents[0]),
    right: (pair, test) => test(pair.documents[1]),
    language: (pair, test) => pair.documents.some((document) => test(Cento.program.language(document).toLowerCase())),
    decision: (pair, test) => test(Cento.work.of(pair)?.state || 'none'),
    note: (pair, test) => test(Cento.words.folded(Cento.work.of(pair)?.note || '')),
    since: (pair, test) => test(pair.since || ''),
  };
  const NUMBERS = {
    share: (pair, test) => test(Math.max(...pair.shares) * 100),
    score: (pair, test) => test(pair.score * 100),
    longest: (pair, test) => test(pair.longest || 0),
    passages: (pair, test) => test(pair.counts),
    words: (pair, test) => pair.documents.some((document) => test(document.words)),
  };
  const OF_PAIRS = { ...NAMES, ...NUMBERS };
  /* Those that can be asked of a single document, too. */
  const OF_DOCUMENTS = {
    name: (document, test) => test(document),
    language: (document, test) => test(Cento.program.language(document).toLowerCase()),
    words: (document, test) => test(document.words),
  };

  /* Words that these two can be; anything else would find nothing, and read as if there were nothing to find. */
  const WORDS = {
    decision: ['none', ...Object.keys(Cento.work.STATES)],
    since: Object.keys(Cento.earlier.WORDS),
  };
  const oneOf = (words) => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  const trouble = (field, test) => {
    if (!test) return `${field}: needs a number, such as ${field}:>40 or ${field}:20..40`;
    if (WORDS[field] && !WORDS[field].some(test)) return `${field}: is ${oneOf(WORDS[field])}`;
    if (field === 'since' && !Cento.earlier.held()) return 'since: needs an earlier run, which is chosen under Decisions';
    return '';
  };

  /* A document is in many pairs, and asked once. */
  const ofDocuments = (test) => {
    const known = [];
    return (document) => (known[document.number] ??= named(document, test));
  };

  const term = ([, minus, typed, value]) => {
    const field = (typed || '').toLowerCase();
    const text = Cento.words.folded(value.replace(/^"|"$/g, ''));
    const isNumber = Object.hasOwn(NUMBERS, field);
    if (!isNumber && !Object.hasOwn(NAMES, field)) {
      return { minus, field: 'name', test: ofDocuments(like(field ? `${field}:${text}` : text)) };
    }
    const isName = field === 'name' || field === 'left' || field === 'right';
    const test = isNumber ? within(text) : isName ? ofDocuments(like(text)) : like(text);
    const problem = trouble(field, test);
    return problem ? { problem } : { minus, field, test };
  };

  /* → { problem, pair: pair → whether it is found, document: document → the same, ofPairs: whether pairs decide on documents } */
  const search = (text) => {
    const all = [...text.matchAll(TERMS)].map(term);
    const terms = all.filter((one) => one.test);
    const ask = (fields, what) => ({ minus, field, test }) => Boolean(minus) !== Boolean(fields[field](what, test));
    return {
      problem: all.find((one) => one.problem)?.problem || '',
      pair: (pair) => terms.every(ask(OF_PAIRS, pair)),
      document: (document) => terms.filter(({ field }) => Object.hasOwn(OF_DOCUMENTS, field)).every(ask(OF_DOCUMENTS, document)),
      ofPairs: terms.some(({ field }) => !Object.hasOwn(OF_DOCUMENTS, field)),
    };
  };
  return search;
})();
