// The place where a person says what a pair is: reviewed, a find, or explained, and why.
Cento.decide = (() => {
  const { h } = Cento.dom;
  const LABELS = [['', 'not decided'], ['reviewed', 'reviewed'], ['find', 'a find'], ['explained', 'explained']];
  const when = (decision) => decision.when.slice(0, 16).replace('T', ' ');

  return (pair) => {
    const said = h('p', { class: 'note', role: 'status' });
    // Paper has no fields.
    const paper = h('p', { class: 'paper-note' });
    const note = h('textarea', { id: 'decision-note', rows: 3, maxlength: 4000, placeholder: 'Why, for those who read it later', on: { change: () => keep() } });
    const earlier = h('details', { class: 'before', hidden: true });
    const choices = LABELS.map(([value, label]) => {
      const box = h('input', { type: 'radio', name: 'decision', value, disabled: !Cento.work.mayDecide, on: { change: () => keep() } });
      return [box, h('label', { class: 'toggle' }, box, label)];
    });
    // What the server did not take stays as it was chosen and typed, until somebody tries again.
    let unsent = null;
    const again = h('button', { type: 'button', id: 'decide-again', on: { click: () => keep() } }, 'Try again');
    const chosen = () => choices.map(([box]) => box).find((box) => box.checked)?.value || '';
    const show = () => {
      const decision = Cento.work.of(pair);
      const { state = '', note: words = '' } = unsent || decision || {};
      for (const [box] of choices) box.checked = box.value === state;
      if (document.activeElement !== note) note.value = words;
      note.disabled = state === '' || !Cento.work.mayDecide;
      again.hidden = !unsent?.problem;
      paper.textContent = decision?.note || '';
      said.textContent = [
        decision?.isPending && 'Saving …',
        decision && !decision.isPending && `Decided on ${when(decision)}${decision.who ? ` by ${Cento.words.printable(String(decision.who))}` : ''}.`,
        unsent?.problem && `What you chose is not kept: ${Cento.words.printable(unsent.problem)}.`,
        !unsent && Cento.work.problem() !== '' && `The server does not answer as it should: ${Cento.words.printable(Cento.work.problem())}.`,
        !Cento.work.mayDecide && 'Your account may look at decisions, but not make them.',
        !Cento.work.isKept() && 'This browser does not keep it: export it under Decisions before you close the page.',
      ].filter(Boolean).join(' ');
      const before = Cento.work.before(pair);
      earlier.hidden = before.length === 0;
      earlier.replaceChildren(h('summary', null, `${Cento.words.counted(before.length, 'earlier decision')}`),
        h('ol', null, before.map((one) => h('li', null, `${Cento.work.STATES[one.state]}, ${when(one)}${one.who ? ` by ${Cento.words.printable(String(one.who))}` : ''}${one.note ? `: ${Cento.words.printable(one.note)}` : ''}`))));
    };
    const keep = async () => {
      const mine = { state: chosen(), note: note.value.trim(), problem: '' };
      unsent = mine;
      const answer = Cento.work.decide(pair, mine);
      show();
      mine.problem = await answer;
      if (unsent === mine && !mine.problem) unsent = null;
      show();
    };
    show();
    const element = h('section', { class: 'card decision', 'aria-labelledby': 'decision-title' },
      h('h2', { id: 'decision-title' }, 'Decision'),
      h('div', { class: 'choices', role: 'radiogroup', 'aria-labelledby': 'decision-title' }, choices.map(([, label]) => label)),
      h('label', { class: 'hidden', for: 'decision-note' }, 'Note'), note,
      paper, said, again, earlier);
    return { element, show };
  };
})();
