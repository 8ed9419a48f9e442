// What people have decided about pairs, each with a note. It stays in this browser until it is exported; on a page of
// a server, the server keeps it for all who may see the page.
Cento.work = (() => {
  const SCHEMA = 'cento.work/1';
  const STATES = { reviewed: 'reviewed', find: 'a find', explained: 'explained' };
  const key = ({ left, right }) => JSON.stringify([left, right]);
  let decisions = new Map();
  let hashes = new Map();
  let store = null;
  let identity = '';
  let history = [];
  let problem = '';
  const host = globalThis.CentoHost || null;
  const listeners = [];

  /* The documents of a report: another run over the same ones has the same decisions. Not every report has the
     hashes of all texts; whether a pair is still the same is asked of each decision. */
  const identify = (documents) => {
    const all = documents.map((document) => `${document.id}\u0000${document.words}`).sort().join('\u0001');
    const hash = (seed) => {
      let bits = seed;
      for (let at = 0; at < all.length; at += 1) bits = Math.imul(bits ^ all.charCodeAt(at), 0x01000193);
      return (bits >>> 0).toString(16).padStart(8, '0');
    };
    return hash(0x811c9dc5) + hash(0x5bd1e995);
  };

  /* Where decisions are kept: anything with `read` and `write`. Some browsers keep nothing for files. */
  const browser = (name) => ({
    read: () => {
      try {
        return localStorage.getItem(`cento.work ${name}`);
      } catch {
        return null;
      }
    },
    write: (text) => {
      try {
        localStorage.setItem(`cento.work ${name}`, text);
        return true;
      } catch {
        return false;
      }
    },
  });

  const isDecision = (one) => one !== null && typeof one === 'object' && typeof one.left === 'string' && typeof one.right === 'string'
    && Object.hasOwn(STATES, one.state) && (one.note === undefined || typeof one.note === 'string');

  const parse = (text) => {
    const found = JSON.parse(text);
    if (found?.schema !== SCHEMA || !Array.isArray(found.pairs)) throw new Error('This file has no decisions of Cento in it.');
    return found.pairs.filter(isDecision);
  };

  const whole = () => JSON.stringify({ schema: SCHEMA, documents: identity, pairs: [...decisions.values()], ...(history.length > 0 ? { history } : {}) }, null, 1);

  /* Takes over decisions about pairs of this report whose texts are the same; the later one counts. */
  const take = (found) => {
    const result = { taken: 0, older: 0, other: 0, fresh: [] };
    for (const one of found) {
      const isSame = ['left', 'right'].every((side) => hashes.has(one[side]) && (!one[`${side}_sha256`] || !hashes.get(one[side]) || hashes.get(one[side]) === one[`${side}_sha256`]));
      const mine = decisions.get(key(one));
      if (!isSame) result.other += 1;
      else if (mine && String(mine.when || '') >= String(one.when || '')) result.older += 1;
      else {
        decisions.set(key(one), one);
        result.taken += 1;
        result.fresh.push(one);
      }
    }
    return result;
  };

  const load = () => {
    try {
      take(parse(store.read() || whole()));
    } catch { /* what somebody else wrote under this name is not ours */ }
  };

  const changed = () => listeners.forEach((listener) => listener());

  /* The hashes of the texts that a decision is about, where the report has them. */
  const hashed = (one) => Object.fromEntries(['left', 'right'].filter((side) => hashes.get(one[side])).map((side) => [`${side}_sha256`, hashes.get(one[side])]));

  /* What the server says is what counts. */
  const told = (work) => {
    decisions = new Map(work.pairs.filter(isDecision).map((one) => [key(one), { ...one, ...hashed(one) }]));
    history = work.history.filter(isDecision);
    problem = '';
  };
  const asked = async (answer, before = decisions) => {
    let failure = '';
    try {
      told(await answer);
    } catch (error) {
      failure = error.message;
      problem = failure;
      decisions = before;
    }
    changed();
    return failure;
  };
  /* How many decisions, and how many bytes of them, the server takes at a time. */
  const BATCH = 200;
  const BATCH_BYTES = 40_000;
  const batches = (some) => {
    const all = [];
    let room = 0;
    for (const one of some) {
      const bytes = new TextEncoder().encode(JSON.stringify([one.left, one.right, one.state, one.note])).length + 60;
      if (bytes > room || all.at(-1).length >= BATCH) {
        all.push([]);
        room = BATCH_BYTES;
      }
      all.at(-1).push(one);
      room -= bytes;
    }
    return all;
  };
  /* Gives decisions to the server; what it does not take is as it was. */
  const send = async (some) => {
    let before = new Map(decisions);
    try {
      for (const batch of batches(some)) {
        told(await host.decide(batch));
        before = new Map(decisions);
      }
    } catch (error) {
      problem = error.message;
      decisions = before;
      for (const one of some) if (decisions.get(key(one)) === one) decisions.delete(key(one));
    }
    changed();
  };

  let kept = true;
  const save = () => {
    kept = store.write(whole());
    changed();
  };
  const taken = async (found) => {
    const result = take(found);
    if (!host) save();
    else if (result.fresh.length > 0) await send(result.fresh);
    return { ...result, taken: problem === '' ? result.taken : 0 };
  };

  return {
    STATES,
    identify,
    parse,
    /* Begins with what the report brings along, and what this browser knows. */
    open: (report) => {
      identity = identify(report.documents);
      hashes = new Map(report.documents.map((document) => [document.id, document.sha256]));
      decisions = new Map();
      if (host) {
        told(host.work);
        // Others decide, too.
        addEventListener('focus', () => asked(host.read()));
        return;
      }
      store = browser(identity);
      if (report.work?.schema === SCHEMA && Array.isArray(report.work.pairs)) take(report.work.pairs.filter(isDecision));
      load();
      addEventListener('storage', (event) => {
        if (event.key !== `cento.work ${identity}`) return;
        decisions = new Map();
        load();
        changed();
      });
    },
    follow: (listener) => listeners.push(listener),
    forget: () => listeners.splice(0),
    isKept: () => kept,
    host,
    mayDecide: !host || host.mayDecide,
    /* What went wrong when the server was asked last. */
    problem: () => problem,
    /* What was decided about a pair before, oldest first. */
    before: (pair) => history.filter((one) => key(one) === key(pair)),
    of: (pair) => decisions.get(key(pair)),
    count: () => decisions.size,
    /* Resolves to why it was not taken, or to nothing. */
    decide: async (pair, { state, note }) => {
      if (host) {
        // Shown at once, as it will be; if the server does not take it, as it was.
        const before = new Map(decisions);
        if (state === '') decisions.delete(key(pair));
        else decisions.set(key(pair), { left: pair.left, right: pair.right, state, note, when: '', isPending: true });
        return asked(host.decide([{ left: pair.left, right: pair.right, state, note }]), before);
      }
      if (state === '') decisions.delete(key(pair));
      else {
        decisions.set(key(pair), { left: pair.left, right: pair.right, ...hashed(pair), state, note, when: new Date().toISOString().slice(0, 19) + 'Z' });
      }
      save();
      return '';
    },
    /* As a file, or as part of one: all of them or those of one pair. */
    exported: whole,
    only: (pair) => {
      const earlier = history.filter((one) => key(one) === key(pair));
      return decisions.has(key(pair)) ? { schema: SCHEMA, documents: identity, pairs: [decisions.get(key(pair))], ...(earlier.length > 0 ? { history: earlier } : {}) } : undefined;
    },
    imported: async (text) => taken(parse(text)),
    /* What this browser knows about the documents of another report. */
    known: (report) => {
      try {
        return parse(browser(identify(report.documents)).read() || '');
      } catch {
        return [];
      }
    },
    take: taken,
  };
})();
