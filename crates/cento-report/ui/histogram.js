// How many pairs have which score: bars that can be chosen, and the threshold that can be moved below them.
Cento.histogram = (() => {
  const { h, svg } = Cento.dom;
  const { an, number, percent, threshold } = Cento.words;
  const [HEIGHT, FOOT, HEAD] = [190, 24, 18];
  // A narrow screen gets a narrower picture, so that what is written in it stays as large.
  const NARROW = matchMedia('(max-width: 46rem)');
  const shape = () => (NARROW.matches ? [400, 36] : [1000, 58]);

  const counts = (state) => {
    const { report } = state;
    if (report.histogram && !state.measure) return report.histogram.slice(1);
    const made = new Array(100).fill(0);
    for (const pair of report.pairs) made[Math.max(0, Math.min(99, Math.ceil(pair.value * 100) - 1))] += 1;
    return made;
  };

  /* Few pairs share much and very many a little, so the heights are logarithms unless somebody wants them plain. */
  const SCALES = { logarithmic: Math.log1p, linear: (count) => count };

  /* Round numbers for the axis, from nothing to the highest bar. */
  const steps = (top, scale) => {
    if (scale === 'logarithmic') {
      const powers = [1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9].filter((power) => power <= top);
      return powers.length > 5 ? powers.filter((_, at) => at % 2 === 0) : powers;
    }
    const power = 10 ** Math.floor(Math.log10(Math.max(1, top)));
    const step = [power / 5, power / 2, power, power * 2].map((one) => Math.max(1, one)).find((one) => top / one <= 5) || power;
    return Array.from({ length: Math.floor(top / step) }, (_, at) => Math.round((at + 1) * step));
  };

  return (state) => {
    const { report } = state;
    let [WIDTH, MARGIN] = shape();
    const base = HEIGHT - FOOT;
    const at = (share) => MARGIN + share * (WIDTH - MARGIN);
    const what = () => (state.measures.find(({ key }) => key === state.measure) || {}).label || (report.byShare ? 'share' : 'score');
    const columns = svg('g', { class: 'columns' });
    const axis = svg('g', { class: 'scale', 'aria-hidden': 'true' });
    const line = svg('line', { class: 'threshold', y1: HEAD, y2: base });
    const advice = svg('g', { class: 'advice' });
    const picture = svg('svg', { class: 'histogram', role: 'group' },
      axis, svg('text', { class: 'tick', x: 0, y: 11 }, 'pairs'), columns, advice, line);
    const slider = h('input', {
      type: 'range', id: 'threshold', min: 0, max: 100, step: 1,
      on: { input: () => state.setThreshold(Number(slider.value) / 100) },
    });
    const words = h('p', { class: 'note' });
    const clear = h('button', { type: 'button', id: 'clear-range', on: { click: () => state.choose({ range: null }) } }, 'All bars');
    const scale = h('button', { type: 'button', class: 'quiet', id: 'scale', on: { click: () => {
      state.choose({ scale: state.scale === 'linear' ? 'logarithmic' : 'linear' });
      draw();
      update();
    } } });

    /* One bar, or all between two. The bars of pairs that are not listed show nothing, and cannot be chosen. */
    const isListed = (index) => index + 1 > Math.round(state.floor * 100) || state.floor === 0;
    const choose = (one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      const range = [from / 100, (to + 1) / 100];
      state.choose({ range: String(range) === String(state.range) ? null : range });
    };
    const bar = (count, index, height) => svg('rect', {
      x: (at(index / 100) + (NARROW.matches ? 0.3 : 1)).toFixed(1), y: (base - height).toFixed(1), width: ((WIDTH - MARGIN) / 100 - (NARROW.matches ? 0.6 : 2)).toFixed(1), height: height.toFixed(1), 'data-bar': index,
      ...(count > 0 && isListed(index) ? { role: 'button', tabindex: -1, 'aria-label': `${number(count)} ${count === 1 ? 'pair has' : 'pairs have'} ${an(what())} of ${index} to ${index + 1} %` } : { 'aria-hidden': 'true' }),
    }, svg('title', null, `${number(count)} ${count === 1 ? 'pair has' : 'pairs have'} ${an(what())} of ${index} to ${index + 1} %`));
    const buttons = () => [...columns.querySelectorAll('[role="button"]')];

    const draw = () => {
      [WIDTH, MARGIN] = shape();
      picture.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
      const all = counts(state);
      const top = Math.max(1, ...all);
      const scaled = SCALES[state.scale];
      const height = (count) => (scaled(count) / scaled(top)) * (base - HEAD);
      columns.replaceChildren(...all.map((count, index) => bar(count, index, height(count))));
      buttons()[0]?.setAttribute('tabindex', 0);
      const ticks = (NARROW.matches ? [0, 25, 50, 75, 100] : [0, 20, 40, 60, 80, 100]).map((tick) => svg('text', {
        x: at(tick / 100), y: HEIGHT - 6, 'text-anchor': tick === 100 ? 'end' : 'middle', class: 'tick',
      }, `${tick} %`));
      axis.replaceChildren(svg('line', { class: 'axis', x1: MARGIN, x2: WIDTH, y1: base, y2: base }), svg('g', null, ticks), ...steps(top, state.scale).flatMap((count) => {
        const y = (base - height(count)).toFixed(1);
        return [svg('line', { class: 'grid', x1: MARGIN, x2: WIDTH, y1: y, y2: y }), svg('text', { class: 'tick count', x: MARGIN - 8, y: Number(y) + 4, 'text-anchor': 'end' }, number(count))];
      }));
      const from = report.advice && !state.measure ? report.advice.look_above : null;
      const isLate = from > 0.7;
      advice.replaceChildren(...(from === null ? [] : [
        svg('line', { x1: at(from), x2: at(from), y1: 4, y2: base }),
        svg('text', { x: at(from) + (isLate ? -6 : 6), y: 13, 'text-anchor': isLate ? 'end' : 'start' }, `worth a look from ${percent(from)}`)]));
      picture.setAttribute('aria-label', `How many pairs have which ${what()}, on a ${state.scale} scale. Choose bars to see their pairs.`);
      slider.setAttribute('aria-label', `Threshold: the lowest ${what()} shown`);
      scale.textContent = `Scale: ${state.scale}`;
    };

    let held = null;
    const index = (event) => {
      const box = picture.getBoundingClientRect();
      const share = (((event.clientX - box.left) / box.width) * WIDTH - MARGIN) / (WIDTH - MARGIN);
      return Math.max(0, Math.min(99, Math.floor(share * 100)));
    };
    picture.addEventListener('pointerdown', (event) => {
      held = index(event);
      picture.setPointerCapture(event.pointerId);
    });
    picture.addEventListener('pointerup', (event) => {
      if (held === null) return;
      // A finger is wider than a bar: a tap beside one means the nearest.
      const all = counts(state);
      const near = (one) => [0, 1, -1, 2, -2].map((by) => one + by).find((some) => all[some] > 0 && isListed(some)) ?? one;
      const to = index(event);
      if (held === to) choose(near(to), near(to));
      else choose(held, to);
      held = null;
    });
    columns.addEventListener('keydown', (event) => {
      const all = buttons();
      const here = all.indexOf(event.target);
      const next = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: all.length - 1 }[event.key];
      if (event.key === 'Enter' || event.key === ' ') choose(Number(event.target.dataset.bar), Number(event.target.dataset.bar));
      else if (all[next]) {
        all.forEach((one, number) => one.setAttribute('tabindex', number === next ? 0 : -1));
        all[next].focus();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    });

    let drawn = null;
    const update = () => {
      if (drawn !== `${state.measure} ${state.common} ${state.scale}`) draw();
      drawn = `${state.measure} ${state.common} ${state.scale}`;
      const share = state.threshold * 100;
      const isChosen = (number) => state.range && number >= state.range[0] * 100 - 1e-9 && number + 1 <= state.range[1] * 100 + 1e-9;
      [...columns.children].forEach((column, number) => {
        column.setAttribute('class', `${number + 1 <= share ? 'under' : 'over'}${isChosen(number) ? ' chosen' : ''}`);
        if (column.getAttribute('role')) column.setAttribute('aria-pressed', Boolean(isChosen(number)));
      });
      picture.classList.toggle('ranged', Boolean(state.range));
      const x = Math.min(WIDTH - 1, Math.max(MARGIN, at(state.threshold)));
      line.setAttribute('x1', x);
      line.setAttribute('x2', x);
      slider.value = Math.round(share);
      slider.setAttribute('aria-valuetext', threshold(state.threshold));
      clear.hidden = !state.range;
      if (state.range) clear.textContent = `Only ${Math.round(state.range[0] * 100)} to ${Math.round(state.range[1] * 100)} % ×`;
      const { floor } = state;
      /* Some may be listed for text that few have. */
      const some = !report.byShare && report.pairs.some((pair) => pair.score < floor);
      words.replaceChildren(
        state.measure ? `${number(state.pairs.length)} of ${number(report.pairs.length)} listed pairs have ${an(what())} of ${state.enough(state.threshold)}.`
          : `${number(state.pairs.length)} of ${number(report.pairs.length)} listed pairs ${what()} ${state.enough(state.threshold)}.`,
        ...(floor > 0 ? [` ${report.histogram ? `This run counted pairs under ${threshold(floor)}, but did not list them: that is its ` : `${some ? 'Other pairs' : 'Pairs'} under ${threshold(floor)} are not listed: that is the run’s `}`, h('code', null, '--threshold'), '.'] : []));
    };
    state.follow(update);
    update();
    NARROW.addEventListener('change', () => {
      draw();
      update();
    });
    return h('div', { class: 'distribution' }, h('div', { class: 'options' }, scale, clear), picture, slider, words);
  };
})();
