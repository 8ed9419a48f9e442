// Two texts that scroll in step: what corresponds stays side by side.
Cento.step = (() => {
  /* The passages that are in the same order in both texts and together have the most words. */
  const inOrder = (passages) => {
    const sorted = [...passages].sort((a, b) => a.left.start - b.left.start || a.right.start - b.right.start).slice(0, 2000);
    const best = sorted.map((passage) => ({ words: passage.left.words, before: -1 }));
    let last = -1;
    sorted.forEach((passage, i) => {
      for (let j = 0; j < i; j += 1) {
        if (sorted[j].left.end <= passage.left.start && sorted[j].right.end <= passage.right.start && best[j].words + passage.left.words > best[i].words) {
          best[i] = { words: best[j].words + passage.left.words, before: j };
        }
      }
      if (last < 0 || best[i].words > best[last].words) last = i;
    });
    const chain = [];
    for (let i = last; i >= 0; i = best[i].before) chain.unshift(sorted[i]);
    return chain;
  };

  /* Where a height in one text is in the other, between the two nearest points that are known. */
  const between = (points, side, height) => {
    let low = 0;
    let high = points.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (points[middle][side] <= height) low = middle;
      else high = middle;
    }
    const [a, b] = [points[low], points[high]];
    const length = b[side] - a[side];
    const share = length > 0 ? Math.max(0, Math.min(1, (height - a[side]) / length)) : 0;
    return a[1 - side] + share * (b[1 - side] - a[1 - side]);
  };

  /* The line of the pane at which things stand side by side. */
  const LINE = 0.3;

  /* panes: two scrolling elements; extents(passage): for each side [top, bottom] within the text. */
  return (panes, passages, extents) => {
    const chain = inOrder(passages);
    let points = null;
    let expected = null;
    let on = true;

    const measure = () => {
      points = [[0, 0]];
      for (const passage of chain) {
        const [left, right] = extents(passage);
        for (const edge of [0, 1]) {
          const [x, y] = points[points.length - 1];
          if (left && right && left[edge] > x && right[edge] > y) points.push([left[edge], right[edge]]);
        }
      }
      const [x, y] = points[points.length - 1];
      points.push([Math.max(x + 1, panes[0].scrollHeight), Math.max(y + 1, panes[1].scrollHeight)]);
    };

    const follow = (side) => {
      const [pane, other] = [panes[side], panes[1 - side]];
      // A scroll that this code made itself is not answered.
      if (expected && expected.pane === pane && Math.abs(expected.top - pane.scrollTop) < 2) {
        expected = null;
        return;
      }
      if (!on) return;
      if (!points) measure();
      const line = pane.clientHeight * LINE;
      const end = pane.scrollHeight - pane.clientHeight;
      let top = between(points, side, pane.scrollTop + line) - other.clientHeight * LINE;
      if (pane.scrollTop <= 0) top = 0;
      else if (pane.scrollTop >= end - 1) top = other.scrollHeight;
      top = Math.round(Math.max(0, Math.min(other.scrollHeight - other.clientHeight, top)));
      if (Math.abs(other.scrollTop - top) > 0.5) {
        expected = { pane: other, top };
        other.scrollTop = top;
      }
    };
    panes.forEach((pane, side) => pane.addEventListener('scroll', () => follow(side), { passive: true }));

    return {
      turn: (next) => {
        on = next;
      },
      remeasure: () => {
        points = null;
      },
      /* Brings both sides of a passage to the line. */
      show: (passage) => {
        const before = on;
        on = false;
        const places = extents(passage);
        panes.forEach((pane, side) => {
          if (places[side]) pane.scrollTop = Math.max(0, places[side][0] - pane.clientHeight * LINE);
        });
        requestAnimationFrame(() => requestAnimationFrame(() => {
          on = before;
        }));
      },
    };
  };
})();
