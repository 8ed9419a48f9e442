// What the page was given: the report, and the texts of its documents, inflated when they are needed.
Cento.data = (() => {
  const take = (name) => {
    const element = document.getElementById(`cento-${name}`);
    if (!element) throw new Error(`This page has no ${name}; it is damaged.`);
    const text = element.textContent;
    element.remove();
    return text;
  };

  /* Newer browsers have a way of their own, which is faster. */
  const decoded = (letters) => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(letters);
    const packed = atob(letters);
    const bytes = new Uint8Array(packed.length);
    for (let i = 0; i < packed.length; i += 1) bytes[i] = packed.charCodeAt(i);
    return bytes;
  };

  const inflating = async (letters) => {
    if (typeof DecompressionStream === 'undefined') {
      throw new Error('This browser cannot unpack the data in this page. Any browser made since the middle of 2023 can.');
    }
    return new Blob([decoded(letters.trim())]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  };
  const inflate = async (letters) => new Uint8Array(await new Response(await inflating(letters)).arrayBuffer());

  const deflate = async (bytes) => {
    const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    const packed = new Uint8Array(await new Response(stream).arrayBuffer());
    let letters = '';
    for (let i = 0; i < packed.length; i += 0x8000) letters += String.fromCharCode(...packed.subarray(i, i + 0x8000));
    return btoa(letters);
  };

  /* How much of each document of a pair is in the other, as the command line says it. */
  const shares = (pair) => {
    const share = pair.share || pair.net;
    if (!share) return pair.containment;
    if (!pair.passages) return share;
    const exact = pair.passages.every((passage) => passage.kind === 'exact');
    return exact ? share : share.map((one) => Math.min(one, 0.999999));
  };

  const load = async () => {
    const letters = take('report');
    const texts = take('texts').split('\n');
    const templates = take('templates').trim();
    // A page that comes from a server may have decisions beside its data.
    const work = document.getElementById('cento-work') ? take('work') : '';
    // What is left of the page is the same in every report; a case file is made from it.
    const shell = document.documentElement.cloneNode(true);
    globalThis.CentoHost?.clean(shell);
    const report = await new Response(await inflating(letters)).json();
    if (report.schema !== 'cento.report/1') throw new Error(`This page cannot show ${report.schema}.`);
    if (work !== '') report.work = await new Response(await inflating(work)).json();
    const numbers = new Map(report.documents.map((document, number) => [document.id, number]));
    report.documents.forEach((document, number) => {
      document.number = number;
      document.low = Cento.words.folded(`${document.label}\n${document.id}`);
      document.packed = (texts[number] || '').trim();
    });
    // What decides which pairs are listed: what the texts share, or the score.
    report.byShare = report.settings.list === 'share';
    Cento.common.prepare(report);
    report.all.forEach((pair, number) => {
      pair.number = number;
      pair.documents = [pair.left, pair.right].map((id) => report.documents[numbers.get(id)]);
    });
    report.leaveOutCommon(false);
    // Styles have distances instead of scores, and no threshold.
    report.byDistance = report.pairs.some((pair) => pair.distance !== undefined);
    report.templates = templates;
    report.shell = shell;
    return report;
  };

  return { load, inflate, deflate, shares, text: (document) => inflate(document.packed) };
})();
