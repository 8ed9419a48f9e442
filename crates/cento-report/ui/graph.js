// The picture of the collection: documents that share more stand closer together.
Cento.graph = (() => {
  const { h, svg, put, name, soon } = Cento.dom;
  const { number, counted, percent, printable } = Cento.words;
  const FIRST = 20;
  const COLOURS = 10;
  // Up to so many, each node has its name and each edge is a line of its own.
  const NAMED = 80;
  const SINGLE = 1500;
  // Room around a family, with and without names on both sides.
  const GAPS = { named: [290, 76], plain: [60, 60] };

  const cut = (text, most) => ([...text].length > most ? `${[...text].slice(0, most - 1).join('')}…` : text);

  /* The documents of the first pairs, until there are enough. */
  const choose = (pairs, most) => {
    const chosen = new Set();
    for (const pair of pairs) {
      for (const document of pair.documents) {
        if (chosen.size < most && document.position) chosen.add(document);
      }
      if (chosen.size >= most) break;
    }
    return chosen;
  };

  /* Families side by side, each with the shape that the report gives it. */
  const pack = (documents, width, height) => {
    const gap = documents.size > NAMED ? GAPS.plain : GAPS.named;
    const groups = new Map();
    for (const document of documents) {
      if (!groups.has(document.family)) groups.set(document.family, []);
      groups.get(document.family).push(document);
    }
    const boxes = [...groups.values()].map((members) => {
      const [xs, ys] = [0, 1].map((axis) => members.map((document) => document.position[axis]));
      const low = (numbers) => numbers.reduce((a, b) => Math.min(a, b));
      const high = (numbers) => numbers.reduce((a, b) => Math.max(a, b));
      return { members, left: low(xs), top: low(ys), width: high(xs) - low(xs) + gap[0], height: high(ys) - low(ys) + gap[1] };
    });
    const area = boxes.reduce((sum, box) => sum + box.width * box.height, 0);
    const widest = boxes.reduce((most, box) => Math.max(most, box.width), 0);
    const full = Math.max(widest, Math.sqrt((area * width) / height) * 1.1);
    let [across, down, row] = [0, 0, 0];
    const places = new Map();
    for (const box of boxes) {
      if (across > 0 && across + box.width > full) [across, down, row] = [0, down + row, 0];
      for (const document of box.members) {
        places.set(document, [document.position[0] - box.left + across, document.position[1] - box.top + down]);
      }
      across += box.width;
      row = Math.max(row, box.height);
    }
    return places;
  };

  return (state) => {
    const { report } = state;
    let most = FIRST;
    let places = new Map();
    let nodes = new Map();
    let lines = [];
    let picked = null;
    let eye = { x: 0, y: 0, scale: 1 };
    const world = svg('g');
    const picture = svg('svg', { class: 'graph', role: 'group', 'aria-label': 'Documents as points; those that share more are closer together. Arrow keys go from one to the next, Enter shows its pairs, plus and minus zoom.' }, world);
    const panel = h('aside', { class: 'panel', 'aria-live': 'polite', 'aria-label': 'The chosen document' });
    const words = h('p', { class: 'note' });
    const more = h('button', { type: 'button', id: 'more', on: { click: () => grow(most * 2) } }, 'Show more');
    const all = h('button', { type: 'button', id: 'all', on: { click: () => grow(Infinity) } }, 'Show all');

    const grow = (next) => {
      most = next;
      draw();
      fit();
    };

    const size = () => {
      const box = picture.getBoundingClientRect();
      return [box.width || 900, box.height || 560];
    };

    const look = () => {
      world.setAttribute('transform', `translate(${eye.x.toFixed(2)} ${eye.y.toFixed(2)}) scale(${eye.scale.toFixed(4)})`);
      // Points and names keep their size, so that zooming in takes things apart.
      const back = (1 / eye.scale).toFixed(4);
      for (const [document, node] of nodes) {
        const [x, y] = places.get(document);
        node.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${back})`);
      }
      for (const { label } of lines) {
        if (!label) continue;
        label.setAttribute('transform', `translate(${label.dataset.x} ${label.dataset.y}) scale(${back})`);
        label.classList.toggle('tight', Number(label.dataset.length) * eye.scale < 75);
      }
    };
    const lookSoon = soon(look);

    const fit = () => {
      const [width, height] = size();
      const points = [...places.values()];
      if (points.length === 0) return;
      const [left, right, top, bottom] = points.reduce(([a, b, c, d], [x, y]) =>
        [Math.min(a, x), Math.max(b, x), Math.min(c, y), Math.max(d, y)], [Infinity, -Infinity, Infinity, -Infinity]);
      const [wide, tall] = [right - left, bottom - top];
      const scale = Math.min(2.2, (width - 260) / Math.max(wide, 1), (height - 100) / Math.max(tall, 1));
      eye = { scale, x: width / 2 - (left + wide / 2) * scale, y: height / 2 - (top + tall / 2) * scale };
      look();
    };

    const zoom = (factor, at) => {
      const [width, height] = size();
      const [x, y] = at || [width / 2, height / 2];
      const scale = Math.min(40, Math.max(0.01, eye.scale * factor));
      const by = scale / eye.scale;
      eye = { scale, x: x - (x - eye.x) * by, y: y - (y - eye.y) * by };
      lookSoon();
    };

    const open = (pair) => {
      location.hash = `#/pair/${pair.number}`;
    };

    const pick = (document) => {
      picked = document;
      for (const [one, node] of nodes) {
        node.classList.toggle('picked', one === document);
        node.setAttribute('tabindex', one === document ? 0 : -1);
      }
      for (const { pair, line } of lines) if (line) line.classList.toggle('near', pair.documents.includes(document));
      const pairs = state.pairs.filter((pair) => pair.documents.includes(document));
      put(panel,
        h('h2', null, name(document.label)),
        h('p', { class: 'note' }, document.registered ? `registered: ${Cento.registered.brief(document)}` : `${counted(document.words, Cento.program.unit(document))}; ${percent(document.found)} of it is in some other document${document.date ? `; ${document.date}` : ''}`),
        h('ul', { class: 'partners' }, pairs.slice(0, 50).map((pair) => {
          const other = pair.documents[0] === document ? pair.documents[1] : pair.documents[0];
          return h('li', null, h('a', { href: `#/pair/${pair.number}` }, name(other.label)), h('span', { class: 'value' }, report.byDistance ? pair.distance.toPrecision(3) : percent(pair.value)));
        })),
        pairs.length > 50 && h('p', { class: 'note' }, `and ${number(pairs.length - 50)} more`));
    };

    const hint = () => put(panel,
      h('h2', null, 'How to read this'),
      h('p', null, report.byDistance ? 'Each point is a document. Documents of similar style are close together.'
        : 'Each point is a document. Two that share text are joined by a line; the more they share, the closer they are and the thicker the line.'),
      h('p', null, 'Colours tell families apart. Choose a point to see its pairs, or a line to open the pair.'),
      !report.byDistance && h('p', { class: 'note' }, `The length of a line is ⌈−${report.settings?.['graph-scale'] ?? 100} ln s⌉ pixels for a ${report.byShare ? 'share' : 'score'} of s, as far as that is possible in a plane. Empty space between families means nothing.`));

    const node = (document, edges) => {
      // A name stands where its document has no lines.
      const lean = edges.reduce((sum, pair) => {
        if (!pair.documents.includes(document)) return sum;
        const other = pair.documents[0] === document ? pair.documents[1] : pair.documents[0];
        return sum + Math.sign(places.get(other)[0] - places.get(document)[0]);
      }, 0);
      const side = lean > 0 ? { x: -13, y: 4, 'text-anchor': 'end' } : { x: 13, y: 4 };
      const label = lean === 0 && document.partners > 1 ? { y: -14, 'text-anchor': 'middle' } : side;
      const element = svg('g', {
        class: `node colour-${(document.family || 0) % COLOURS}${document.old ? ' old' : ''}`, tabindex: -1, role: 'button',
        'aria-label': `${printable(document.label)}, ${counted(document.partners, 'pair')}`,
        on: { click: () => pick(document), focus: () => pick(document) },
      }, svg('title', null, printable(document.label)), svg('circle', { r: 8 }), svg('text', label, cut(printable(document.label), 26)));
      element.classList.toggle('faded', !document.matches);
      return element;
    };

    const draw = () => {
      const chosen = choose(state.pairs, most);
      const edges = state.pairs.filter((pair) => pair.documents.every((document) => chosen.has(document)));
      const [width, height] = size();
      places = pack(chosen, width, height);
      const many = edges.length > SINGLE;
      lines = many ? [] : edges.map((pair) => {
        const [[x1, y1], [x2, y2]] = pair.documents.map((document) => places.get(document));
        const strength = report.byDistance ? 0.3 : pair.value;
        const line = svg('line', { class: 'edge', x1: x1.toFixed(1), y1: y1.toFixed(1), x2: x2.toFixed(1), y2: y2.toFixed(1), 'stroke-width': (1 + 5 * strength).toFixed(1) },
          svg('title', null, `${pair.documents.map((document) => printable(document.label)).join(' and ')}${report.byDistance ? '' : `: ${percent(pair.value)}`}`));
        const target = svg('line', { class: 'target', x1, y1, x2, y2, on: { click: () => open(pair) } }, line.firstChild.cloneNode(true));
        const label = edges.length <= 40 && !report.byDistance && svg('text', { class: 'weight', 'data-x': ((x1 + x2) / 2).toFixed(1), 'data-y': ((y1 + y2) / 2).toFixed(1), 'data-length': Math.hypot(x1 - x2, y1 - y2).toFixed(1), 'aria-hidden': 'true' }, percent(pair.value));
        return { pair, line, target, label };
      });
      const paths = many ? [0, 1, 2, 3, 4].map((step) => {
        const some = edges.filter((pair) => Math.min(4, Math.floor(pair.value * 5)) === step);
        const path = some.map((pair) => pair.documents.map((document) => places.get(document).map((at) => at.toFixed(0)).join(' '))).map(([a, b]) => `M${a}L${b}`).join('');
        return svg('path', { class: 'edge', d: path, 'stroke-width': 0.5 + step * 0.6 });
      }) : [];
      nodes = new Map([...chosen].map((document) => [document, node(document, many ? [] : edges)]));
      world.replaceChildren(
        ...paths, ...lines.map(({ line }) => line), ...lines.map(({ target }) => target),
        ...lines.filter(({ label }) => label).map(({ label }) => label), ...nodes.values());
      picture.classList.toggle('many', chosen.size > NAMED);
      picture.classList.toggle('huge', chosen.size > 10 * NAMED);
      const first = nodes.values().next().value;
      if (picked && nodes.has(picked)) pick(picked);
      else {
        picked = null;
        hint();
        if (first) first.setAttribute('tabindex', 0);
      }
      const connected = state.families.reduce((sum, family) => sum + family.length, 0);
      words.textContent = connected === 0 ? 'No pair reaches the threshold.'
        : `${chosen.size < connected ? `The ${number(chosen.size)} most similar of ${number(connected)} documents` : `All ${number(connected)} documents`} that share ${report.byDistance ? 'a style' : state.enough(state.threshold)}, and ${counted(edges.length, 'pair')} among them.`;
      more.hidden = chosen.size >= connected;
      all.hidden = more.hidden;
      more.textContent = `Show ${number(Math.min(most, connected - chosen.size))} more`;
      look();
    };

    /* The nearest point that lies in the direction of an arrow. */
    const next = (from, key) => {
      const [dx, dy] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
      const [x, y] = places.get(from);
      let best = null;
      for (const [document, [u, v]] of places) {
        const along = (u - x) * dx + (v - y) * dy;
        const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
        if (document !== from && along > 0 && (!best || along + 2 * aside < best.cost)) best = { document, cost: along + 2 * aside };
      }
      return best && best.document;
    };

    picture.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '+' || event.key === '=') zoom(1.25);
      else if (event.key === '-') zoom(0.8);
      else if (event.key === '0') fit();
      else if (event.key.startsWith('Arrow') && nodes.size > 0) {
        const document = next(picked || nodes.keys().next().value, event.key);
        if (document) nodes.get(document).focus();
      } else if (event.key === 'Enter' || event.key === ' ') {
        const link = panel.querySelector('a');
        if (link) link.focus();
      } else return;
      event.preventDefault();
    });
    picture.addEventListener('wheel', (event) => {
      event.preventDefault();
      const box = picture.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY * 0.0015), [event.clientX - box.left, event.clientY - box.top]);
    }, { passive: false });
    let held = null;
    picture.addEventListener('pointerdown', (event) => {
      if (event.target === picture) {
        held = [event.clientX, event.clientY];
        picture.setPointerCapture(event.pointerId);
      }
    });
    picture.addEventListener('pointermove', (event) => {
      if (!held) return;
      eye = { ...eye, x: eye.x + event.clientX - held[0], y: eye.y + event.clientY - held[1] };
      held = [event.clientX, event.clientY];
      lookSoon();
    });
    picture.addEventListener('pointerup', () => {
      held = null;
    });

    const element = h('div', { class: 'view graph-view' },
      h('div', { class: 'lead row' }, h('div', null, h('h1', null, 'Graph'), words),
        h('div', { class: 'tools' }, more, all,
          h('button', { type: 'button', 'aria-label': 'Zoom in', on: { click: () => zoom(1.4) } }, '+'),
          h('button', { type: 'button', 'aria-label': 'Zoom out', on: { click: () => zoom(1 / 1.4) } }, '−'),
          h('button', { type: 'button', on: { click: fit } }, 'Fit'))),
      h('div', { class: 'stage' }, picture, panel));
    let stale = true;
    const refresh = () => {
      draw();
      fit();
      stale = false;
    };
    const refreshSoon = soon(() => !element.hidden && refresh());
    state.follow(() => {
      stale = true;
      if (!element.hidden) refreshSoon();
    });
    addEventListener('resize', soon(() => !element.hidden && fit()));
    return { element, title: () => 'Graph', shown: () => stale && refresh(), print: () => fit() };
  };
})();
