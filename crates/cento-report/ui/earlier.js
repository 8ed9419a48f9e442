// An earlier run over the same class, from its file: which pairs are new since, and which share more or less.
Cento.earlier = (() => {
  const DIFFERENT = 0.01;
  let held = null;

  /* A page or JSON of Cento → its report. */
  const read = async (file) => {
    const text = await file.text();
    const letters = text.match(/id="cento-report">([^<]*)</);
    let report;
    try {
      report = JSON.parse(letters ? new TextDecoder().decode(await Cento.data.inflate(letters[1])) : text);
    } catch {
      throw new Error(`${file.name} is no report of Cento: choose a report.html or report.json that it wrote.`);
    }
    if (report?.schema !== 'cento.report/1' || !Array.isArray(report.pairs) || !Array.isArray(report.documents)) throw new Error(`${file.name} is no report that this page can read.`);
    return report;
  };

  const key = (pair) => JSON.stringify([pair.left, pair.right].sort());
  const largest = (pair) => Math.max(...Cento.data.shares(pair));

  /* Says of every pair what it is since then. */
  const compare = (report, before, name) => {
    const earlier = new Map(before.pairs.map((pair) => [key(pair), pair]));
    const texts = new Map(before.documents.map((document) => [document.id, document]));
    /* Not every report has the hashes of all texts. */
    const isAltered = (document, old) => (document.sha256 && old.sha256 ? document.sha256 !== old.sha256 : document.words !== old.words);
    const now = new Set(report.pairs.map(key));
    for (const pair of report.all) {
      const old = earlier.get(key(pair));
      const by = old ? largest(pair) - largest(old) : 0;
      pair.before = old ? largest(old) : undefined;
      pair.since = !old ? 'new' : by >= DIFFERENT ? 'more' : by <= -DIFFERENT ? 'less' : 'same';
    }
    const ids = new Set(report.documents.map((document) => document.id));
    held = {
      name,
      isOtherwise: before.recipe !== report.recipe || before.measure !== report.measure || before.settings?.threshold !== report.settings.threshold,
      gone: before.pairs.filter((pair) => !now.has(key(pair))).map((pair) => ({ left: pair.left, right: pair.right, share: largest(pair) })),
      added: report.documents.filter((document) => !texts.has(document.id)),
      altered: report.documents.filter((document) => texts.has(document.id) && isAltered(document, texts.get(document.id))),
      missing: before.documents.filter((document) => !ids.has(document.id)),
      decisions: Cento.work.known(before),
    };
    return held;
  };

  return {
    WORDS: { new: 'new', more: 'shares more', less: 'shares less', same: 'as before' },
    load: async (report, file) => compare(report, await read(file), file.name),
    held: () => held,
  };
})();
