// Elements from names, attributes and children. Strings become text, never markup.
Cento.dom = (() => {
  const shown = (children) => children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

  const fill = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name === 'on') {
        for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
      } else {
        element.setAttribute(name, value === true ? '' : value);
      }
    }
    // One by one: a function takes only so many arguments, and a long text has more pieces.
    for (const child of shown(children)) element.append(child);
    return element;
  };

  const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

  const svg = (name, attributes, ...children) =>
    fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

  /* Puts children into an element, in place of those that it has; those that are not there are left out, as everywhere. */
  const put = (element, ...children) => element.replaceChildren(...shown(children));

  /* A document's name, kept apart from the direction of the text around it. */
  const name = (text, attributes) => h('bdi', { class: 'name', title: Cento.words.printable(text), ...attributes }, Cento.words.printable(text));

  /* A share as a bar of fixed length. */
  const bar = (share) =>
    svg('svg', { class: 'share', viewBox: '0 0 100 8', width: 64, height: 8, 'aria-hidden': 'true', preserveAspectRatio: 'none' },
      svg('rect', { class: 'rail', width: 100, height: 8 }),
      svg('rect', { class: 'fill', width: Math.max(0, Math.min(100, share * 100)), height: 8 }));

  /* A bar and its number, so that bars of a column begin at one place. */
  const meter = (share) => h('span', { class: 'meter' }, bar(share), h('span', { class: 'value' }, Cento.words.percent(share)));

  /* Runs a function once before the next picture, however often it is asked for. */
  const soon = (run) => {
    let asked = false;
    return () => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        run();
      });
    };
  };

  return { h, svg, put, name, bar, meter, soon };
})();
