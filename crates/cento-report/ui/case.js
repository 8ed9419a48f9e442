// A case file: this page again with a single pair in it, and everything to compute it again.
Cento.caseFile = (() => {
  /* What this page added to the data is taken away again. */
  const OWN = ['number', 'found', 'counts', 'given', 'numbers', 'without_common', 'global_without_common', 'low', 'packed', 'family', 'partners', 'best', 'matches', 'documents', 'shares', 'value', 'colour', 'real', 'since', 'before'];
  const without = (object) => Object.fromEntries(Object.entries(object).filter(([key]) => !OWN.includes(key)));

  const extract = (report, pair) => {
    const { shell, templates, byDistance, byShare, histogram, advice, all, leaveOutCommon, goBy, commonIsOut, real, without_common: unused, ...rest } = report;
    const note = `this pair was taken out of a report on ${report.documents.length} documents`;
    return {
      ...rest,
      // What is hidden on the page is hidden from those who look at it, not from the record.
      documents: pair.documents.map((document) => without({ ...document, ...document.real })),
      // How many documents have a text cannot be told from two of them: it counts in a case.
      left_out: report.left_out.filter((kind) => kind !== 'common' || !commonIsOut),
      pairs: [{ ...without(pair.given), passages: pair.passages && pair.passages.map(({ out, ...passage }) => passage) }],
      at_threshold: (byShare ? pair.given.listed : pair.given.score >= (report.settings.threshold || 0)) ? 1 : 0,
      below_threshold: 0,
      families: report.families.some((family) => family.includes(pair.left) && family.includes(pair.right)) ? [[pair.left, pair.right]] : [],
      skipped: [],
      notes: report.documents.length > 2 ? [...(real || report).notes, note] : (real || report).notes,
      work: Cento.work.only(pair),
    };
  };

  const page = async (report, pair) => {
    const data = await Cento.data.deflate(new TextEncoder().encode(JSON.stringify(extract(report, pair))));
    const block = (name, content) => `<${'script'} type="text/plain" id="cento-${name}">${content}</${'script'}>\n`;
    const blocks = block('report', data) + block('texts', pair.documents.map((document) => document.packed).join('\n')) + block('templates', report.templates);
    const source = `<!DOCTYPE html>\n${report.shell.outerHTML}\n`;
    const at = source.lastIndexOf(`<${'script'}>`);
    return source.slice(0, at) + blocks + source.slice(at);
  };

  /* A file name that says which pair it is, on every system. */
  const named = (pair) => {
    const part = (document) => [...document.label.replace(/\.[^.]{1,5}$/, '')].map((letter) => (/[\p{L}\p{N}._-]/u.test(letter) ? letter : '-')).slice(0, 50).join('').replace(/^[.-]+|[.-]+$/g, '') || 'document';
    return `case-${pair.documents.map(part).join('-and-')}.html`;
  };

  const save = async (report, pair) => {
    const address = URL.createObjectURL(new Blob([await page(report, pair)], { type: 'text/html' }));
    const link = Cento.dom.h('a', { href: address, download: named(pair) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  };
  save.page = page;
  return save;
})();
