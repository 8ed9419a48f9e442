'use strict';

// What a report page of this server has that one from a file has not: the way back, and decisions that all who may
// see the job share. It runs before the page does, and leaves no trace in case files that are saved from it.
globalThis.CentoHost = (() => {
  const element = document.getElementById('cento-host');
  const about = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(element.textContent.trim()), (letter) => letter.charCodeAt(0))));
  element.remove();
  document.currentScript.remove();
  const path = `/api/v1/jobs/${about.job}/decisions`;

  const reach = async (address, options) => {
    try {
      return await fetch(address, { credentials: 'same-origin', cache: 'no-store', ...options });
    } catch {
      throw new Error('the server cannot be reached');
    }
  };

  /* Who has logged in again, in another tab, has another secret, and goes on where they were; nobody else may. */
  const renew = async () => {
    const { user } = await (await reach('/api/v1/session')).json();
    if (user?.name !== about.user) throw new Error('somebody else is logged in now; load the page again');
    const isOther = user.forms !== about.forms;
    about.forms = user.forms;
    return isOther;
  };

  const ask = async (method, body) => {
    const answer = await reach(path, {
      method,
      headers: { ...(about.forms ? { 'x-cento-forms': about.forms } : {}), ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    let told = null;
    try {
      told = JSON.parse(text);
    } catch { /* a proxy, or nobody */ }
    if (answer.ok && told) return told;
    if (answer.status === 401) throw new Error('you are logged out; log in in another tab and try again');
    if (answer.status === 404 || answer.status === 410) throw new Error('the job and its report have been removed from the server');
    if (told?.type === 'urn:cento:problem:forged' && await renew()) return ask(method, body);
    throw new Error((told && told.detail) || `the server answered ${answer.status}`);
  };

  return {
    name: about.name,
    back: `/jobs/${about.job}`,
    expires: about.expires,
    mayDecide: about.may_decide,
    work: about.work,
    read: () => ask('GET'),
    decide: (pairs) => ask('POST', { pairs: pairs.map(({ left, right, state, note }) => ({ left, right, state, note: note || '' })) }),
    /* The page as a file would have it: its policy stands in the page, not in the head of an answer. */
    clean: (shell) => {
      const policy = document.createElement('meta');
      policy.setAttribute('http-equiv', 'Content-Security-Policy');
      policy.setAttribute('content', about.policy);
      shell.querySelector('meta[charset]').after('\n', policy);
    },
  };
})();
