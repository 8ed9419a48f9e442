// Text that many documents have, such as an assignment sheet: one switch leaves it out of everything.
Cento.common = (() => {
  const { h } = Cento.dom;
  const { number, counted, percent } = Cento.words;
  const share = (part, whole) => (whole > 0 ? part / whole : 0);

  /* The numbers of a pair without that text, by the names that they have with it. */
  const without = (pair) => {
    const { score, shared, digests: [left, right], longest, tally, listed } = pair.without_common;
    const numbers = {
      score, shared, listed, containment: [share(shared, left), share(shared, right)],
      symmetric: share(2 * shared, left + right), resemblance: share(shared, left + right - shared),
      max_containment: share(shared, Math.min(left, right)),
    };
    if (!pair.tally) return numbers;
    const words = (side) => side.words - side.left_out;
    return {
      ...numbers, longest, tally,
      share: tally.map((side) => share(side.shared - side.shared_left_out, words(side))),
      paraphrased: tally.map((side) => share(side.paraphrased, words(side))),
    };
  };

  /* Prepares both lists; `report.leaveOutCommon(on)` goes from one to the other. */
  const prepare = (report) => {
    const lists = [
      { pairs: report.pairs, histogram: report.histogram, advice: report.advice, leftOut: report.left_out },
      report.without_common && {
        pairs: [...report.pairs, ...report.without_common.pairs], histogram: report.without_common.histogram,
        advice: undefined, leftOut: [...report.left_out, 'common'],
      },
    ];
    const all = lists[1] ? lists[1].pairs : report.pairs;
    for (const pair of all) {
      // Only where there are two lists is a pair ever changed.
      const given = lists[1] ? { ...pair } : pair;
      pair.given = given;
      pair.numbers = lists[1] ? [Object.fromEntries(Object.keys(without(pair)).map((key) => [key, given[key]])), without(pair)] : [{}];
    }
    report.all = all;
    const own = (pair) => (report.byShare ? Math.max(...pair.shares) : pair.score);
    let value = own;
    /* By which measure pairs are listed from now on; by the report's own if none is given. */
    report.goBy = (measure) => {
      value = measure || own;
    };
    report.leaveOutCommon = (on) => {
      const list = lists[on ? 1 : 0];
      report.commonIsOut = on;
      Object.assign(report, { histogram: list.histogram, advice: list.advice, left_out: list.leftOut });
      for (const pair of all) {
        Object.assign(pair, pair.numbers[on ? 1 : 0]);
        pair.shares = Cento.data.shares(pair);
        pair.value = value(pair);
        for (const passage of pair.passages || []) passage.out = report.left_out.includes(passage.discount);
        pair.counts = (pair.passages || []).filter((passage) => !passage.out).length;
      }
      for (const document of report.documents) document.found = on ? document.global_without_common : document.global;
      report.pairs = on || value !== own ? [...list.pairs].sort((a, b) => b.value - a.value || a.number - b.number) : list.pairs;
      // No smaller than what a pair says.
      for (const pair of report.pairs) {
        pair.documents.forEach((document, side) => {
          document.found = Math.max(document.found, pair.shares[side]);
        });
      }
    };
  };

  /* What there is of such text, and the switch. */
  const notice = (state) => {
    const { report } = state;
    const { without_common: other } = report;
    if (!other) return null;
    const box = h('input', { type: 'checkbox', id: 'leave-out-common', checked: state.common, on: { change: () => state.leaveOutCommon(box.checked) } });
    state.follow(() => {
      box.checked = state.common;
    });
    const pairs = other.at_threshold;
    return h('section', { class: 'card notice', 'aria-label': 'Text that many documents have' },
      h('p', null, h('strong', null, `${number(other.having)} of ${number(report.documents.length)} documents have the same ${number(other.words)} ${other.words === 1 ? Cento.program.unit(...report.documents) : Cento.program.units(report.documents)}.`),
        ` Without such text ${pairs === 0 ? 'no' : number(pairs)} ${pairs === 1 ? 'pair shares' : 'pairs share'} ${state.enough(state.floor)}; with it ${number(report.at_threshold)}.`),
      h('label', { class: 'toggle' }, box, `Leave out text that ${number(other.from)} or more documents have`));
  };

  return { prepare, notice };
})();
