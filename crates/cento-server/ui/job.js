// A job: its progress and its result.
Cento.job = (() => {
  const { h, put, name } = Cento.dom;
  const { number, counted, bytes } = Cento.words;

  const titles = { pairwise: 'Pairwise test', verify: 'Verification', register: 'Registration' };
  const steps = {
    uploading: 'Sending the files', waiting: 'Waiting in the queue', finding: 'Finding documents', reading: 'Reading documents',
    comparing: 'Comparing', aligning: 'Aligning pairs', registering: 'Registering documents', writing: 'Writing the report',
  };
  const isLive = (job) => ['uploading', 'waiting', 'running'].includes(job.state);

  const local = (time) => new Date(time).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
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
    const element = h('div', { class: 'view' }, heading, lead, body, alert);
    const status = document.getElementById('status');

    const remove = (label) => {
      const button = h('button', { type: 'button', class: 'danger', id: 'remove', on: { click: async () => {
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

    const end = async (job) => {
      heading.textContent = `${titles[job.kind]}: ${job.summary}`;
      document.title = `${heading.textContent} · Cento`;
      status.textContent = heading.textContent;
      lead.textContent = '';
      if (job.state !== 'done') {
        const what = job.state === 'expired' ? 'Results are kept only for a while.' : 'The uploaded files have been removed.';
        put(body, skipped(job), h('p', { class: 'note' }, what), h('p', null, h('a', { href: job.kind === 'register' ? '/register' : `/${job.kind}` }, 'Start again')));
        heading.focus();
        return;
      }
      const kept = h('p', { class: 'note' }, `The result is kept until ${local(job.expires)} and then removed. The uploaded files have been removed already.`);
      if (job.kind === 'register') {
        body.replaceChildren(numbers(job), await registered(job), h('section', { class: 'buttons' }, remove('Delete this list now')), kept);
        heading.focus();
        return;
      }
      // A job that was over before its page was shown gets the focus with the page.
      const link = h('a', { class: 'main', id: 'report', autofocus: true, href: `/jobs/${job.id}/report` }, 'Show the report');
      put(body, numbers(job), skipped(job),
        h('section', { class: 'buttons' }, link,
          h('a', { href: `/api/v1/jobs/${job.id}/report.csv`, download: 'pairs.csv' }, 'Table (CSV)'),
          h('a', { href: `/api/v1/jobs/${job.id}/report.json`, download: 'report.json' }, 'Data (JSON)'), remove('Delete it now')), kept);
      link.focus();
    };

    const bar = h('progress', { 'aria-label': 'Progress' });
    const step = h('p');
    let spoken = '';
    const going = (job) => {
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
    if (!isLive(job)) {
      end(job);
      return { element, title: titles[job.kind] };
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
        if (isLive(now)) return;
        events.close();
        end(now);
      } catch (error) {
        alert.textContent = error.message;
      }
    });
    return { element, title: titles[job.kind] };
  };

  /* The latest jobs as a table. */
  const list = (jobs, everybody) => h('div', { class: 'scroller plain', tabindex: 0, role: 'region', 'aria-label': 'Jobs' },
    h('table', { class: 'rows free plain-links' },
      h('thead', null, h('tr', null, ['What', everybody && 'Whose', 'When', 'State', 'Kept until'].filter(Boolean).map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', null, jobs.map((job) => h('tr', null,
        h('td', null, h('a', { href: `/jobs/${job.id}` }, titles[job.kind])),
        everybody && h('td', null, name(job.owner)),
        h('td', null, local(job.created)), h('td', { class: 'wide' }, job.summary || job.state), h('td', null, job.state === 'done' ? local(job.expires) : ''))))));

  return { show, list, local };
})();
