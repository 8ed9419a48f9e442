// A job: its progress and its result.
Cento.job = (() => {
  const { h, put, name } = Cento.dom;
  const { number, counted, bytes } = Cento.words;

  const titles = { pairwise: 'Pairwise test', verify: 'Verification', register: 'Registration' };
  const steps = {
    uploading: 'Sending the files', waiting: 'Waiting in the queue', finding: 'Finding documents', reading: 'Reading documents',
    comparing: 'Comparing', aligning: 'Aligning pairs', registering: 'Registering documents', writing: 'Writing the report',
  };
  const froms = { pairwise: '/pairwise', verify: '/verify', register: '/register' };
  const isLive = (job) => ['uploading', 'asking', 'waiting', 'running'].includes(job.state);

  const local = (time) => new Date(time).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  /* A time in the largest unit that it fills. */
  const span = (seconds) => {
    const [size, unit] = [[86400, 'day'], [3600, 'hour'], [60, 'minute'], [1, 'second']].find(([one]) => seconds >= one * (one === 86400 ? 2 : 1)) || [1, 'second'];
    return counted(Math.max(1, Math.round(seconds / size)), unit);
  };
  const lasts = (job) => `for ${span((new Date(job.expires) - Date.now()) / 1000)} more`;
  /* A name that every system takes for a file. */
  const fileName = (job) => [...job.name.replace(/\.(zip|tar|tgz|gz|txt|docx?|pdf)$/i, '')].map((letter) => (/[\p{L}\p{N}._ -]/u.test(letter) ? letter : '-')).slice(0, 80).join('').replace(/^[.\s-]+|[.\s-]+$/g, '') || 'report';
  const tile = (value, label) => h('div', { class: 'tile' }, h('dt', null, label), h('dd', null, value));

  const table = (caption, what, rows) => h('section', null, h('h2', null, caption),
    h('div', { class: 'scroller plain', tabindex: 0, role: 'region', 'aria-label': caption },
      h('table', { class: 'rows free' }, h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Id'), h('th', { scope: 'col' }, what))),
        h('tbody', null, rows.map(([id, said]) => h('tr', null, h('td', { class: 'wide' }, name(id)), h('td', { class: 'wide' }, said)))))));

  const registered = async (job) => {
    const result = await Cento.ask.get(`/jobs/${job.id}/report.json`);
    const became = (one) => (one.registered === 'version' ? `version ${one.version}` : one.registered === 'new' ? 'registered' : 'already registered');
    const twin = (one) => (one.same_text_as ? `; the same text is registered as ${Cento.words.printable(one.same_text_as)}` : '');
    const rows = [
      ...result.documents.map((one) => [one.id, became(one) + twin(one)]),
      ...result.skipped.map((one) => [one.id, `skipped: ${one.reason}`]),
    ];
    return table('Documents', 'Result', rows);
  };

  /* What could not be read or was not answered, and why. */
  const skipped = (job) => {
    const rows = (job.skipped_documents || []).map((one) => [one.id, one.reason]);
    if (rows.length === 0) return null;
    const more = job.skipped - rows.length;
    return [table('Skipped', 'Reason', rows), more > 0 && h('p', { class: 'note' }, `and ${number(more)} more`)];
  };

  const numbers = (job) => {
    const all = [tile(number(job.documents || 0), 'documents')];
    if (job.kind === 'register') all.push(tile(number(job.registered || 0), 'registered'), tile(number(job.unchanged || 0), 'already registered'));
    else all.push(tile(number(job.pairs || 0), job.kind === 'verify' ? 'hits' : 'pairs'), tile(number(job.families || 0), 'families'));
    all.push(tile(number(job.skipped || 0), 'skipped'));
    return h('dl', { class: 'tiles' }, all);
  };

  const show = async (session, id) => {
    const heading = h('h1', { tabindex: -1 }, 'Job');
    const lead = h('p', { class: 'verdict' });
    const alert = h('p', { class: 'alert', role: 'alert' });
    const body = h('div');
    const crumbs = h('nav', { class: 'crumbs', 'aria-label': 'Where you are' });
    const element = h('div', { class: 'view' }, crumbs, heading, lead, body, alert);
    const status = document.getElementById('status');

    /* A button that cancels or deletes; `question` is asked before. */
    const remove = (label, question) => {
      const button = h('button', { type: 'button', class: 'danger', id: 'remove', on: { click: async () => {
        alert.textContent = '';
        if (question && !await Cento.confirm(question())) return;
        button.disabled = true;
        try {
          await Cento.ask.remove(`/jobs/${id}`);
          const job = await Cento.ask.get(`/jobs/${id}`);
          if (isLive(job)) {
            // It ends when it has looked up from the document that it reads; the events tell when.
            button.textContent = 'Stopping…';
            return;
          }
          if (events) events.close();
          end(job);
        } catch (error) {
          alert.textContent = error.message;
          button.disabled = false;
        }
      } } }, label);
      return button;
    };

    // What was said about a server that could not be reached holds only until it answers.
    let isLost = false;
    const isBack = () => {
      if (isLost) alert.textContent = '';
      isLost = false;
    };

    const end = async (job) => {
      isBack();
      heading.textContent = `${titles[job.kind]}: ${job.summary}`;
      document.title = `${heading.textContent} · Cento`;
      status.textContent = heading.textContent;
      lead.textContent = '';
      if (job.state !== 'done') {
        const what = job.state === 'expired' ? 'Results are kept only for a while.' : 'The uploaded files have been removed.';
        put(body, skipped(job), h('p', { class: 'note' }, what), h('p', null, h('a', { href: froms[job.kind] }, 'Start again')));
        heading.focus();
        return;
      }
      const decided = job.decisions > 0 ? ` and ${counted(job.decisions, 'decision')} about it are` : ' is';
      const kept = h('p', { class: 'note spaced', id: 'kept' }, `The result${decided} kept until ${local(job.expires)}, which is ${lasts(job)}, and then removed. The uploaded files have been removed already.`);
      const another = h('p', null, h('a', { href: froms[job.kind] }, `Another ${titles[job.kind].toLowerCase()}`), ' · ', h('a', { href: '/jobs' }, 'All jobs'));
      const file = (form) => ({ href: `/api/v1/jobs/${job.id}/report.${form}`, download: `${fileName(job)}.${form}` });
      const deleting = () => ({
        title: 'Delete this result?',
        text: [name(job.name), job.kind === 'register' ? ': the list of what was registered will be gone. The documents stay registered.'
          : `: the report${job.decisions > 0 ? ` and ${counted(job.decisions, 'decision')} about its pairs` : ''} will be gone, for everybody who may see it. You cannot undo this.`],
        yes: 'Delete it', no: 'Keep it',
      });
      if (job.kind === 'register') {
        body.replaceChildren(numbers(job), await registered(job), h('section', { class: 'buttons' }, h('a', file('csv'), 'Table (CSV)'), h('a', file('json'), 'Data (JSON)'), remove('Delete this list now', deleting)), kept, another);
        heading.focus();
        return;
      }
      // A job that was over before its page was shown gets the focus with the page.
      const link = h('a', { class: 'main', id: 'report', autofocus: true, href: `/jobs/${job.id}/report` }, 'Show the report');
      put(body, numbers(job), skipped(job),
        h('section', { class: 'buttons' }, link,
          h('a', file('html'), 'Page to save (HTML)'), h('a', file('csv'), 'Table (CSV)'), h('a', file('json'), 'Data (JSON)'), remove('Delete it now', deleting)), kept, another);
      link.focus();
    };

    const bar = h('progress', { 'aria-label': 'Progress' });
    const step = h('p');
    let spoken = '';
    const going = (job) => {
      isBack();
      heading.textContent = titles[job.kind];
      lead.textContent = `${counted(job.files, 'file')}, ${bytes(job.bytes)}`;
      const { progress } = job;
      if (!progress) return;
      const of = progress.of > 0 ? `, ${number(progress.done)} of ${number(progress.of)}` : '';
      step.textContent = `${steps[progress.step]}${of}`;
      if (progress.of > 0) {
        bar.max = progress.of;
        bar.value = progress.done;
      } else {
        bar.removeAttribute('value');
      }
      // Steps are spoken, numbers are not: there would be no end of it.
      if (spoken !== progress.step) {
        spoken = progress.step;
        status.textContent = steps[progress.step];
      }
    };

    let events = null;
    const job = await Cento.ask.get(`/jobs/${id}`);
    put(crumbs, h('a', { href: '/jobs' }, 'Jobs'), ' › ', h('span', { id: 'job-name' }, name(job.name)));
    if (!isLive(job)) {
      end(job);
      return { element, title: titles[job.kind] };
    }
    if (job.state === 'asking') {
      heading.textContent = `${titles[job.kind]}: whose are these?`;
      const question = Cento.submitters.ask(job, () => location.reload());
      put(body, question.element, h('section', { class: 'buttons' }, question.go, remove('Cancel')),
        h('p', { class: 'note spaced' }, `Nothing is ${job.kind === 'register' ? 'registered' : 'verified'} yet. The files wait until ${local(job.expires)} and are then removed.`));
      question.show();
      return { element, title: heading.textContent };
    }
    body.replaceChildren(h('div', { class: 'progress' }, step, bar), h('section', { class: 'buttons' }, remove('Cancel')));
    going(job);
    events = new EventSource(`/api/v1/jobs/${id}/events`);
    events.addEventListener('progress', (event) => going(JSON.parse(event.data)));
    events.addEventListener('end', (event) => {
      events.close();
      end(JSON.parse(event.data));
    });
    events.addEventListener('error', async () => {
      // It tries again by itself; if the job is over by now, that is what there is to say.
      try {
        const now = await Cento.ask.get(`/jobs/${id}`);
        if (isLive(now)) return isBack();
        events.close();
        end(now);
      } catch (error) {
        isLost = true;
        alert.textContent = error.message;
      }
    });
    return { element, title: titles[job.kind] };
  };

  /* All jobs that one may see. */
  const all = async (session) => {
    const { jobs } = await Cento.ask.get('/jobs');
    const everybody = session.user.role === 'admin';
    const said = jobs.length === 0 ? 'There are none yet: a pairwise test, a verification or a registration makes one.' : `The latest ${counted(jobs.length, 'job')}${everybody ? ' of everybody' : ' of yours'}. Results are kept for ${span(session.keep_seconds)}.`;
    const element = h('div', { class: 'view' }, h('h1', null, 'Jobs'), h('p', { class: 'verdict' }, said), jobs.length > 0 && h('div', { class: 'spaced' }, list(jobs, everybody)));
    return { element, title: 'Jobs' };
  };

  /* The latest jobs as a table. */
  const list = (jobs, everybody) => h('div', { class: 'scroller plain', tabindex: 0, role: 'region', 'aria-label': 'Jobs' },
    h('table', { class: 'rows free plain-links' },
      h('thead', null, h('tr', null, ['Name', 'What', everybody && 'Whose', 'When', 'State', 'Kept until'].filter(Boolean).map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', null, jobs.map((job) => h('tr', null,
        h('td', { class: 'wide' }, h('a', { href: `/jobs/${job.id}` }, name(job.name || titles[job.kind]))), h('td', null, titles[job.kind]),
        everybody && h('td', null, name(job.owner)),
        h('td', null, local(job.created)), h('td', { class: 'wide' }, job.summary || (job.state === 'asking' ? 'asks whose its documents are' : job.state)), h('td', null, job.state === 'done' ? local(job.expires) : ''))))));

  return { show, list, all, local };
})();
