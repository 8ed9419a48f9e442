// Everybody's own page: who they are here, and another password.
Cento.account = (() => {
  const { h, name } = Cento.dom;
  const { counted } = Cento.words;

  const passwordField = (id, label, kind, hint) => {
    const input = h('input', { type: 'password', id, autocomplete: kind, required: true, minlength: kind === 'new-password' ? 10 : null, 'aria-describedby': hint && `${id}-hint` });
    return { input, element: h('div', { class: 'field' }, h('label', { for: id }, label), input, hint && h('small', { id: `${id}-hint` }, hint)) };
  };

  const passwordForm = (user) => {
    const said = h('p', { class: 'note spaced', role: 'status' });
    const alert = h('p', { class: 'alert', role: 'alert' });
    const old = passwordField('old', 'Old password', 'current-password');
    const fresh = passwordField('new', 'New password', 'new-password', 'At least 10 characters.');
    const again = passwordField('again', 'New password, once more', 'new-password');
    const button = h('button', { class: 'main' }, 'Change password');
    const send = async (event) => {
      event.preventDefault();
      said.textContent = '';
      alert.textContent = '';
      if (fresh.input.value !== again.input.value) {
        alert.textContent = 'the new passwords differ; type the same one twice';
        again.input.focus();
        return;
      }
      button.disabled = true;
      try {
        const done = await Cento.ask.post('/password', { old: old.input.value, new: fresh.input.value });
        for (const { input } of [old, fresh, again]) input.value = '';
        said.textContent = `Your password is changed. ${done.ended_sessions === 0 ? 'You were logged in nowhere else.' : `${counted(done.ended_sessions, 'other login')} ended.`}`;
      } catch (error) {
        alert.textContent = error.message;
        old.input.focus();
      }
      button.disabled = false;
    };
    // Password managers want to know whose password this is.
    const whose = h('input', { type: 'text', autocomplete: 'username', value: user.name, readonly: true, hidden: true });
    return h('section', null, h('h2', null, 'Change your password'),
      h('p', { class: 'note' }, 'You stay logged in here, and are logged out everywhere else. Programs that use a token of yours go on; an administrator can take tokens back.'),
      h('form', { class: 'form', on: { submit: send } }, whose, old.element, fresh.element, again.element, h('div', { class: 'buttons' }, button)), said, alert);
  };

  const otherLogins = () => {
    const said = h('p', { class: 'note', role: 'status' });
    const button = h('button', { type: 'button', on: { click: async () => {
      button.disabled = true;
      try {
        const done = await Cento.ask.remove('/sessions');
        said.textContent = done.ended_sessions === 0 ? 'You were logged in nowhere else.' : `${counted(done.ended_sessions, 'other login')} ended.`;
      } catch (error) {
        said.textContent = error.message;
      }
      button.disabled = false;
    } } }, 'Log out everywhere else');
    return h('section', null, h('h2', null, 'Other logins'), h('p', { class: 'note' }, 'If you have left another browser logged in, end that here.'), h('div', { class: 'buttons spaced' }, button), said);
  };

  const how = {
    proxy: 'You log in through your institution, so your password is changed there.',
    address: 'You came through the address that the server printed, without an account.',
  };

  return ({ user }) => {
    const sets = user.sets === null ? 'all sets' : `the sets ${user.sets.map(Cento.words.printable).join(', ')}`;
    const element = h('div', { class: 'view' }, h('h1', null, 'Your account'),
      h('p', { class: 'verdict' }, name(user.name), ` has the role ${user.role}, for ${sets}.`),
      user.by === 'password' ? [passwordForm(user), otherLogins()] : h('p', null, how[user.by]));
    return { element, title: 'Your account' };
  };
})();
