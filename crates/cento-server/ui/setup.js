// The first run: says what there is to do, makes the first administrator, the registry and its key.
Cento.setup = (() => {
  const { h, put, name } = Cento.dom;

  const field = (input, label, hint) => {
    if (hint) input.setAttribute('aria-describedby', `${input.id}-hint`);
    return h('div', { class: 'field' }, h('label', { for: input.id }, label), input, hint && h('small', { id: `${input.id}-hint` }, hint));
  };

  /* The key, once: what is not saved now is in its file on the server only. */
  const copier = () => {
    const said = h('p', { class: 'note', role: 'status' });
    const button = h('button', { type: 'button', class: 'main', id: 'copy-key', on: { click: async () => {
      button.disabled = true;
      try {
        const key = await Cento.ask.text('/setup/key');
        const address = URL.createObjectURL(new Blob([key], { type: 'text/plain' }));
        h('a', { href: address, download: 'cento-registry-key.txt' }).click();
        setTimeout(() => URL.revokeObjectURL(address), 60000);
        said.textContent = 'Saved as cento-registry-key.txt. It is not offered again: put it where it is safe, and delete it from this computer’s downloads.';
      } catch (error) {
        said.textContent = error.message;
      }
    } } }, 'Save a copy of the key');
    return [h('div', { class: 'buttons spaced' }, button), said];
  };

  const done = (view, made) => {
    const title = h('h1', { tabindex: -1 }, 'Ready');
    put(view, title,
      h('p', { class: 'verdict' }, 'You are logged in as ', name(made.name), ', who administers this server. The registry is in ', h('code', null, made.registry), '.'),
      made.key && h('section', null, h('h2', null, 'Keep a copy of the key'),
        h('p', null, 'Without its key the registry is useless, even to you; and whoever has the key and a copy of the registry can test which texts are in it. No backup contains it.'),
        h('p', null, 'So keep a copy apart from the backups: on paper, in a password safe, on another machine. Its name is ', h('code', null, made.key.name), '.'),
        made.key.file && h('p', null, 'The key is in ', h('code', { id: 'key-file' }, made.key.file), ', which only the server’s user can read.'),
        made.key.file && copier()),
      h('section', null, h('h2', null, 'What next'),
        h('ul', null,
          h('li', null, h('a', { href: '/register' }, 'Register'), ' documents, so that later ones can be compared with them.'),
          h('li', null, h('a', { href: '/accounts' }, 'Let others in'), ': teachers with the role verify, students and programs with the role submit.'),
          h('li', null, 'To let other machines reach this server, restart it with ', h('code', null, '--listen 0.0.0.0:8077'), ' behind a proxy that speaks HTTPS.'),
          h('li', null, 'Let it make backups: ', h('code', null, '--backup-every 1d --backup-to FOLDER'), '.'))));
    document.title = 'Ready · Cento';
    title.focus();
  };

  return (session) => {
    const title = 'First run';
    if (!session.setup) {
      return { title, element: h('div', { class: 'view' }, h('h1', null, title), h('p', { class: 'verdict' }, 'This server is set up already.'), h('p', null, h('a', { href: '/' }, 'Back to the start'))) };
    }
    const alert = h('p', { class: 'alert', role: 'alert' });
    const user = h('input', { type: 'text', id: 'admin', autocomplete: 'username', spellcheck: 'false', required: true, maxlength: 64, autofocus: true });
    const password = h('input', { type: 'password', id: 'new', autocomplete: 'new-password', required: true, minlength: 10 });
    const again = h('input', { type: 'password', id: 'again', autocomplete: 'new-password', required: true, minlength: 10 });
    const kept = h('select', { id: 'retention' }, h('option', { value: 'digests' }, 'digests: no word of any document can be read in it'), h('option', { value: 'text' }, 'texts: shared passages of registered documents can be shown'));
    const button = h('button', { class: 'main' }, 'Set up');
    const view = h('div', { class: 'view' });
    const send = async (event) => {
      event.preventDefault();
      alert.textContent = '';
      if (password.value !== again.value) {
        alert.textContent = 'the passwords differ; type the same one twice';
        again.focus();
        return;
      }
      button.disabled = true;
      try {
        const made = await Cento.ask.post('/setup', { name: user.value.trim(), password: password.value, retention: kept.value });
        const now = await Cento.ask.get('/session');
        Cento.ask.use(now.user);
        Cento.bar(now);
        done(view, made);
      } catch (error) {
        alert.textContent = error.message;
        button.disabled = false;
        user.focus();
      }
    };
    put(view, h('h1', null, title),
      h('p', { class: 'verdict' }, 'This server is new: it has no accounts and no registry. Two things make it ready: somebody who administers it, and a place in which registered documents are remembered.'),
      h('form', { class: 'form', on: { submit: send } },
        h('h2', null, 'You, the first administrator'),
        field(user, 'Name', 'Letters, digits and . _ - @ +'),
        h('div', { class: 'fields' }, field(password, 'Password', 'At least 10 characters.'), field(again, 'Password, once more')),
        h('h2', null, 'The registry'),
        field(kept, 'What it keeps', 'This cannot be changed later. Its secret key is made with it; you can save a copy on the next page.'),
        h('div', { class: 'buttons' }, button)),
      alert,
      h('p', { class: 'note spaced' }, 'Not now? ', h('a', { href: '/' }, 'Compare files with each other'), ' without accounts and without a registry; nothing is remembered then.'));
    return { element: view, title };
  };
})();
