// How many pairs have which score, and the threshold that can be moved over it.
Cento.histogram = (() => {
  const { h, svg } = Cento.dom;
  const { number, percent, threshold } = Cento.words;
  const [WIDTH, HEIGHT, FOOT] = [1000, 150, 22];

  /* Few pairs share much and very many a little, so the heights are logarithms. */
  const heights = (counts) => {
    const top = Math.log1p(Math.max(1, ...counts));
    return counts.map((count) => (Math.log1p(count) / top) * (HEIGHT - FOOT - 16));
  };

  const counts = (report) => {
    if (report.histogram) return report.histogram.slice(1);
    const made = new Array(100).fill(0);
    for (const pair of report.pairs) made[Math.max(0, Math.min(99, Math.ceil(pair.value * 100) - 1))] += 1;
    return made;
  };

  return (state) => {
    const { report, floor } = state;
    const what = report.byShare ? 'share' : 'score';
    /* Some may be listed for text that few have. */
    const some = !report.byShare && report.pairs.some((pair) => pair.score < floor);
    const step = WIDTH / 100;
    const base = HEIGHT - FOOT;
    const columns = svg('g', { class: 'columns' });
    const draw = () => {
      const all = counts(report);
      const tall = heights(all);
      columns.replaceChildren(...all.map((count, index) => svg('rect', {
        x: (index * step + 1).toFixed(1), y: (base - tall[index]).toFixed(1), width: step - 2, height: tall[index].toFixed(1),
      }, svg('title', null, `${number(count)} ${count === 1 ? 'pair has' : 'pairs have'} a ${what} of ${index} to ${index + 1} %`))));
      if (advice) advice.setAttribute('visibility', report.advice ? 'visible' : 'hidden');
    };
    const ticks = [0, 20, 40, 60, 80, 100].map((tick) => svg('text', {
      x: tick * step, y: HEIGHT - 6, 'text-anchor': tick === 0 ? 'start' : tick === 100 ? 'end' : 'middle', class: 'tick',
    }, `${tick} %`));
    const line = svg('line', { class: 'threshold', y1: 4, y2: base });
    const advice = report.advice && svg('g', { class: 'advice' },
      svg('line', { x1: report.advice.look_above * WIDTH, x2: report.advice.look_above * WIDTH, y1: 16, y2: base }),
      svg('text', { x: report.advice.look_above * WIDTH + 6, y: 24 }, `worth a look from ${percent(report.advice.look_above)}`));
    const picture = svg('svg', { class: 'histogram', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `How many pairs have which ${what}, on a logarithmic scale` },
      columns, svg('line', { class: 'axis', x1: 0, x2: WIDTH, y1: base, y2: base }), ticks, advice, line);
    const slider = h('input', {
      type: 'range', id: 'threshold', min: 0, max: 100, step: 1, 'aria-label': `Threshold: the lowest ${what} shown`,
      on: { input: () => state.setThreshold(Number(slider.value) / 100) },
    });
    const words = h('p', { class: 'note' });

    const point = (event) => {
      const box = picture.getBoundingClientRect();
      state.setThreshold(Math.round(((event.clientX - box.left) / box.width) * 100) / 100);
    };
    picture.addEventListener('pointerdown', (event) => {
      picture.setPointerCapture(event.pointerId);
      point(event);
    });
    picture.addEventListener('pointermove', (event) => {
      if (event.buttons & 1) point(event);
    });

    let drawn = null;
    const update = () => {
      if (drawn !== report.pairs) draw();
      drawn = report.pairs;
      const at = state.threshold * 100;
      [...columns.children].forEach((column, index) => column.setAttribute('class', index + 1 <= at ? 'under' : 'over'));
      const x = Math.min(WIDTH - 1, Math.max(1, at * step));
      line.setAttribute('x1', x);
      line.setAttribute('x2', x);
      slider.value = Math.round(at);
      slider.setAttribute('aria-valuetext', threshold(state.threshold));
      words.replaceChildren(
        `${number(state.pairs.length)} of ${number(report.pairs.length)} listed pairs ${what} ${state.enough(state.threshold)}.`,
        ...(floor > 0 ? [` ${report.histogram ? `This run counted pairs under ${threshold(floor)}, but did not list them` : `${some ? 'Other pairs' : 'Pairs'} under ${threshold(floor)} are not listed`}: that is its `, h('code', null, '--threshold'), '.'] : []));
    };
    state.follow(update);
    update();
    return h('div', { class: 'distribution' }, picture, slider, words);
  };
})();
