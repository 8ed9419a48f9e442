// What is registered: browse, search, forget.
Cento.registry = (() => {
  const { h, name } = Cento.dom;
  const { number, counted } = Cento.words;

  return async (session) => {
    const alert = h('p', { class: 'alert', role: 'alert' });
    const said = h('p', { class: 'note', role: 'status' });
    const body = h('tbody');
    const canForget = session.user.role === 'admin' && !session.read_only;
    const more = h('button', { type: 'button', hidden: true, on: { click: () => load(next) } }, 'Show more');
    const forget = h('button', { type: 'button', class: 'danger', disabled: true, on: { click: () => ask() } }, 'Forget selected');
    const search = h('input', { type: 'search', id: 'search', placeholder: 'Name or submitter', 'aria-label': 'Search' });
    const status = await Cento.ask.get('/status');
    const sets = status.registry.sets.filter((one) => one.set !== null);
    const set = h('select', { id: 'in-set', 'aria-label': 'Set', on: { change: () => load(null) } },
      h('option', { value: '' }, 'All sets'), sets.map((one) => h('option', { value: one.set }, `${one.set} (${number(one.documents)})`)));
    let next = null;
    let shown = 0;

    const chosen = () => [...body.querySelectorAll('input:checked')].map((box) => box.value);
    const row = (document) => h('tr', null,
      canForget && h('td', null, h('input', { type: 'checkbox', value: document.id, 'aria-label': `Choose ${Cento.words.printable(document.id)}`, on: { change: () => {
        forget.disabled = chosen().length === 0;
      } } })),
      h('td', { class: 'wide' }, name(document.id), document.version > 1 && h('span', { class: 'badge' }, `version ${document.version}`)),
      h('td', null, document.set === null ? '' : name(document.set)),
      h('td', null, document.submitter === null ? '' : name(document.submitter)),
      h('td', { class: 'number' }, number(document.words)),
      h('td', null, document.registered.slice(0, 10)), h('td', null, document.expires ? document.expires.slice(0, 10) : ''));

    const load = async (after) => {
      alert.textContent = '';
      const query = new URLSearchParams();
      if (after !== null) query.set('after', after);
      if (set.value !== '') query.set('set', set.value);
      if (search.value.trim() !== '') query.set('search', search.value.trim());
      try {
        const page = await Cento.ask.get(`/documents?${query}`);
        if (after === null) {
          shown = 0;
          body.replaceChildren();
        }
        body.append(...page.documents.map(row));
        shown += page.documents.length;
        next = page.next;
        more.hidden = next === null;
        forget.disabled = chosen().length === 0;
        said.textContent = shown === 0 ? 'No document matches.' : `${counted(shown, 'document')} shown${next === null ? '' : ', and there are more'}`;
      } catch (error) {
        alert.textContent = error.message;
      }
    };

    const question = h('p');
    const dialog = h('dialog', { class: 'help', 'aria-label': 'Forget documents' }, h('h2', null, 'Forget documents'), question,
      h('form', { method: 'dialog', class: 'buttons' }, h('button', { value: 'yes', class: 'danger' }, 'Forget them'), h('button', { value: 'no' }, 'Keep them')));
    dialog.addEventListener('close', async () => {
      if (dialog.returnValue !== 'yes') return;
      try {
        const done = await Cento.ask.post('/forget', { ids: chosen() });
        await load(null);
        said.textContent = `${counted(done.forgotten, 'document')} forgotten`;
      } catch (error) {
        alert.textContent = error.message;
      }
      forget.focus();
    });
    /* A whole set, if one is chosen. */
    const forgetSet = h('button', { type: 'button', class: 'danger', hidden: true, id: 'forget-set', on: { click: async () => {
      const chosenSet = set.value;
      const count = sets.find((one) => one.set === chosenSet).documents;
      const sure = await Cento.confirm({ title: 'Forget this set?', text: [`${counted(count, 'document')} of `, name(chosenSet), ', with all versions, will no longer be found. You cannot undo this.'], yes: 'Forget all of it', no: 'Keep it' });
      if (!sure) return;
      try {
        const done = await Cento.ask.post('/forget', { sets: [chosenSet] });
        await load(null);
        said.textContent = `${counted(done.forgotten, 'document')} forgotten`;
      } catch (error) {
        alert.textContent = error.message;
      }
    } } }, 'Forget the whole set');
    set.addEventListener('change', () => {
      forgetSet.hidden = !canForget || set.value === '';
    });
    const ask = () => {
      question.textContent = `${counted(chosen().length, 'document')} with all versions will no longer be found. You cannot undo this.`;
      dialog.returnValue = 'no';
      dialog.showModal();
    };

    const element = h('div', { class: 'view' }, h('h1', null, 'Registry'),
      h('p', { class: 'verdict' }, status.registry.documents === undefined ? '' : `${counted(status.registry.documents, 'document')}; ${status.registry.retention === 'text' ? 'their texts are kept' : 'no word of them is kept'}.`),
      session.read_only && h('p', { class: 'note' }, `Documents cannot be forgotten here: ${session.read_only}.`),
      h('form', { class: 'toolbar', role: 'search', on: { submit: (event) => {
        event.preventDefault();
        load(null);
      } } }, search, h('button', null, 'Search'), set),
      h('div', { class: 'table' }, h('div', { class: 'scroller tall', tabindex: 0, role: 'region', 'aria-label': 'Documents' },
        h('table', { class: 'rows free' }, h('thead', null, h('tr', null,
          canForget && h('th', { scope: 'col' }, h('span', { class: 'hidden' }, 'Choose')),
          ['Id', 'Set', 'Submitter'].map((head) => h('th', { scope: 'col' }, head)), h('th', { scope: 'col', class: 'number' }, 'Words'),
          ['Registered', 'Expires'].map((head) => h('th', { scope: 'col' }, head)))), body))),
      said, h('div', { class: 'toolbar' }, more, canForget && forget, forgetSet), alert, dialog);
    await load(null);
    return { element, title: 'Registry' };
  };
})();
