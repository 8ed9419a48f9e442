// Families side by side, each with the shape that the report gives it, so that they fill the picture.
Cento.packing = (() => {
  const ROUNDS = 4;
  const TRIES = 24;
  const LARGEST = 2.2;
  // How much of the picture may be room around families; the rest is for their points.
  const AROUND = 0.6;

  const extent = (members) => {
    const [xs, ys] = [0, 1].map((axis) => members.map((document) => document.position[axis]));
    const [low, high] = [(all) => all.reduce((a, b) => Math.min(a, b)), (all) => all.reduce((a, b) => Math.max(a, b))];
    return { members, left: low(xs), top: low(ys), wide: high(xs) - low(xs), tall: high(ys) - low(ys) };
  };

  /* Rows of boxes, none wider than `full`. */
  const rows = (boxes, gap, full) => {
    let [across, down, row, widest] = [0, 0, 0, 0];
    const places = boxes.map((box) => {
      const [width, height] = [box.wide + gap[0], box.tall + gap[1]];
      if (across > 0 && across + width > full) [across, down, row] = [0, down + row, 0];
      const place = { box, x: across, y: down, width, height };
      across += width;
      widest = Math.max(widest, across);
      row = Math.max(row, height);
      return place;
    });
    return { places, width: widest, height: down + row };
  };

  /* documents: those to be shown, by family; room: the picture in pixels; around: pixels that a family needs
     around its points, for names, as far as there are so many. Returns boxes in the units of the report, and the scale that fits them. */
  return (documents, room, around) => {
    const groups = new Map();
    for (const document of documents) {
      if (!groups.has(document.family)) groups.set(document.family, []);
      groups.get(document.family).push(document);
    }
    const boxes = [...groups.values()].map(extent);
    if (boxes.length === 0) return { places: [], width: 1, height: 1, scale: 1 };
    const fit = (packed) => Math.min(LARGEST, room[0] / packed.width, room[1] / packed.height);
    const wanted = boxes.length * around[0] * around[1];
    const share = Math.min(1, Math.sqrt((AROUND * room[0] * room[1]) / wanted));
    let best = null;
    let scale = 1;
    // Names keep their size, whatever the scale: how much room they need depends on it, and the other way round.
    for (let round = 0; round < ROUNDS; round += 1) {
      const gap = around.map((pixels) => (pixels * share) / scale);
      const widest = Math.max(...boxes.map((box) => box.wide + gap[0]));
      const all = boxes.reduce((sum, box) => sum + box.wide + gap[0], 0);
      best = null;
      for (let step = 0; step <= TRIES; step += 1) {
        const packed = rows(boxes, gap, widest * (all / widest) ** (step / TRIES) + 1);
        if (!best || fit(packed) > fit(best)) best = { ...packed, gap };
      }
      scale = fit(best);
    }
    return { ...best, scale };
  };
})();
