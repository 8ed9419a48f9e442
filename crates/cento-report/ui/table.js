// Tables of any length: only the rows that can be seen exist.
Cento.table = (() => {
  const { h, soon } = Cento.dom;
  const ROW = 38;
  const MORE = 12;
  const PRINTED = 500;

  /*
   * columns: { key, label, kind: 'number' | 'name', value: row → what to sort by, cell: row → content }
   * One column has `link: row → { href, label }`; a click anywhere in a row follows it. A column may have a `unit`.
   * sort: the order at first; chosen: another one, as `choose` was told of it; arranged: told of the rows in their order.
   */
  return ({ caption, columns, sort, empty, chosen = '', choose = () => {}, arranged = () => {} }) => {
    const ordered = (text) => {
      const [key, way] = text.split(':');
      return columns.some((column) => column.key === key) ? { key, down: way === 'down' } : sort;
    };
    let given = [];
    let rows = [];
    let order = ordered(chosen);
    let printing = false;
    const head = h('tr', { 'aria-rowindex': 1 });
    const body = h('tbody');
    const table = h('table', { class: 'rows' },
      h('caption', { class: 'hidden' }, caption),
      h('colgroup', null, columns.map((column) => h('col', { class: `col-${column.key}` }))),
      h('thead', null, head), body);
    const scroller = h('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': caption }, table);
    const nothing = h('p', { class: 'empty', hidden: true }, empty);
    const rest = h('p', { class: 'rest' });
    const element = h('div', { class: 'table' }, scroller, nothing, rest);

    let labels = '';
    const headers = () => {
      labels = columns.map((column) => column.label).join();
      head.replaceChildren(...columns.map((column) => {
        const sorted = order.key === column.key;
        const direction = sorted ? (order.down ? 'descending' : 'ascending') : null;
        const words = [column.label, column.unit && h('span', { class: 'unit' }, `, ${column.unit}`), h('span', { class: 'arrow', 'aria-hidden': 'true' }, sorted ? (order.down ? '↓' : '↑') : '')];
        // Browsers repeat a head on every page of paper only if no button is in it.
        const button = printing ? words : h('button', { type: 'button', class: 'sort', 'data-key': column.key, on: { click: () => by(column) } }, words);
        return h('th', { scope: 'col', class: column.kind, 'aria-sort': direction, title: column.title }, button);
      }));
    };

    const compare = (column) => (a, b) => {
      const [x, y] = [column.value(a), column.value(b)];
      const way = order.down ? -1 : 1;
      if (x === y) return a.number - b.number;
      return (typeof x === 'string' ? (x < y ? -1 : 1) : x - y) * way;
    };

    const arrange = () => {
      const column = columns.find((one) => one.key === order.key);
      // The report has its own order, which the first sorting shall not disturb.
      rows = column && !order.given ? [...given].sort(compare(column)) : given;
      arranged(rows);
    };

    const by = (column) => {
      const again = order.key === column.key && !order.given;
      order = { key: column.key, down: again ? !order.down : column.kind === 'number' };
      choose(`${order.key}:${order.down ? 'down' : 'up'}`);
      headers();
      arrange();
      scroller.scrollTop = 0;
      draw();
      head.querySelector(`[data-key="${column.key}"]`).focus();
    };

    const spacer = (height) =>
      height > 0 && h('tr', { class: 'spacer', 'aria-hidden': 'true' }, h('td', { colspan: columns.length, height }));

    const line = (row, index) =>
      h('tr', { 'aria-rowindex': index + 2, 'data-index': index }, columns.map((column) => {
        const content = column.cell(row);
        const link = column.link && column.link(row);
        return h('td', { class: column.kind },
          link ? [h('a', { href: link.href, 'aria-label': link.label }, [content].flat()[0]), [content].flat().slice(1)] : content);
      }));

    const draw = () => {
      const height = scroller.clientHeight || 600;
      let first = Math.max(0, Math.floor(scroller.scrollTop / ROW) - MORE);
      let last = Math.min(rows.length, first + Math.ceil(height / ROW) + 2 * MORE);
      if (printing) [first, last] = [0, Math.min(rows.length, PRINTED)];
      const focused = body.contains(document.activeElement) ? document.activeElement.closest('tr').dataset.index : null;
      body.replaceChildren(...[
        spacer(printing ? 0 : first * ROW),
        ...rows.slice(first, last).map((row, number) => line(row, first + number)),
        spacer(printing ? 0 : (rows.length - last) * ROW),
      ].filter(Boolean));
      if (focused !== null) focus(Number(focused));
      table.setAttribute('aria-rowcount', rows.length + 1);
      scroller.hidden = rows.length === 0;
      nothing.hidden = rows.length > 0;
      rest.textContent = printing && rows.length > PRINTED
        ? `The first ${Cento.words.number(PRINTED)} of ${Cento.words.number(rows.length)} are printed.` : '';
    };

    const focus = (index) => {
      const link = body.querySelector(`tr[data-index="${index}"] a`);
      if (link) link.focus({ preventScroll: true });
      return Boolean(link);
    };

    /* Shows a row and puts the focus on it. */
    const go = (index) => {
      const wanted = Math.max(0, Math.min(rows.length - 1, index));
      const top = wanted * ROW;
      const room = scroller.clientHeight - 2 * ROW;
      if (top < scroller.scrollTop) scroller.scrollTop = top;
      if (top > scroller.scrollTop + room) scroller.scrollTop = top - room;
      if (!focus(wanted)) {
        draw();
        focus(wanted);
      }
    };

    const keys = (event) => {
      const row = event.target.closest('tr[data-index]');
      if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
      const index = Number(row.dataset.index);
      const page = Math.max(1, Math.floor(scroller.clientHeight / ROW) - 2);
      const target = { ArrowDown: index + 1, ArrowUp: index - 1, PageDown: index + page, PageUp: index - page, Home: 0, End: rows.length - 1 }[event.key];
      if (target === undefined) return;
      event.preventDefault();
      go(target);
    };

    scroller.addEventListener('scroll', soon(draw));
    body.addEventListener('keydown', keys);
    body.addEventListener('click', (event) => {
      const link = event.target.closest('tr')?.querySelector('a');
      if (link && !event.target.closest('a') && String(getSelection()) === '') link.click();
    });
    headers();

    return {
      element,
      show: (next) => {
        given = next;
        if (labels !== columns.map((column) => column.label).join()) headers();
        arrange();
        scroller.scrollTop = Math.min(scroller.scrollTop, Math.max(0, rows.length * ROW - scroller.clientHeight));
        draw();
      },
      /* Another order, from an address. */
      sortBy: (text) => {
        if (`${order.key}:${order.down ? 'down' : 'up'}` === text && !order.given) return;
        if (order === ordered(text)) return;
        order = ordered(text);
        headers();
        arrange();
        draw();
      },
      redraw: draw,
      /* Puts the focus on a row, if it is there; says whether it is. */
      reveal: (row) => {
        const index = rows.indexOf(row);
        if (index < 0) return false;
        go(index);
        document.activeElement.scrollIntoView({ block: 'center' });
        return true;
      },
      print: (on) => {
        if (printing === on) return;
        printing = on;
        headers();
        draw();
      },
    };
  };
})();
