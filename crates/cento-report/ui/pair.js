// Two documents side by side: what they share, where, and how that makes the percentages.
Cento.pair = (() => {
  const { h, svg, name, soon } = Cento.dom;
  const { number, counted, percent, printable, list } = Cento.words;
  const GUTTER = 56;
  const LISTED = 400;

  const leftOut = (report, document) =>
    [...new Set((document.ignored || []).map((span) => span.kind))].filter((kind) => report.left_out.includes(kind));

  const ratio = (part, whole, share) => [number(part), ' ÷ ', number(whole), ' = ', h('strong', null, percent(share))];

  /* The classes of words that are switched off, and what a share is without them. */
  const SWITCHED = ['verbatim', 'edited', 'reworded'];
  const switchedOff = (state) => new Set(state.off.split(',').filter((one) => SWITCHED.includes(one)));
  const shareWithout = (pair, side, off) => {
    if (!pair.tally || (!off.has('verbatim') && !off.has('edited'))) return pair.shares[side];
    const tally = pair.tally[side];
    const counts = tally.words - tally.left_out;
    const [verbatim, shared] = [tally.verbatim || 0, tally.shared - tally.shared_left_out];
    const left = (off.has('verbatim') ? 0 : verbatim) + (off.has('edited') ? 0 : shared - verbatim);
    return counts > 0 ? left / counts : 0;
  };

  /* How a percentage comes about. */
  const arithmetic = (report, pair, side, off) => {
    const line = (label, ...value) => h('tr', null, h('th', { scope: 'row' }, label), h('td', null, ...value));
    const document = pair.documents[side];
    if (pair.estimate !== undefined) return Cento.registered.arithmetic(pair, side);
    if (!pair.tally) {
      return h('table', { class: 'sums' }, h('tbody', null,
        line('distinct digests', number(document.digests)), line('the other has too', number(pair.shared)),
        line('estimate', ratio(pair.shared, document.digests, pair.containment[side]))));
    }
    const tally = pair.tally[side];
    const kinds = leftOut(report, document);
    const counts = tally.words - tally.left_out;
    const shared = tally.shared - tally.shared_left_out;
    const verbatim = tally.verbatim || 0;
    const units = Cento.program.units([document]);
    const classes = Cento.program.classes(document);
    const counted = (off.has('verbatim') ? 0 : verbatim) + (off.has('edited') ? 0 : shared - verbatim);
    const label = (key) => `${classes[key]}${off.has(key) ? ', switched off' : ''}`;
    return h('table', { class: 'sums' }, h('tbody', null,
      line(units, number(tally.words)),
      tally.left_out > 0 && line(`left out${kinds.length > 0 ? ` (${list(kinds)})` : ''}`, `− ${number(tally.left_out)}`),
      tally.left_out > 0 && line(`${units} that count`, number(counts)),
      line(label('verbatim'), number(verbatim), ' (', percent(counts > 0 ? verbatim / counts : 0), ')'),
      line(label('edited'), number(shared - verbatim)),
      line('share', ratio(counted, counts, shareWithout(pair, side, off))),
      tally.left_out > 0 && line('with everything', ratio(tally.shared, tally.words, pair.aligned[side])),
      tally.paraphrased > 0 && !off.has('reworded') && line('reworded, not counted', number(tally.paraphrased), ' (', percent(pair.paraphrased[side]), ')')));
  };

  const card = (report, pair, side, off, isOpen) => {
    const [own, other] = side === 0 ? pair.documents : [pair.documents[1], pair.documents[0]];
    const sums = arithmetic(report, pair, side, off);
    const without = pair.tally ? ['verbatim', 'edited'].filter((one) => off.has(one)).map((one) => Cento.program.classes(own)[one]) : [];
    // Of a program its tokens are counted; where there are only digests to count, nothing more can be said.
    const isCounted = Cento.program.is(own) && (pair.tally || (side === 0 && pair.counted));
    return h('div', { class: 'card share-card' },
      h('p', { class: 'big' }, percent(shareWithout(pair, side, off))),
      h('p', null, isCounted ? 'of the tokens of ' : 'of ', name(own.label), isCounted ? ' are in ' : ' is in ', name(other.label), (pair.registry || {}).stretch && ', as far as chunks can tell', without.length > 0 && `, without what is ${list(without)}`),
      sums && h('details', { open: isOpen }, h('summary', null, pair.tally ? 'How this is counted' : 'How this is estimated'), sums));
  };

  const unit = (pair) => Cento.program.unit(...pair.documents);

  const others = (passage) => {
    if (passage.documents === undefined) return '';
    const more = Math.max(0, passage.documents - 2);
    return more === 0 ? 'in no other document' : `in ${counted(more, 'other document')}`;
  };

  const about = (pair, passage) => [
    passage.left.words === passage.right.words ? counted(passage.left.words, unit(pair)) : `${number(passage.left.words)} and ${counted(passage.right.words, unit(pair))}`,
    Cento.program.kind(pair, passage).label,
    passage.similarity < 1 ? `${percent(passage.similarity)} alike` : '',
    passage.discount || '', others(passage)].filter(Boolean).join(', ');

  const legend = (pair, state, turn) => {
    const { report } = state;
    const off = switchedOff(state);
    const explained = Cento.program.all(pair.documents)
      ? { exact: 'same', edited: 'same structure, other names', paraphrased: 'reworded: not counted', own: 'own: not in the other program' }
      : { exact: 'word for word', edited: 'edited: these words are in the passage of the other text', paraphrased: 'reworded: not counted', own: 'bold: not in the other text' };
    const hasComments = pair.documents.some((document) => (document.highlights || []).some(([, , what]) => what === 'comment'));
    const classes = { exact: 'verbatim', edited: 'edited', paraphrased: 'reworded', own: 'own' };
    const has = (colour) => (pair.marks || []).some((marks) => marks.some((mark) => mark.class === classes[colour]));
    const kinds = Object.keys(explained).filter((colour) => colour === 'own' && !Cento.program.all(pair.documents) ? pair.passages.some((passage) => passage.kind !== 'exact') : has(colour));
    const greyed = [...new Set(pair.documents.flatMap((document) => leftOut(report, document)))];
    return h('ul', { class: 'legend', 'aria-label': 'What the marks mean' },
      kinds.map((kind) => {
        const [label, more] = explained[kind].split(':');
        const mark = h('mark', { class: kind }, kind === 'own' ? h('span', { class: 'changed' }, label) : label);
        const words = h('span', null, more || '');
        if (kind === 'own') return h('li', null, mark, words);
        const box = h('input', { type: 'checkbox', 'data-class': classes[kind], checked: !off.has(classes[kind]), title: 'Switches the marks of these words off, and what counts them', on: { change: () => turn(classes[kind], box.checked) } });
        return h('li', null, h('label', null, box, mark, words));
      }),
      hasComments && h('li', null, h('span', { class: 'code comment' }, 'comments'), h('span', null, ' are not compared')),
      greyed.length > 0 && h('li', null, h('span', { class: 'left-out' }, 'grey'), h('span', null, ` ${list(greyed)}, left out`)),
      Cento.disguise.legend(pair.documents));
  };

  const excerpt = (bytes, place) => {
    const text = new TextDecoder().decode(bytes.subarray(place.start, Math.min(place.end, place.start + 400))).replace(/\s+/g, ' ').trim();
    return printable([...text].length > 90 ? `${[...text].slice(0, 89).join('')}…` : text);
  };

  const passageTable = (pair, bytes, go, where) => h('section', { class: 'passages', 'aria-labelledby': 'passages-title' },
    h('h2', { id: 'passages-title' }, 'Passages'),
    pair.passages.length === 0 && h('p', { class: 'empty' }, 'No passage is long enough to be shown.'),
    pair.passages.length > 0 && h('table', { class: 'rows free' },
      h('thead', null, h('tr', null, [['№'], ['Kind'], [unit(pair) === 'token' ? 'Tokens' : 'Words', 'number'], ['Alike, %', 'number'], ['Other documents', 'number'], ...(where ? [['Where']] : []), ['Begins']].map(([label, kind]) => h('th', { scope: 'col', class: kind }, label)))),
      h('tbody', null, pair.passages.slice(0, LISTED).map((passage, index) => h('tr', { class: passage.out ? 'faded' : null },
        h('td', null, go ? h('button', { type: 'button', class: 'jump', 'aria-label': `Show passage ${index + 1}`, on: { click: () => go(index, true) } }, number(index + 1)) : number(index + 1)),
        h('td', null, h('mark', { class: `${Cento.program.kind(pair, passage).mark}${passage.out ? ' left-out' : ''}` }, Cento.program.kind(pair, passage).label), passage.discount && ` ${passage.discount}`),
        h('td', { class: 'number' }, passage.left.words === passage.right.words ? number(passage.left.words) : `${number(passage.left.words)} / ${number(passage.right.words)}`),
        h('td', { class: 'number' }, percent(passage.similarity)),
        h('td', { class: 'number' }, passage.documents === undefined ? '' : number(Math.max(0, passage.documents - 2))),
        where && h('td', { class: 'where' }, where(passage).map((place) => h('div', null, place))),
        h('td', { class: Cento.program.is(pair.documents[0]) ? 'excerpt code' : 'excerpt' }, bytes ? h('bdi', null, excerpt(bytes, passage.left)) : `bytes ${number(passage.left.start)} to ${number(passage.left.end)}; ${number(passage.right.start)} to ${number(passage.right.end)}`))))),
    pair.passages.length > LISTED && h('p', { class: 'note' }, `The first ${number(LISTED)} of ${number(pair.passages.length)} are listed; all are marked in the texts.`));

  const facts = (report, pair) => {
    const words = [];
    const ofPrograms = Cento.program.all(pair.documents);
    if (pair.longest === 0) words.push(`No long run of ${ofPrograms ? 'tokens' : 'words'} is the same in both.`);
    else if (pair.longest !== undefined) words.push(ofPrograms ? `The longest run of shared tokens has ${number(pair.longest)}.` : `The longest run that is the same in both has ${counted(pair.longest, 'word')}.`);
    if (pair.compression) words.push(`By ${pair.compression.by} the texts are ${percent(pair.compression.similarity)} alike.`);
    if (pair.distance !== undefined) words.push(`By style they are ${pair.distance.toPrecision(4)} apart; the same style is 0.`);
    else words.push(`Score ${pair.score.toFixed(3)} (${report.measure}); symmetric ${pair.symmetric.toFixed(3)}, resemblance ${pair.resemblance.toFixed(3)}.`);
    if (pair.exact) {
      words.push(pair.exact.shared === pair.shared
        ? 'By the texts themselves it is the same: no digest is equal by chance.'
        : `Without digests that are equal by chance it is ${pair.exact.score.toFixed(3)}: the texts share ${counted(pair.exact.shared, 'chunk')}, the digests ${number(pair.shared)}.`);
    }
    return words.join(' ');
  };

  /* The two texts, their marks, and everything that moves them. */
  const reading = (report, pair, bytes, onChange) => {
    const ignored = pair.documents.map((document) => (document.ignored || []).filter((span) => report.left_out.includes(span.kind)));
    const sides = ['left', 'right'].map((side, at) => Cento.pane(pair.documents[at], bytes[at],
      pair.passages.map((passage, index) => ({ ...passage[side], number: index, kind: passage.kind, discount: passage.out && passage.discount })), ignored[at], pair.marks ? pair.marks[at] : []));
    const panes = sides.map((side) => side.text);
    const ribbons = svg('svg', { class: 'ribbons', 'aria-hidden': 'true', width: GUTTER });
    const element = h('div', { class: Cento.program.any(pair.documents) ? 'panes of-code' : 'panes' }, sides[0].element, ribbons, sides[1].element);

    const kinds = pair.passages.map((passage) => Cento.program.kind(pair, passage).mark);
    let cache = new Map();
    const extents = (passage) => {
      const index = pair.passages.indexOf(passage);
      if (!cache.has(index)) {
        cache.set(index, sides.map((side) => {
          const marks = side.places.get(index);
          if (marks.length === 0) return null;
          const last = marks[marks.length - 1];
          return [marks[0].offsetTop, last.offsetTop + last.offsetHeight];
        }));
      }
      return cache.get(index);
    };
    const step = Cento.step(panes, pair.passages, extents);
    let current = -1;
    /* A ribbon says nothing where none of the words in its passage are marked. */
    let off = new Set();
    const WITHIN = { exact: ['verbatim'], edited: ['verbatim', 'edited'], paraphrased: ['verbatim', 'edited', 'reworded'] };
    const turnOff = (classes) => {
      off = classes;
      for (const one of SWITCHED) element.classList.toggle(`no-${one}`, off.has(one));
      tieSoon();
    };

    const ribbon = (passage, index) => {
      const places = extents(passage);
      if (!places[0] || !places[1] || WITHIN[passage.kind]?.every((one) => off.has(one))) return null;
      const [a, b] = places.map((place, at) => place.map((height) => height - panes[at].scrollTop));
      const room = panes[0].clientHeight;
      if ((a[1] < 0 && b[1] < 0) || (a[0] > room && b[0] > room)) return null;
      const [[p, q], [r, s]] = [a, b].map((place) => place.map((height) => Math.max(-20, Math.min(room + 20, height)).toFixed(1)));
      const half = GUTTER / 2;
      return svg('path', {
        class: `${kinds[index]}${passage.out ? ' left-out' : ''}${index === current ? ' current' : ''}`,
        d: `M0 ${p}C${half} ${p} ${half} ${r} ${GUTTER} ${r}L${GUTTER} ${s}C${half} ${s} ${half} ${q} 0 ${q}Z`,
      });
    };
    const tie = () => {
      const top = panes[0].offsetTop - element.offsetTop;
      ribbons.setAttribute('height', panes[0].clientHeight + top);
      ribbons.replaceChildren(svg('g', { transform: `translate(0 ${top})` }, pair.passages.map(ribbon)));
    };
    const tieSoon = soon(tie);

    const go = (index, isAsked) => {
      if (pair.passages.length === 0) return;
      const marks = (at) => sides.flatMap((side) => side.places.get(at) || []);
      if (current >= 0) marks(current).forEach((mark) => mark.classList.remove('current'));
      current = (index + pair.passages.length) % pair.passages.length;
      marks(current).forEach((mark) => mark.classList.add('current'));
      step.show(pair.passages[current]);
      if (isAsked) element.scrollIntoView({ block: 'nearest' });
      tieSoon();
      onChange(current);
    };

    panes.forEach((pane) => {
      pane.addEventListener('scroll', tieSoon, { passive: true });
      pane.addEventListener('click', (event) => {
        const mark = event.target.closest('mark');
        if (!mark || !mark.dataset.passages || String(getSelection()) !== '') return;
        const numbers = mark.dataset.passages.split(' ').map(Number);
        go(numbers[(numbers.indexOf(current) + 1) % numbers.length], false);
      });
    });
    const remeasure = () => {
      cache = new Map();
      step.remeasure();
      tie();
    };
    const where = sides.every((side) => side.where) && ((passage) => [sides[0].where(passage.left), sides[1].where(passage.right)]);
    return { element, go, where, remeasure, step, turnOff, next: () => go(current + 1, true), previous: () => go(current < 0 ? -1 : current - 1, true) };
  };

  /* Where this pair is in the list as it is sorted, filtered and searched, and the ways to its neighbours. */
  const siblings = (state, pair) => {
    const at = state.ordered.indexOf(pair);
    const link = (other, rel, words, key) => other && h('a', { href: `#/pair/${other.number}`, rel, title: `${words} of the list as it is sorted and filtered (${key})`, 'aria-keyshortcuts': key }, words);
    if (state.ordered.length < 2 && at >= 0) return [];
    if (at < 0) return [h('span', { class: 'position' }, 'not in the list as it is filtered')];
    return [
      h('span', { class: 'position' }, `${number(at + 1)} of ${counted(state.ordered.length, 'pair')}`),
      link(state.ordered[at - 1], 'prev', 'previous pair', 'k'), link(state.ordered[at + 1], 'next', 'next pair', 'j'),
    ].filter(Boolean);
  };

  return (state, pair) => {
    const { report } = state;
    let read = null;
    const [left, right] = pair.documents;
    const place = h('span', { class: 'place', 'aria-live': 'polite' });
    const button = (label, key, act) => h('button', { type: 'button', title: `${label} (${key})`, 'aria-keyshortcuts': key, on: { click: act } }, label);
    const toggle = (label, on, act) => {
      const box = h('input', { type: 'checkbox', checked: on, on: { change: () => act(box.checked) } });
      return h('label', { class: 'toggle' }, box, label);
    };
    const tools = h('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'Passages', hidden: true });
    const body = h('div', { class: 'reading' });
    const around = h('span', { class: 'siblings' }, siblings(state, pair));
    const shares = h('div', { class: 'shares' });
    const marks = h('div', { class: 'marks' });
    const decision = Cento.decide(pair);
    const draw = () => {
      if (pair.distance !== undefined) return;
      const opened = [...shares.querySelectorAll('details')].map((details) => details.open);
      shares.replaceChildren(...[0, 1].map((side) => card(report, pair, side, switchedOff(state), opened[side])));
    };
    draw();
    const remarks = pair.documents.flatMap((document) => Cento.disguise.remarks(document).map((remark) => h('p', { class: 'remark' }, name(document.label), `: ${printable(remark)}`)));
    const element = h('div', { class: 'view pair' },
      h('div', { class: 'lead' },
        h('p', { class: 'crumbs' }, h('a', { href: '#/' }, '← All pairs'), around),
        h('h1', null, name(left.label), ' and ', name(right.label))),
      tools,
      h('div', { class: 'beside' }, body,
        h('aside', { class: 'numbers', 'aria-label': 'Numbers and decision' }, shares, marks, decision.element, h('p', { class: 'note facts' }, facts(report, pair)), remarks)),
      h('div', { class: 'listed' }), Cento.run(report, pair.documents));
    const listed = element.querySelector('.listed');

    const changed = (index) => {
      place.textContent = `${number(index + 1)} of ${number(pair.passages.length)}: ${about(pair, pair.passages[index])}`;
    };

    const turn = (what, on) => {
      const off = switchedOff(state);
      if (on) off.delete(what);
      else off.add(what);
      state.choose({ off: SWITCHED.filter((one) => off.has(one)).join() });
      read.turnOff(off);
      draw();
    };

    const show = async () => {
      if (left.packed && right.registered && !right.packed) {
        body.replaceChildren(Cento.registered.reading(report, pair, await Cento.data.text(left)));
        return;
      }
      if (!left.packed || !right.packed) {
        body.replaceChildren(h('p', { class: 'message' }, pair.passages
          ? 'The texts were left out of this report, so it only says where the shared passages are.'
          : 'The texts of this pair were not aligned, so there are only numbers.'));
        if (pair.passages) listed.replaceChildren(passageTable(pair, null, null, null));
        return;
      }
      body.replaceChildren(h('p', { class: 'message' }, 'Unpacking the texts…'));
      const bytes = await Promise.all(pair.documents.map(Cento.data.text));
      if (!pair.passages) [pair.passages, pair.counts] = [[], 0];
      read = reading(report, pair, bytes, changed);
      place.textContent = `${counted(pair.counts, 'passage')}${pair.counts < pair.passages.length ? ` and ${number(pair.passages.length - pair.counts)} left out` : ''}`;
      const unseen = element.querySelector('.remark') !== null;
      tools.replaceChildren(
        button('Previous', 'p', read.previous), button('Next', 'n', read.next), place,
        toggle('Scroll in step', true, read.step.turn),
        toggle('Show hidden characters', unseen, (on) => {
          read.element.classList.toggle('show-unseen', on);
          read.remeasure();
        }),
        h('button', { type: 'button', id: 'save-case', title: `One file with this pair, its texts and parameters${Cento.program.any(pair.documents) ? '' : '; cento verify-case computes it again'}`, on: { click: () => Cento.caseFile(report, pair) } }, 'Save case file'));
      marks.replaceChildren(legend(pair, state, turn));
      tools.hidden = false;
      read.element.classList.toggle('show-unseen', unseen);
      body.replaceChildren(read.element);
      listed.replaceChildren(passageTable(pair, bytes[0], read.go, read.where));
      read.turnOff(switchedOff(state));
      read.remeasure();
      // A template at the top would hide what there is to see.
      const first = pair.passages.findIndex((passage) => !passage.out);
      if (first >= 0) read.go(first, false);
    };

    /* To a neighbour in the list. */
    const beside = (by) => {
      const at = state.ordered.indexOf(pair);
      const other = at < 0 ? undefined : state.ordered[at + by];
      if (other) location.hash = `#/pair/${other.number}`;
    };

    return {
      element,
      title: () => `${printable(left.label)} and ${printable(right.label)}`,
      shown: () => show().catch((error) => body.replaceChildren(h('p', { class: 'message' }, error.message))),
      print: (on) => {
        for (const details of element.querySelectorAll('details')) details.open = on;
        if (read) read.remeasure();
      },
      resized: () => read && read.remeasure(),
      changed: () => around.replaceChildren(...siblings(state, pair)),
      decided: () => decision.show(),
      key: (key) => {
        if (key === 'n' && read) read.next();
        else if (key === 'p' && read) read.previous();
        else if (key === 'j') beside(1);
        else if (key === 'k') beside(-1);
        else return false;
        return true;
      },
    };
  };
})();
