// The page for administrators.
Cento.admin = (() => {
  const { h, svg, name } = Cento.dom;
  const { number, bytes, counted } = Cento.words;

  const tile = (value, label, note) => h('div', { class: 'tile' }, h('dt', null, label), h('dd', null, value, note && h('small', null, note)));

  const growth = (days) => {
    if (days.length === 0) return h('p', { class: 'empty' }, 'Nothing is registered.');
    const most = Math.max(...days.map((day) => day.documents));
    const [width, height] = [18, 80];
    const bars = days.map((day, place) => {
      const tall = Math.max(2, Math.round((day.documents / most) * height));
      return svg('rect', { x: place * (width + 4), y: height - tall, width, height: tall }, svg('title', null, `${day.day}: ${counted(day.documents, 'document')}`));
    });
    const label = `Documents per day: ${days.map((day) => `${day.day} ${day.documents}`).join(', ')}`;
    return h('div', null,
      svg('svg', { class: 'growth', role: 'img', 'aria-label': label, width: days.length * (width + 4), height, viewBox: `0 0 ${days.length * (width + 4)} ${height}` }, bars),
      h('p', { class: 'note' }, `${days[0].day}${days.length > 1 ? ` to ${days[days.length - 1].day}` : ''}, days with registrations; at most ${number(most)} per day`));
  };

  const table = (caption, heads, rows) => h('div', { class: 'scroller plain', tabindex: 0, role: 'region', 'aria-label': caption },
    h('table', { class: 'rows free' }, h('thead', null, h('tr', null, heads.map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', null, rows.map((row) => h('tr', null, row.map((cell, place) => h('td', { class: place === row.length - 1 ? 'wide' : null }, cell)))))));

  const detail = (value) => {
    if (value === null || typeof value !== 'object') return String(value ?? '');
    const parts = Array.isArray(value) ? value.map(detail) : Object.entries(value).filter(([, one]) => one !== null && !(Array.isArray(one) && one.length === 0)).map(([key, one]) => `${key} ${detail(one)}`);
    return parts.join(', ');
  };

  /* A time that divides into whole units, as the server was told it. */
  const every = (seconds) => {
    const [size, unit] = [[86400, 'day'], [3600, 'hour'], [60, 'minute'], [1, 'second']].find(([one]) => seconds % one === 0);
    return seconds === size ? unit : `${number(seconds / size)} ${unit}s`;
  };

  const outcome = ({ latest, under_way: underWay }) => {
    if (underWay) return 'A check is running.';
    if (latest === null) return 'Never checked on this server.';
    const when = `${Cento.job.local(latest.ended)} by `;
    const found = latest.fault_count === 0 ? 'nothing is damaged' : counted(latest.fault_count, 'fault');
    return [when, name(latest.account), `: ${counted(latest.documents, 'document')}, ${counted(latest.postings, 'posting')}, ${found}.`];
  };

  /* A button that starts work on the registry, and shows how it stands until it is done. */
  const starter = (part, label, first, said, show) => {
    const watch = async () => {
      for (let state = { under_way: true }; state.under_way;) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        if (!start.isConnected) return;
        state = (await Cento.ask.get('/status')).registry[part];
        show(state);
      }
    };
    const start = h('button', { type: 'button', on: { click: async () => {
      start.disabled = true;
      try {
        await Cento.ask.post(`/${part}`, {});
        await watch();
      } catch (error) {
        said.textContent = error.message;
      }
      start.disabled = false;
    } } }, label);
    show(first);
    if (first.under_way) start.disabled = true;
    if (first.under_way) watch().finally(() => { start.disabled = false; });
    return h('div', { class: 'buttons spaced' }, start);
  };

  /* What the latest check found, with a button that starts another one. */
  const checks = (first) => {
    const said = h('p', { role: 'status' });
    const faults = h('ul');
    const start = starter('check', 'Check it now', first, said, (check) => {
      said.replaceChildren(...[outcome(check)].flat());
      faults.replaceChildren(...(check.latest === null ? [] : check.latest.faults.map((fault) => h('li', null, fault))));
    });
    return h('div', null, said, faults, first.every_seconds !== null && h('p', { class: 'note' }, `It is checked every ${every(first.every_seconds)}.`), start);
  };

  /* How the backups stand, with a button that makes another one. */
  const backups = (first) => {
    const byHand = h('p', { class: 'note' }, first === null && 'This server makes none by itself (', first === null && h('code', null, '--backup-every'), first === null && '). ', 'At any time: ', h('code', null, 'cento registry backup DEST'), ' or ', h('code', null, 'cento registry export DEST'), '. Neither contains the key.');
    if (first === null) return byHand;
    const said = h('p', { role: 'status' });
    const start = starter('backup', 'Back up now', first, said, (backup) => {
      const sentence = `${backup.summary.charAt(0).toUpperCase()}${backup.summary.slice(1)}.`;
      said.className = backup.latest !== null && backup.latest.error !== null ? 'alert' : '';
      said.textContent = backup.under_way ? 'A backup is being made.' : sentence;
    });
    return h('div', null, said, h('p', { class: 'note' }, 'One is made every ', every(first.every_seconds), ' in ', h('code', null, first.to), '.'), byHand, start);
  };

  return async () => {
    const [status, audit, jobs] = await Promise.all(['/status', '/audit?limit=100', '/jobs'].map(Cento.ask.get));
    const { registry, text_held: held } = status;
    const element = h('div', { class: 'view' }, h('h1', null, 'Administration'),
      h('dl', { class: 'tiles' },
        registry && tile(number(registry.documents), 'documents', registry.expired > 0 && `${number(registry.expired)} expired`),
        registry && tile(number(registry.postings), 'postings', `${counted(registry.segments, 'segment')}`),
        registry && tile(bytes(registry.bytes), 'registry on disk'),
        tile(bytes(held.bytes), 'text held', held.until ? `until ${Cento.job.local(held.until)}` : 'nothing'),
        tile(number(status.jobs), 'running jobs')),
      registry && h('section', null, h('h2', null, 'Growth'), h('div', { class: 'card' }, growth(registry.growth))),
      registry && h('section', null, h('h2', null, 'Check for damage'), checks(registry.check)),
      registry && h('section', null, h('h2', null, 'Sets'), table('Sets', ['Set', 'Documents'], registry.sets.map((one) => [one.set === null ? '(none)' : name(one.set), number(one.documents)]))),
      h('section', null, h('h2', null, 'Latest jobs'), jobs.jobs.length === 0 ? h('p', { class: 'note' }, 'None yet.') : Cento.job.list(jobs.jobs, true)),
      h('section', null, h('h2', null, 'Audit log'), table('Audit log', ['When', 'Who', 'Did', 'What'],
        audit.entries.map((entry) => [Cento.job.local(entry.time), name(entry.account), entry.action.replace('-', ' '), detail(entry.detail)]))),
      registry && h('section', null, h('h2', null, 'Backup'), backups(registry.backup)));
    return { element, title: 'Administration' };
  };
})();
