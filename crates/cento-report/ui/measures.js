// The measures that a report has of its pairs, of which one decides what is listed, in which order and in the histogram.
Cento.measures = (() => {
  const known = (report) => [
    ['share', 'share', (pair) => pair.share && Math.max(...pair.shares)],
    ['symmetric', 'symmetric', (pair) => pair.symmetric],
    ['resemblance', 'resemblance', (pair) => pair.resemblance],
    ['max-containment', 'max-containment', (pair) => pair.max_containment],
    ['overlap', 'overlap', (pair) => pair.overlap && Math.max(...pair.overlap)],
    ['weight', 'weight', (pair) => pair.weight],
  ].filter(([key]) => key !== (report.byShare ? 'share' : report.measure));

  /* The measures of a report besides its own: [{ key, label, value: pair → number }]. */
  const others = (report) => (report.byDistance ? [] : known(report)
    .filter(([, , value]) => report.all.length > 0 && report.all.every((pair) => Number.isFinite(value(pair))))
    .map(([key, label, value]) => ({ key, label, value })));

  /* What the report itself goes by. */
  const own = (report) => (report.byShare ? 'share' : report.measure);

  return { others, own };
})();
