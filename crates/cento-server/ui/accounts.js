// Accounts, for administrators: add, change, disable, remove.
Cento.accounts = (() => {
  const { h, name } = Cento.dom;
  const { printable, counted } = Cento.words;
  const roles = { submit: 'submit: registers, tests pairs, verifies within a budget', verify: 'verify: also verifies exactly, and browses', admin: 'admin: also forgets, imports and manages accounts' };

  const at = (account, more = '') => `/accounts/${encodeURIComponent(account.name)}${more}`;

  const field = (input, label, hint) => {
    if (hint) input.setAttribute('aria-describedby', `${input.id}-hint`);
    return h('div', { class: 'field' }, h('label', { for: input.id }, label), input, hint && h('small', { id: `${input.id}-hint` }, hint));
  };
  const roleInput = (id, now) => h('select', { id }, Object.entries(roles).map(([role, text]) => h('option', { value: role, selected: role === now }, text)));
  const setsInput = (id, now) => h('textarea', { id, rows: 2, spellcheck: 'false' }, (now || []).join('\n'));
  const setsOf = (input) => {
    const sets = input.value.split('\n').map((set) => set.trim()).filter((set) => set !== '');
    return sets.length === 0 ? null : sets;
  };

  /* A password that is shown this once. */
  const shown = (account, password) => h('p', { class: 'once' }, 'The password of ', name(account), ', which is shown only now: ', h('code', { id: 'shown-password' }, password));

  return async (session) => {
    const canChange = session.user.sets === null;
    const said = h('div', { role: 'status' });
    const alert = h('p', { class: 'alert', role: 'alert' });
    const body = h('tbody');
    const dialog = h('dialog', { class: 'help', 'aria-labelledby': 'manage' });

    /* Does something, says what became of it, and shows the list as it is then. */
    const act = async (what, done) => {
      alert.textContent = '';
      said.replaceChildren();
      try {
        said.replaceChildren(...[done(await what())].flat());
      } catch (error) {
        alert.textContent = error.message;
      }
      await load();
    };

    /* A dialog with these things in it; `chosen` hears which button closed it. */
    const open = (title, inside, buttons, chosen) => {
      const focused = document.activeElement;
      dialog.replaceChildren(h('h2', { id: 'manage' }, title), ...inside,
        h('form', { method: 'dialog', class: 'buttons spaced' }, buttons.map(([value, label, kind]) => h('button', { value, class: kind }, label))));
      dialog.returnValue = '';
      dialog.onclose = async () => {
        await chosen(dialog.returnValue);
        if (focused.isConnected) focused.focus();
      };
      dialog.showModal();
    };

    const remove = (one) => open('Remove this account?',
      [h('p', null, name(one.name), ' will be gone, with its logins and tokens. What it registered stays, and an account that gets the same name later will count as the same person. To keep somebody out for a while, disable the account instead.')],
      [['yes', 'Remove it', 'danger'], ['', 'Keep it', '']],
      (value) => value === 'yes' && act(() => Cento.ask.remove(at(one)), () => h('p', { class: 'note' }, name(one.name), ' is removed.')));

    const manage = (one) => {
      const role = roleInput('role', one.role);
      const sets = setsInput('sets', one.sets);
      const disabled = h('input', { type: 'checkbox', id: 'disabled', checked: one.disabled });
      const inside = [
        h('div', { class: 'form' }, field(role, 'Role'), field(sets, 'Sets', 'One per line; empty for all.'),
          h('div', { class: 'field' }, h('label', { class: 'toggle' }, disabled, 'Disabled'), h('small', null, 'Neither the password nor tokens work, and all logins end.'))),
      ];
      const buttons = [['save', 'Save', 'main'], ['password', 'New password', ''], one.sessions > 0 && ['sessions', `End ${counted(one.sessions, 'login')}`, ''], one.tokens.length > 0 && ['tokens', `Take ${counted(one.tokens.length, 'token')} back`, ''], ['remove', 'Remove …', 'danger'], ['', 'Close', '']].filter(Boolean);
      const choices = {
        save: () => act(() => Cento.ask.change(at(one), { role: role.value, sets: setsOf(sets), disabled: disabled.checked }), () => h('p', { class: 'note' }, name(one.name), ' is changed.')),
        password: () => act(() => Cento.ask.post(at(one, '/password'), {}), (done) => shown(one.name, done.password)),
        sessions: () => act(() => Cento.ask.remove(at(one, '/sessions')), (done) => h('p', { class: 'note' }, `${counted(done.ended_sessions, 'login')} of `, name(one.name), ' ended.')),
        tokens: () => act(() => Cento.ask.remove(at(one, '/tokens')), (done) => h('p', { class: 'note' }, `${counted(done.revoked_tokens, 'token')} of `, name(one.name), ' taken back.')),
        remove: () => remove(one),
      };
      open(printable(one.name), inside, buttons, async (value) => choices[value] && choices[value]());
    };

    const row = (one) => h('tr', null, h('td', null, name(one.name), one.disabled && h('span', { class: 'badge' }, 'disabled')), h('td', null, one.role),
      h('td', null, one.sets === null ? 'all' : one.sets.map(printable).join(', ')), h('td', { class: 'number' }, String(one.sessions)), h('td', null, one.tokens.map(printable).join(', ')),
      canChange && h('td', { class: 'wide' }, one.name === session.user.name ? h('a', { href: '/account' }, 'Your account')
        : h('button', { type: 'button', 'aria-label': `Change ${printable(one.name)}`, on: { click: () => manage(one) } }, 'Change …')));

    const load = async () => {
      const { accounts } = await Cento.ask.get('/accounts');
      body.replaceChildren(...accounts.map(row));
      empty.hidden = accounts.length > 0;
      table.hidden = accounts.length === 0;
    };
    const empty = h('p', { class: 'note' }, 'There are none yet: anyone who opens the printed address administers this server. The first account must have the role admin; from then on, people log in.');
    const heads = ['Name', 'Role', 'Sets', 'Logins', 'Tokens'];
    const table = h('div', { class: 'scroller plain', tabindex: 0, role: 'region', 'aria-label': 'Accounts' },
      h('table', { class: 'rows free plain-links' }, h('thead', null, h('tr', null, heads.map((head) => h('th', { scope: 'col', class: head === 'Logins' ? 'number' : null }, head)), canChange && h('th', { scope: 'col' }, h('span', { class: 'hidden' }, 'Change')))), body));

    const fresh = h('input', { type: 'text', id: 'new-name', autocomplete: 'off', spellcheck: 'false', required: true, maxlength: 64 });
    const role = roleInput('new-role', 'submit');
    const sets = setsInput('new-sets', null);
    const add = async (event) => {
      event.preventDefault();
      const account = fresh.value.trim();
      await act(() => Cento.ask.post('/accounts', { name: account, role: role.value, sets: setsOf(sets) }), (done) => {
        fresh.value = '';
        sets.value = '';
        return shown(done.name, done.password);
      });
    };

    await load();
    const element = h('div', { class: 'view' }, h('h1', null, 'Accounts'),
      h('p', { class: 'verdict' }, canChange ? 'Who may log in, and what they may do. Changes count at once.' : 'Who may log in. Administrators who are not limited to sets can change that.'),
      empty, h('div', { class: 'spaced' }, table), said, alert,
      canChange && h('section', null, h('h2', null, 'Add an account'),
        h('form', { class: 'form', on: { submit: add } }, field(fresh, 'Name', 'Letters, digits and . _ - @ +'), field(role, 'Role'), field(sets, 'Sets', 'One per line; empty for all.'),
          h('div', { class: 'buttons' }, h('button', { class: 'main' }, 'Add')))),
      h('p', { class: 'note spaced' }, 'Tokens for programs are made on the command line: ', h('code', null, 'cento serve user token NAME --label TEXT'), '.'), dialog);
    return { element, title: 'Accounts' };
  };
})();
