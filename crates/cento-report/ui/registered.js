// Documents of a registry: what is known about one, and a pair of which only the new text is at hand.
Cento.registered = (() => {
  const { h, name } = Cento.dom;
  const { percent, number, printable } = Cento.words;

  /* What a registry says about a document, as far as the reader may see it: [label, value]. */
  const known = (document) => {
    const { id, version, set, submitter, registered } = document.registered;
    return [
      ['id', id], ['version', version > 1 && String(version)], ['set', set], ['submitter', submitter],
      ['date', document.date], ['registered on', registered.slice(0, 10)],
      [Cento.program.units([document]), document.words > 0 && number(document.words)],
    ].filter(([, value]) => value);
  };

  /* Whose and from when it is, in a few words. */
  const brief = (document) => {
    const { set, submitter, registered } = document.registered;
    return [set, submitter, document.date || registered.slice(0, 10)].filter(Boolean).map(printable).join(', ');
  };

  const badge = (document) => document.old && h('span', { class: 'badge' }, document.registered ? 'registered' : 'old');

  /* How the share of a document was estimated; nothing where the numbers are not the reader's to see. */
  const arithmetic = (pair, side) => {
    const line = (label, ...value) => h('tr', null, h('th', { scope: 'row' }, label), h('td', null, ...value));
    const sums = (...lines) => h('table', { class: 'sums' }, h('tbody', null, ...lines));
    const ratio = (part, whole) => [number(part), ' ÷ ', number(whole), ' = ', h('strong', null, percent(pair.shares[side]))];
    if (side === 0 && pair.counted) {
      const { words, left_out: out, shared } = pair.counted;
      return sums(line(Cento.program.units([pair.documents[0]]), number(words)), out > 0 && line('left out', `− ${number(out)}`),
        line('in chunks that both have', number(shared)), line('share', ratio(shared, words - out)));
    }
    const { digests } = pair.documents[side];
    return side === 1 && digests > 0 && pair.shared > 0
      ? sums(line('distinct digests', number(digests)), line('the other has too', number(pair.shared)), line('estimate', ratio(pair.shared, digests)))
      : null;
  };

  /* The new text with what is shared marked in it, beside what is known about the registered document. */
  const reading = (report, pair, bytes) => {
    const [left, right] = pair.documents;
    const { shared = [[]], stretch } = pair.registry || {};
    const parts = stretch ? [stretch] : shared[0];
    const ignored = (left.ignored || []).filter((span) => report.left_out.includes(span.kind));
    const { element } = Cento.pane(left, bytes, [], ignored, parts.map(({ start, end }) => ({ start, end, class: 'chunk' })));
    const hidden = parts.length === 0 && pair.shares[0] > 0;
    return h('div', { class: Cento.program.is(left) ? 'panes of-code' : 'panes' }, element, h('div'),
      h('section', { class: 'pane' }, h('h2', null, name(right.label), h('small', null, 'registered')),
        h('div', { class: 'known' },
          h('dl', { class: 'settings' }, known(right).map(([label, value]) => [h('dt', null, label), h('dd', null, name(value))])),
          h('p', { class: 'note' }, 'The text of this document is not at hand.', ' ',
            hidden ? 'What it shares is not yours to see.' : stretch ? h('span', null, 'What is ', h('mark', { class: 'edited' }, 'marked'), ' on the left has more rare pairs of words in common with it than chance makes. Whether it was taken from there, only a look at both texts can tell.') : h('span', null, 'What is ', h('mark', { class: 'edited' }, 'marked'), ' on the left is in it, too, as far as chunks can tell.')))));
  };

  return { brief, badge, arithmetic, reading };
})();
