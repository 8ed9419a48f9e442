// The three questions: pairwise test, verification, registration.
Cento.forms = (() => {
  const { h } = Cento.dom;
  const { percent, number, bytes, printable } = Cento.words;

  const field = (id, label, hint, attributes) => {
    const input = h('input', { type: 'text', id, autocomplete: 'off', spellcheck: 'false', 'aria-describedby': hint && `${id}-hint`, ...attributes });
    return { input, element: h('div', { class: 'field' }, h('label', { for: id }, label), input, hint && h('small', { id: `${id}-hint` }, hint)) };
  };

  /* A set: one of a few for those who are limited to them, any name for all others. */
  const setField = (user, hint) => {
    if (!user.sets) return field('set', 'Set', hint, { maxlength: 200 });
    const input = h('select', { id: 'set' }, user.sets.map((set) => h('option', { value: set }, set)));
    return { input, element: h('div', { class: 'field' }, h('label', { for: 'set' }, 'Set'), input, h('small', null, 'Your account is limited to these.')) };
  };

  const thresholdField = () => field('threshold', 'List from', 'How much of one document must be in the other, in percent.', { type: 'number', min: 1, max: 100, step: 1, value: 10 });

  /* A box to check; what it sends has nothing of its own to type. */
  const commonField = (label, hint) => {
    const input = h('input', { type: 'checkbox', id: 'base_from', value: 'common', 'aria-describedby': 'base_from-hint' });
    return { input, element: h('div', { class: 'field' }, h('label', { class: 'toggle' }, input, label), h('small', { id: 'base_from-hint' }, hint)) };
  };

  const selectField = (id, label, hint, options) => {
    const input = h('select', { id, 'aria-describedby': `${id}-hint` }, options.map(([value, name]) => h('option', { value }, name)));
    return { input, element: h('div', { class: 'field' }, h('label', { for: id }, label), input, h('small', { id: `${id}-hint` }, hint)) };
  };

  /* How documents are compared, for those who want it otherwise than usual. */
  const methodFields = (session) => {
    const measures = ['max-containment', 'containment', 'symmetric', 'resemblance'];
    const fields = [
      selectField('recipe', 'Recipe', 'How a text becomes a fingerprint.', [['', 'as usual'], ...session.recipes.map((name) => [name, name])]),
      selectField('measure', 'Measure', 'What makes the score: usually what the recipe’s paper scores by. With a recipe or a measure the score decides what is listed, not the texts.', [['', 'as usual'], ...measures.map((name) => [name, name])]),
      selectField('aligner', 'Exact comparison', 'How the texts of listed pairs are compared: passages may be rewritten, equal runs have at least 60 characters.', [['', 'passages'], ['maximal', 'equal runs (MDR)'], ['none', 'none']]),
      field('top_documents', 'Most similar documents', 'Only pairs of so many documents are listed and compared exactly. Empty: all.', { type: 'number', min: 2, step: 1 }),
      field('graph_scale', 'Scale of the graph', 'The b of its distances, −b log(similarity). Empty: 100.', { type: 'number', min: 1, max: 100000, step: 1 }),
    ];
    const paper = { recipe: 'se', measure: 'symmetric', aligner: 'maximal', top_documents: '20', graph_scale: '100' };
    const choose = (values) => () => {
      for (const { input } of fields) input.value = values[input.id] ?? '';
    };
    const element = h('details', null, h('summary', null, 'Another method'),
      h('p', { class: 'buttons' },
        h('button', { type: 'button', on: { click: choose(paper) } }, 'As in the paper'),
        h('button', { type: 'button', on: { click: choose({}) } }, 'As usual')),
      h('p', { class: 'note' }, 'The paper is that of Finkel, Zaslavsky, Monostori and Schmidt: signature extraction, symmetric similarity, and an exact comparison of the 20 most similar documents.'),
      h('div', { class: 'fields' }, fields.map((one) => one.element)));
    return { fields, element };
  };

  /* Why files cannot be sent, before any of them is. */
  const tooMuch = ({ limits }, files) => {
    if (files.length > limits.files) return `${number(files.length)} files are chosen, and at most ${number(limits.files)} can be sent at a time; put them into an archive.`;
    const size = files.reduce((sum, [, file]) => sum + file.size, 0);
    if (size <= limits.upload) return '';
    const [path, largest] = files.reduce((one, other) => (other[1].size > one[1].size ? other : one));
    const most = `at most ${bytes(limits.upload)} can be sent at a time`;
    return largest.size > limits.upload ? `${printable(path)} has ${bytes(largest.size)}, and ${most}. Nothing was sent.`
      : `The files have ${bytes(size)} together, and ${most}; the largest is ${printable(path)} with ${bytes(largest.size)}. Nothing was sent.`;
  };

  const page = ({ session, title, lead, kind, fields, submitters, hint, go, extra, method }) => {
    const alert = h('p', { class: 'alert', role: 'alert' });
    const drop = Cento.drop({ label: 'Documents', hint });
    const button = h('button', { type: 'submit', class: 'main', disabled: true }, go);
    const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Upload' });
    const going = h('div', { class: 'progress', hidden: true }, h('p', null, 'Sending the files'), bar);
    const called = field('name', 'Name of this job', 'By which you find it again; without one it is called after its files.', { maxlength: 200 });
    // Beside the files that it is about.
    const tooLarge = h('p', { class: 'alert', role: 'alert', id: 'too-large' });
    const check = () => {
      const problem = tooMuch(session, [...drop.files(), ...(extra ? extra.files() : [])]);
      tooLarge.textContent = problem;
      button.disabled = drop.files().length === 0 || problem !== '';
    };
    drop.follow(check);
    if (extra) extra.follow(check);
    const send = async (event) => {
      event.preventDefault();
      alert.textContent = '';
      button.disabled = true;
      going.hidden = false;
      const form = new FormData();
      form.append('kind', kind);
      const rule = submitters ? submitters.rule() : null;
      if (rule !== null) {
        form.append('submitter_from', rule);
        form.append('preview', 'yes');
      }
      for (const { input } of [called, ...fields, ...(method ? method.fields : [])]) {
        if (input.type === 'checkbox' && !input.checked) continue;
        if (input.id === 'submitter' && rule !== null) continue;
        const value = input.id === 'threshold' ? String(Number(input.value) / 100) : input.value.trim();
        if (value !== '') form.append(input.id, value);
      }
      for (const [path, file] of drop.files()) form.append('file', file, path);
      for (const [path, file] of extra ? extra.files() : []) form.append('template', file, path);
      try {
        const job = await Cento.ask.send('/jobs', form, (part) => {
          bar.value = part;
        });
        location.assign(`/jobs/${job.id}`);
      } catch (error) {
        alert.textContent = error.message;
        going.hidden = true;
        button.disabled = false;
        button.focus();
      }
    };
    const element = h('form', { class: 'view', on: { submit: send } },
      h('h1', null, title), h('p', { class: 'verdict' }, lead),
      h('div', { class: 'form' }, h('div', null, drop.element, tooLarge),
        extra && h('details', null, h('summary', null, 'A template that everyone was given'), h('p', { class: 'note' }, 'What it contains does not count as shared text.'), extra.element),
        h('div', { class: 'fields' }, fields.map((one) => one.element), submitters && [submitters.element, submitters.patternField], called.element),
        method && method.element,
        h('div', { class: 'buttons' }, button)),
      going, alert);
    return { element, title };
  };

  const hint = (session) => `Text, PDF, Word, OpenDocument, HTML, mail, code; zip and tar are unpacked. Up to ${Cento.words.bytes(session.limits.upload)} at a time.`;

  const pairwise = (session) => page({
    session,
    title: 'Pairwise test',
    lead: 'Compares every document with every other one. Nothing is registered, and the files are removed when the report is ready.',
    kind: 'pairwise', go: 'Compare', hint: hint(session),
    fields: [thresholdField(), commonField('Leave out text that many of the documents have', 'What more than a tenth of them have, and at least five. The report says how much that is, and has a switch for it, too.')],
    extra: Cento.drop({ label: 'Template', hint: 'One or more files.' }),
    method: methodFields(session),
  });

  const verify = (session) => page({
    session,
    title: 'Verification',
    lead: session.user.role === 'submit'
      ? 'Finds what documents share with registered ones. Shares are given in bands, and each text can be verified only a few times a term.'
      : 'Finds what documents share with registered ones. Nothing is registered.',
    kind: 'verify', go: 'Verify', hint: hint(session),
    extra: session.user.role !== 'submit' && Cento.drop({ label: 'Template', hint: 'One or more files.' }),
    fields: [
      session.user.role !== 'submit' && thresholdField(),
      setField(session.user, 'The set that the documents belong to: its standard text does not count. May be empty.'),
      session.user.role !== 'submit' && field('submitter', 'Submitter', 'Who submitted the documents: what the same person registered is marked. May be empty.', { maxlength: 200 }),
      session.user.role !== 'submit' && commonField('Leave out text that many registered documents have', 'What more than a tenth of them have, and at least five.'),
    ].filter(Boolean),
  });

  const register = (session) => {
    const set = setField(session.user, 'A name for documents that belong together, such as a course and a year.');
    const one = session.user.role !== 'submit' && field('submitter', 'Submitter', 'Who submitted the documents; may be an opaque code.', { maxlength: 200, placeholder: session.user.name.startsWith('(') ? '' : session.user.name });
    return page({
      session,
      title: 'Registration',
      lead: 'Adds documents to the registry, so that later ones can be verified against them. An administrator can remove them again.',
      kind: 'register', go: 'Register', hint: hint(session),
      fields: [set, one].filter(Boolean),
      submitters: one && Cento.submitters.fields(session, one),
    });
  };

  return { pairwise, verify, register, percent };
})();
