// Whose the documents of a class are: by the layout of an export or by a pattern, shown before anything is written.
Cento.submitters = (() => {
  const { h, put, name } = Cento.dom;
  const { counted, number, printable } = Cento.words;
  const SHOWN = 500;

  /* The fields of a form that say whose its documents are. */
  const fields = (session, one) => {
    const how = h('select', { id: 'submitters' }, [['', 'one for all documents'], ['layout', 'as the export of Moodle or Canvas, or folders, say'], ['pattern', 'by a pattern for file names']].map(([value, label]) => h('option', { value }, label)));
    const pattern = h('input', { type: 'text', id: 'pattern', autocomplete: 'off', spellcheck: 'false', maxlength: 200, value: '{submitter}_*', 'aria-describedby': 'pattern-hint' });
    const patternField = h('div', { class: 'field', hidden: true }, h('label', { for: 'pattern' }, 'Pattern'), pattern,
      h('small', { id: 'pattern-hint' }, '{submitter} is where the name is, * is anything. {submitter}/* takes the folder, *_{submitter}_attempt_* fits Blackboard.'));
    const note = h('small', { hidden: true }, 'You see whose each document is before anything is registered.');
    how.addEventListener('change', () => {
      patternField.hidden = how.value !== 'pattern';
      one.element.hidden = how.value !== '';
      note.hidden = how.value === '';
    });
    return {
      element: h('div', { class: 'field' }, h('label', { for: 'submitters' }, 'Submitters'), how, note),
      patternField,
      /* What to send besides; nothing if all documents have one submitter. */
      rule: () => (how.value === '' ? null : how.value === 'layout' ? 'layout' : pattern.value.trim()),
    };
  };

  const rows = (preview) => preview.documents.slice(0, SHOWN).map((one) => h('tr', { class: one.problem ? 'unknown' : null },
    h('td', { class: 'wide' }, one.files.length > 0 ? one.files.map((file) => h('div', null, name(file))) : name(one.id)),
    h('td', { class: 'wide' }, one.problem ? h('span', { class: 'problem' }, one.problem) : name(one.submitter))));

  /* What no document was found in. */
  const unread = (preview) => preview.skipped.slice(0, SHOWN).map((one) => h('tr', { class: 'unknown' },
    h('td', { class: 'wide' }, name(one.id)), h('td', { class: 'wide' }, h('span', { class: 'problem' }, printable(one.reason)))));

  /* The question of a job that has its files and does not know yet whose they are. */
  const ask = (job, begun) => {
    const said = h('p', { class: 'verdict', role: 'status' });
    const notes = h('p', { class: 'note spaced' });
    const alert = h('p', { class: 'alert', role: 'alert' });
    const body = h('tbody');
    const more = h('p', { class: 'note' });
    const rule = h('input', { type: 'text', id: 'rule', autocomplete: 'off', spellcheck: 'false', maxlength: 200, value: job.submitter_from, 'aria-describedby': 'rule-hint' });
    const go = h('button', { type: 'button', class: 'main', id: 'go', disabled: true });
    let shown = null;
    const show = async () => {
      alert.textContent = '';
      go.disabled = true;
      try {
        const preview = await Cento.ask.get(`/jobs/${job.id}/preview?${new URLSearchParams({ submitter_from: rule.value.trim() })}`);
        shown = preview.submitter_from;
        const known = preview.documents.length - preview.unknown;
        said.textContent = `${counted(known, 'document')} of ${counted(preview.submitters, 'submitter')}${preview.unknown > 0 ? `; of ${counted(preview.unknown, 'document')} nothing says whose ${preview.unknown === 1 ? 'it is' : 'they are'}` : ''}${preview.skipped.length > 0 ? `; ${counted(preview.skipped.length, 'file')} cannot be read` : ''}.`;
        notes.textContent = preview.notes.map((note) => `${printable(note.charAt(0).toUpperCase() + note.slice(1))}.`).join(' ');
        put(body, [...rows(preview), ...unread(preview)]);
        more.textContent = preview.documents.length > SHOWN ? `and ${number(preview.documents.length - SHOWN)} more` : '';
        go.textContent = `${job.kind === 'register' ? 'Register' : 'Verify'} ${counted(known, 'document')}`;
        go.disabled = known === 0;
      } catch (error) {
        said.textContent = '';
        alert.textContent = error.message;
      }
    };
    go.addEventListener('click', async () => {
      go.disabled = true;
      try {
        begun(await Cento.ask.post(`/jobs/${job.id}/start`, { submitter_from: shown }));
      } catch (error) {
        alert.textContent = error.message;
        go.disabled = false;
      }
    });
    const element = h('div', null, said,
      h('form', { class: 'form', on: { submit: (event) => {
        event.preventDefault();
        show();
      } } }, h('div', { class: 'field' }, h('label', { for: 'rule' }, 'Where submitters come from'),
        h('div', { class: 'beside' }, rule, h('button', { id: 'try' }, 'Show')),
        h('small', { id: 'rule-hint' }, 'layout for the names of an export or of folders, or a pattern such as {submitter}_*; {submitter}/* takes the folder.'))),
      notes, alert,
      h('div', { class: 'scroller plain spaced', tabindex: 0, role: 'region', 'aria-label': 'Submitters' },
        h('table', { class: 'rows free' }, h('thead', null, h('tr', null, ['File', 'Submitter'].map((head) => h('th', { scope: 'col' }, head)))), body)),
      more);
    return { element, go, show };
  };

  return { fields, ask };
})();
