// From an address to a page: the bar on top, logging in and out, what a role may see.
Cento.start = async () => {
  const { h, put, name } = Cento.dom;
  const main = document.getElementById('main');
  const status = document.getElementById('status');
  const roles = ['submit', 'verify', 'admin'];

  const sentence = (text) => text && `${text[0].toUpperCase()}${text.slice(1)}.`;

  const home = async (session) => {
    const none = session.registry ? '' : 'This server has no registry.';
    const choice = (path, title, text, missing) => h('li', null, missing
      ? h('div', { class: 'choice', 'aria-disabled': 'true' }, h('strong', null, title), h('span', null, missing))
      : h('a', { class: 'choice', href: path }, h('strong', null, title), h('span', null, text)));
    const { jobs } = await Cento.ask.get('/jobs');
    const own = jobs.filter((job) => job.owner === session.user.name);
    const element = h('div', { class: 'view' }, h('h1', null, 'What do documents share?'),
      h('p', { class: 'verdict' }, 'Cento finds the text that documents have in common. What it shows is evidence, not a verdict: a person who reads both texts decides what it means.'),
      session.setup && h('p', { class: 'once' }, 'This server is new. ', h('a', { href: '/setup' }, 'Set it up'), ': make the first administrator and a registry, so that documents can be registered and verified.'),
      h('ul', { class: 'choices' },
        choice('/pairwise', 'Pairwise test', 'Compare every document of a class, a folder or an archive with every other one.', ''),
        choice('/verify', 'Verification', 'Compare new documents with all registered ones.', none),
        choice('/register', 'Registration', 'Add documents, so that later ones can be compared with them.', none || sentence(session.read_only))),
      own.length > 0 && h('section', null, h('h2', null, 'Your latest jobs'), Cento.job.list(own.slice(0, 10), false), h('p', { class: 'note' }, h('a', { href: '/jobs' }, 'All jobs'))));
    return { element, title: 'Cento' };
  };

  const logIn = (session) => {
    const title = 'Log in';
    if (!session.accounts) {
      return { title, element: h('div', { class: 'view' }, h('h1', null, 'Closed'),
        h('p', { class: 'verdict' }, 'This server has no accounts. It opens once, through the address that it printed when it started; restart it for a new address.')) };
    }
    const alert = h('p', { class: 'alert', role: 'alert' });
    const user = h('input', { type: 'text', id: 'name', autocomplete: 'username', required: true, autofocus: true });
    const password = h('input', { type: 'password', id: 'password', autocomplete: 'current-password', required: true });
    const button = h('button', { class: 'main' }, 'Log in');
    const send = async (event) => {
      event.preventDefault();
      alert.textContent = '';
      button.disabled = true;
      try {
        await Cento.ask.post('/session', { name: user.value.trim(), password: password.value });
        location.assign(location.pathname === '/login' ? '/' : location.pathname);
      } catch (error) {
        alert.textContent = error.message;
        button.disabled = false;
        password.value = '';
        password.focus();
      }
    };
    return { title, element: h('form', { class: 'view', on: { submit: send } }, h('h1', null, title),
      h('div', { class: 'form' }, h('div', { class: 'field' }, h('label', { for: 'name' }, 'Name'), user),
        h('div', { class: 'field' }, h('label', { for: 'password' }, 'Password'), password), h('div', { class: 'buttons' }, button)), alert) };
  };

  const wrongRole = (session, role) => ({ title: 'Not for you', element: h('div', { class: 'view' }, h('h1', null, 'Not for you'),
    h('p', { class: 'verdict' }, `This page needs the role ${role}; ${session.user.name} has the role ${session.user.role}.`), h('p', null, h('a', { href: '/' }, 'Back to the start'))) });

  const nowhere = () => ({ title: 'Nothing here', element: h('div', { class: 'view' }, h('h1', null, 'There is nothing here'),
    h('p', { class: 'verdict' }, 'Perhaps the address has a slip in it, or what was here is gone.'), h('p', null, h('a', { href: '/' }, 'Back to the start'))) });

  const pages = [
    { path: '/', label: 'Home', role: 'submit', show: home },
    { path: '/pairwise', label: 'Pairwise', role: 'submit', show: Cento.forms.pairwise },
    { path: '/verify', label: 'Verify', role: 'submit', registry: true, show: Cento.forms.verify },
    { path: '/register', label: 'Register', role: 'submit', registry: true, writes: true, show: Cento.forms.register },
    { path: '/jobs', label: 'Jobs', role: 'submit', show: Cento.job.all },
    { path: '/registry', label: 'Registry', role: 'verify', registry: true, show: Cento.registry },
    { path: '/admin', label: 'Administration', role: 'admin', show: Cento.admin },
    { path: '/accounts', label: 'Accounts', role: 'admin', show: Cento.accounts },
    { path: '/api', label: 'API', role: 'submit', show: Cento.reference },
    { path: '/setup', role: 'submit', show: Cento.setup },
    { path: '/account', role: 'submit', show: Cento.account },
  ];
  const may = (session, page) => roles.indexOf(session.user.role) >= roles.indexOf(page.role) && (!page.registry || session.registry) && (!page.writes || !session.read_only);

  const bar = Cento.bar = (session) => {
    const out = h('button', { type: 'button', class: 'quiet', id: 'log-out', on: { click: async () => {
      try {
        await Cento.ask.remove('/session');
      } catch { /* They are logged out already, or somebody else has come: the page that follows says which. */ }
      location.assign('/login');
    } } }, 'Log out');
    put(document.getElementById('bar'),
      h('button', { type: 'button', class: 'skip', on: { click: () => main.focus() } }, 'Skip to the content'),
      h('a', { class: 'brand', href: '/' }, 'cento'),
      session.user && h('nav', { 'aria-label': 'Pages' }, pages.slice(1).filter((page) => page.label && may(session, page)).map((page) =>
        h('a', { href: page.path, 'aria-current': location.pathname === page.path ? 'page' : null }, page.label))),
      session.user && h('div', { class: 'controls' }, h('a', { class: 'who', href: '/account', 'aria-current': location.pathname === '/account' ? 'page' : null }, name(session.user.name), ` · ${session.user.role}`), session.user.by === 'password' && out));
  };

  const choose = async (session) => {
    if (!session.user) return logIn(session);
    const job = /^\/jobs\/([^/]+)$/.exec(location.pathname);
    if (job) return Cento.job.show(session, decodeURIComponent(job[1]));
    if (location.pathname === '/login') return home(session);
    const page = pages.find((one) => one.path === location.pathname);
    if (!page) return nowhere();
    if (roles.indexOf(session.user.role) < roles.indexOf(page.role)) return wrongRole(session, page.role);
    if (page.registry && !session.registry) {
      return { title: page.label, element: h('div', { class: 'view' }, h('h1', null, page.label), h('p', { class: 'verdict' }, 'This server has no registry; only pairwise tests are possible.')) };
    }
    if (page.writes && session.read_only) {
      return { title: page.label, element: h('div', { class: 'view' }, h('h1', null, page.label), h('p', { class: 'verdict' }, sentence(session.read_only))) };
    }
    return page.show(session);
  };

  try {
    const session = await Cento.ask.get('/session');
    if (session.user) Cento.ask.use(session.user);
    bar(session);
    const page = await choose(session);
    document.title = page.title === 'Cento' ? 'Cento' : `${page.title} · Cento`;
    main.replaceChildren(page.element);
    main.querySelector('[autofocus]')?.focus();
  } catch (error) {
    status.textContent = error.message;
    main.replaceChildren(h('div', { class: 'view' }, h('h1', null, error.status === 404 ? 'Not found' : 'That did not work'),
      h('p', { class: 'verdict' }, error.message), h('p', null, h('a', { href: '/' }, 'Back to the start'))));
  }
};

Cento.start();
