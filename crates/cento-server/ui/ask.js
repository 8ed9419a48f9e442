// The way to the API: answers as data, refusals as words.
Cento.ask = (() => {
  // Who the page is for, with the secret of forms, once it is known.
  let own = null;

  /* What the server says when it refuses, as an error that people can read. */
  const problem = (status, text) => {
    let told = null;
    try {
      told = JSON.parse(text);
    } catch (error) { /* not ours: a proxy, or nobody */ }
    const kind = told && told.type ? told.type.replace('urn:cento:problem:', '') : '';
    // What the server says about tokens is for programs.
    const detail = kind === 'not-logged-in' ? 'you are logged out; log in in another tab and try again' : told && told.detail;
    const failure = new Error(detail || `the server answered ${status}`);
    failure.status = status;
    failure.kind = kind;
    return failure;
  };

  const unreachable = () => {
    const failure = new Error('the server cannot be reached');
    failure.status = 0;
    return failure;
  };

  const head = (more) => ({ ...(own?.forms ? { 'x-cento-forms': own.forms } : {}), ...more });

  const once = async (method, path, body) => {
    let answer;
    try {
      answer = await fetch(`/api/v1${path}`, {
        method,
        headers: head(body === undefined ? {} : { 'content-type': 'application/json' }),
        body: body === undefined ? undefined : JSON.stringify(body),
        credentials: 'same-origin',
        cache: 'no-store',
      });
    } catch (error) {
      throw unreachable();
    }
    const text = await answer.text();
    if (!answer.ok) throw problem(answer.status, text);
    return text;
  };
  /* Who has logged in again, in another tab, has another secret, and goes on where they were; nobody else may. */
  const again = async (act) => {
    try {
      return await act();
    } catch (failure) {
      if (failure.kind !== 'forged' || !own) throw failure;
      const { user } = JSON.parse(await once('GET', '/session'));
      if (user?.name !== own.name) throw new Error('somebody else is logged in now; load the page again');
      own = user;
      return act();
    }
  };
  const call = (method, path, body) => again(() => once(method, path, body));
  const data = async (method, path, body) => {
    const text = await call(method, path, body);
    return text === '' ? null : JSON.parse(text);
  };

  /* Sends a form with files; `told` hears how much is up: a part from 0 to 1. */
  const send = (path, form, told) => again(() => new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/v1${path}`);
    for (const [name, value] of Object.entries(head({}))) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', (event) => event.lengthComputable && told(event.loaded / event.total));
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) done(JSON.parse(request.responseText));
      else failed(problem(request.status, request.responseText));
    });
    request.addEventListener('error', () => failed(unreachable()));
    request.send(form);
  }));

  return {
    get: (path) => data('GET', path),
    post: (path, body) => data('POST', path, body),
    change: (path, body) => data('PATCH', path, body),
    remove: (path) => data('DELETE', path),
    /* What is no data, but a text. */
    text: (path) => call('POST', path, {}),
    send,
    /* Who is logged in, with the secret of forms. */
    use: (user) => {
      own = user;
    },
  };
})();
