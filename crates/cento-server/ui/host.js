'use strict';

// What a report page of this server has that one from a file has not: the way back, and decisions that all who may
// see the job share. It runs before the page does, and leaves no trace in case files that are saved from it.
globalThis.CentoHost = (() => {
  const element = document.getElementById('cento-host');
  const about = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(element.textContent.trim()), (letter) => letter.charCodeAt(0))));
  element.remove();
  document.currentScript.remove();
  const path = `/api/v1/jobs/${about.job}/decisions`;

  const ask = async (method, body) => {
    let answer;
    try {
      answer = await fetch(path, {
        method,
        headers: { ...(about.forms ? { 'x-cento-forms': about.forms } : {}), ...(body ? { 'content-type': 'application/json' } : {}) },
        body: body && JSON.stringify(body),
        credentials: 'same-origin',
        cache: 'no-store',
      });
    } catch {
      throw new Error('the server cannot be reached');
    }
    const text = await answer.text();
    let told = null;
    try {
      told = JSON.parse(text);
    } catch { /* a proxy, or nobody */ }
    if (answer.ok && told) return told;
    if (answer.status === 401) throw new Error('you are logged out; log in in another tab and try again');
    if (answer.status === 404 || answer.status === 410) throw new Error('the job and its report have been removed from the server');
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
