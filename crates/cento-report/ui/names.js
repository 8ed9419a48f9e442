// Codes in place of names, for a page that is shown to others. Texts stay as they are.
Cento.names = (() => {
  const code = (number, all) => `D${String(number + 1).padStart(Math.max(2, String(all).length), '0')}`;

  /* Hides or reveals the names of all documents, of skipped files and of submitters. */
  return (report, named) => {
    const { documents } = report;
    if (named) {
      for (const document of documents) Object.assign(document, document.real || {});
      Object.assign(report, report.real || {});
      return;
    }
    const codes = documents.map((document, number) => code(number, documents.length));
    const known = documents.flatMap((document, number) => [[document.id, codes[number]], [document.label, codes[number]]])
      .filter(([name]) => name !== '').sort((a, b) => b[0].length - a[0].length);
    const without = (text) => known.reduce((rest, [name, one]) => rest.replaceAll(name, one), text);
    report.real = { skipped: report.skipped, notes: report.notes };
    report.skipped = report.skipped.map(({ reason }, number) => ({ id: `file ${number + 1}`, reason: without(reason) }));
    report.notes = report.notes.map(without);
    documents.forEach((document, number) => {
      const { label, low, registered, parts, verified, warnings } = document;
      document.real = { label, low, registered, parts, verified, warnings };
      const hidden = codes[number];
      Object.assign(document, { label: hidden, low: Cento.words.folded(hidden) });
      if (registered) document.registered = { ...registered, id: hidden, submitter: undefined };
      if (parts) document.parts = parts.map((part, at) => ({ ...part, file: `file ${at + 1}` }));
      if (warnings) document.warnings = warnings.map(without);
      if (verified?.own) document.verified = { ...verified, own: verified.own.map((own) => ({ ...own, id: hidden })) };
    });
  };
})();
