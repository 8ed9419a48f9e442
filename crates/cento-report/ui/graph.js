// The picture of the collection: documents that share more stand closer together.
Cento.graph = (() => {
  const { h, svg, put, name, soon } = Cento.dom;
  const { number, counted, percent, printable } = Cento.words;
  const FIRST = 20;
  const COLOURS = 10;
  // Up to so many, each node has its name and each edge is a line of its own.
  const NAMED = 80;
  const SINGLE = 1500;
  // Up to so many are shown from the beginning.
  const ALL = 600;
  // Pixels that a family needs around its points: for names on both sides, or for a frame.
  const named = (documents) => [2 * Math.max(...[...documents].map((document) => Cento.labels.width(shortened(document)))) + 44, 76];
  const FRAMED = [26, 52];
  // How much of that is above them; a family among many has its number there.
  const TOP = 0.6;
  // How much of it is between one frame and the next, on each side.
  const MARGIN = 0.1;
  // Pixels that the number of a family needs below the edge of its frame.
  const TITLE = 16;
  // What is at least between two points, in the units of the report.
  const APART = 28;
  // Pixels from which on a family is large enough for the names of its documents.
  const INSIDE = 260;

  const shortened = (document) => cut(printable(document.label), 26);
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

  return (state) => {
    const { report } = state;
    let most = null;
    let packed = { places: [], width: 1, height: 1, scale: 1 };
    let groups = [];
    let places = new Map();
    let nodes = new Map();
    let lines = [];
    let picked = null;
    let eye = { x: 0, y: 0, scale: 1 };
    const world = svg('g');
    const picture = svg('svg', { class: 'graph', role: 'group', 'aria-label': 'Documents as points; those that share more are closer together. Arrow keys go from one to the next, Enter shows its pairs, plus and minus zoom.' }, world);
    const panel = h('aside', { class: 'panel', 'aria-live': 'polite', 'aria-label': 'The chosen document' });
    const words = h('p', { class: 'note' });
    const more = h('button', { type: 'button', id: 'more', on: { click: () => grow(nodes.size * 2) } }, 'Show more');
    const all = h('button', { type: 'button', id: 'all', on: { click: () => grow(Infinity) } }, 'Show all');

    const grow = (next) => {
      most = next;
      draw();
    };

    /* Asked before the picture changes: after that, the browser would lay it all out to answer. */
    let room = [900, 560];
    const measure = () => {
      const box = picture.getBoundingClientRect();
      room = [box.width || 900, box.height || 560];
    };

    const onScreen = ([x, y]) => [x * eye.scale + eye.x, y * eye.scale + eye.y];

    /* The radius of points: equal documents stand APART from each other, and seen from afar do not hide each other either. */
    const size = () => {
      const [smallest, largest] = nodes.size > NAMED ? [2, 5] : [4, 8];
      return Math.min(largest, Math.max(smallest, (APART * eye.scale) / 2));
    };

    /* Names and numbers, as far as there is room for them at this scale. */
    const label = () => {
      const isMany = nodes.size > NAMED;
      const radius = size();
      const inside = new Map(packed.places.map(({ box, width }) => [box.members[0].family, width * eye.scale]));
      const order = [...nodes.keys()].sort((a, b) => Number(b === picked) - Number(a === picked) || b.partners - a.partners || a.number - b.number);
      Cento.labels(order.map((document) => {
        const text = nodes.get(document).querySelector('text');
        const isShown = !isMany || inside.get(document.family) >= INSIDE;
        if (!isShown) text.classList.add('crowded');
        return { at: onScreen(places.get(document)), radius, text: text.textContent, element: isShown ? text : null, first: Number(text.dataset.side) };
      }), lines.filter((line) => line.label).map(({ label: element }) => ({ at: onScreen([Number(element.dataset.x), Number(element.dataset.y)]), text: element.textContent, element })), room);
      // Frames that are many have less room above their points, and a number must not lie on them.
      const isFree = packed.gap && packed.gap[1] * (TOP - MARGIN) * eye.scale - radius >= TITLE;
      for (const { place, hull, title } of groups) {
        const wide = place.width * eye.scale;
        const [words, short] = [title.dataset.long, title.dataset.short];
        title.textContent = !isFree ? '' : wide > 190 ? words : wide > 30 ? short : '';
        hull.classList.toggle('open', wide > 700);
      }
    };
    const labelSoon = soon(label);

    const look = () => {
      world.setAttribute('transform', `translate(${eye.x.toFixed(2)} ${eye.y.toFixed(2)}) scale(${eye.scale.toFixed(4)})`);
      // Points and names keep their size, so that zooming in takes things apart.
      const back = (1 / eye.scale).toFixed(4);
      const radius = size().toFixed(2);
      for (const [document, node] of nodes) {
        const [x, y] = places.get(document);
        node.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${back})`);
        node.querySelector('circle').setAttribute('r', radius);
      }
      for (const { label: text } of lines) {
        if (text) text.setAttribute('transform', `translate(${text.dataset.x} ${text.dataset.y}) scale(${back})`);
      }
      for (const { place, title } of groups) title.setAttribute('transform', `translate(${(place.x + packed.gap[0] * MARGIN).toFixed(1)} ${(place.y + packed.gap[1] * MARGIN).toFixed(1)}) scale(${back})`);
      label();
    };
    const lookSoon = soon(look);

    /* Shows a part of the world in full. */
    const frame = ({ x, y, width: wide, height: tall }, largest) => {
      const [width, height] = room;
      const scale = Math.min(largest, width / wide, height / tall);
      eye = { scale, x: width / 2 - (x + wide / 2) * scale, y: height / 2 - (y + tall / 2) * scale };
      look();
    };
    const fit = () => nodes.size > 0 && frame({ x: 0, y: 0, width: packed.width, height: packed.height }, 2.2);

    const zoom = (factor, at) => {
      const [width, height] = room;
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
      labelSoon();
      for (const [one, node] of nodes) {
        node.classList.toggle('picked', one === document);
        node.setAttribute('tabindex', one === document ? 0 : -1);
      }
      for (const { pair, line } of lines) if (line) line.classList.toggle('near', pair.documents.includes(document));
      const pairs = state.pairs.filter((pair) => pair.documents.includes(document));
      put(panel,
        h('h2', null, h('a', { href: `#/document/${document.number}` }, name(document.label))),
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
      h('p', null, 'Colours are those of the families of the whole report, and stay when the threshold takes families apart. Choose a point to see its pairs, or a line to open the pair.'),
      groups.length > 0 && h('p', null, 'Each frame is a family, with how many documents are in it where there is room. Choose one to see inside; Fit leads back to all.'),
      !report.byDistance && h('p', { class: 'note' }, `The length of a line is ⌈−${report.settings?.['graph-scale'] ?? 100} ln s⌉ pixels for a ${report.byShare ? 'share' : 'score'} of s, as far as that is possible in a plane. Empty space between families means nothing.`));

    const node = (document, edges) => {
      // A name stands where its document has no lines.
      const lean = edges.reduce((sum, pair) => {
        if (!pair.documents.includes(document)) return sum;
        const other = pair.documents[0] === document ? pair.documents[1] : pair.documents[0];
        return sum + Math.sign(places.get(other)[0] - places.get(document)[0]);
      }, 0);
      const side = lean > 0 ? 1 : lean === 0 && document.partners > 1 ? 2 : 0;
      const element = svg('g', {
        class: `node colour-${document.colour % COLOURS}${document.old ? ' old' : ''}`, tabindex: -1, role: 'button',
        'aria-label': `${printable(document.label)}, ${counted(document.partners, 'pair')}`,
        on: { click: () => pick(document), focus: () => pick(document) },
      }, svg('title', null, printable(document.label)), svg('circle', { r: 8 }), svg('text', { 'data-side': side }, shortened(document)));
      element.classList.toggle('faded', !document.matches);
      return element;
    };

    /* A family among many: a frame to choose, and how many are in it. */
    const group = (place) => {
      const { members } = place.box;
      const title = svg('text', { class: 'group-title', x: 5, y: 14, 'aria-hidden': 'true', 'data-long': `Family ${number(members[0].family + 1)}: ${counted(members.length, 'document')}`, 'data-short': number(members.length) });
      const hull = svg('rect', {
        class: `hull colour-${members[0].colour % COLOURS}`, x: place.x + packed.gap[0] * MARGIN, y: place.y + packed.gap[1] * MARGIN, width: place.width - packed.gap[0] * 2 * MARGIN, height: place.height - packed.gap[1] * 2 * MARGIN,
        on: { click: () => frame(place, 6) },
      }, svg('title', null, `Family ${number(members[0].family + 1)}: ${counted(members.length, 'document')}. Choose it to see inside.`));
      return { place, hull, title };
    };

    const draw = () => {
      const connected = state.families.reduce((sum, family) => sum + family.length, 0);
      const chosen = choose(state.pairs, most ?? (connected <= ALL ? Infinity : FIRST));
      const edges = state.pairs.filter((pair) => pair.documents.every((document) => chosen.has(document)));
      words.textContent = connected === 0 ? 'No pair reaches the threshold.'
        : `${chosen.size < connected ? `The ${number(chosen.size)} most similar of ${number(connected)} documents` : `All ${number(connected)} documents`} that share ${report.byDistance ? 'a style' : state.enough(state.threshold)}, and ${counted(edges.length, 'pair')} among them.`;
      more.hidden = chosen.size >= connected;
      all.hidden = more.hidden;
      more.textContent = `Show ${number(Math.min(chosen.size, connected - chosen.size))} more`;
      measure();
      packed = Cento.packing(chosen, room, chosen.size > NAMED || chosen.size === 0 ? FRAMED : named(chosen));
      places = new Map(packed.places.flatMap(({ box, x, y }) => box.members.map((document) =>
        [document, [document.position[0] - box.left + x + packed.gap[0] / 2, document.position[1] - box.top + y + packed.gap[1] * TOP]])));
      groups = chosen.size > NAMED ? packed.places.map(group) : [];
      const many = edges.length > SINGLE;
      lines = many ? [] : edges.map((pair) => {
        const [[x1, y1], [x2, y2]] = pair.documents.map((document) => places.get(document));
        const strength = report.byDistance ? 0.3 : pair.value;
        const line = svg('line', { class: 'edge', x1: x1.toFixed(1), y1: y1.toFixed(1), x2: x2.toFixed(1), y2: y2.toFixed(1), 'stroke-width': (1 + 5 * strength).toFixed(1) },
          svg('title', null, `${pair.documents.map((document) => printable(document.label)).join(' and ')}${report.byDistance ? '' : `: ${percent(pair.value)}`}`));
        const target = svg('line', { class: 'target', x1, y1, x2, y2, on: { click: () => open(pair) } }, line.firstChild.cloneNode(true));
        const label = edges.length <= 40 && !report.byDistance && svg('text', { class: 'weight', 'data-x': ((x1 + x2) / 2).toFixed(1), 'data-y': ((y1 + y2) / 2).toFixed(1), 'aria-hidden': 'true' }, percent(pair.value));
        return { pair, line, target, label };
      });
      const paths = many ? [0, 1, 2, 3, 4].map((step) => {
        const some = edges.filter((pair) => Math.min(4, Math.floor(pair.value * 5)) === step);
        const path = some.map((pair) => pair.documents.map((document) => places.get(document).map(Math.round).join(' '))).map(([a, b]) => `M${a}L${b}`).join('');
        return svg('path', { class: 'edge', d: path, 'stroke-width': 0.5 + step * 0.6 });
      }) : [];
      nodes = new Map([...chosen].map((document) => [document, node(document, many ? [] : edges)]));
      world.replaceChildren(
        ...groups.map(({ hull }) => hull), ...groups.map(({ title }) => title), ...paths, ...lines.map(({ line }) => line), ...lines.map(({ target }) => target),
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
      fit();
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
        const link = panel.querySelector('.partners a');
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
      if (event.target === picture || event.target.classList.contains('hull')) {
        held = [event.clientX, event.clientY];
        if (event.target === picture) picture.setPointerCapture(event.pointerId);
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
      labelSoon();
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
      stale = false;
    };
    const refreshSoon = soon(() => !element.hidden && refresh());
    state.follow(() => {
      stale = true;
      if (!element.hidden) refreshSoon();
    });
    const refit = () => {
      measure();
      fit();
    };
    addEventListener('resize', soon(() => !element.hidden && refit()));
    return { element, title: () => 'Graph', shown: () => stale && refresh(), print: refit };
  };
})();
