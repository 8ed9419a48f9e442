// Names in a picture that never lie on each other: each stands where there is room, or waits until there is.
Cento.labels = (() => {
  const CELL = 48;
  const HEIGHT = 16;

  /* Rectangles that have been taken, found by the squares that they are in. */
  const taken = () => {
    const cells = new Map();
    const each = ([left, top, right, bottom], act) => {
      for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x += 1) {
        for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y += 1) {
          if (act(`${x} ${y}`) === false) return false;
        }
      }
      return true;
    };
    return {
      take: (box) => each(box, (cell) => {
        if (!cells.has(cell)) cells.set(cell, []);
        cells.get(cell).push(box);
      }),
      isFree: (box) => each(box, (cell) => !(cells.get(cell) || []).some((other) => other[0] < box[2] && other[2] > box[0] && other[1] < box[3] && other[3] > box[1])),
    };
  };

  let pen = null;
  const widths = new Map();
  const width = (text) => {
    pen ||= document.createElement('canvas').getContext('2d');
    pen.font = '12.5px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif';
    if (!widths.has(text)) widths.set(text, pen.measureText(text).width);
    return widths.get(text);
  };

  /* Where a name can stand beside a point: [box, attributes]. */
  const sides = ([x, y], wide, away) => [
    [[x + away, y - HEIGHT / 2, x + away + wide, y + HEIGHT / 2], { x: away, y: 4, 'text-anchor': 'start' }],
    [[x - away - wide, y - HEIGHT / 2, x - away, y + HEIGHT / 2], { x: -away, y: 4, 'text-anchor': 'end' }],
    [[x - wide / 2, y - away - HEIGHT, x + wide / 2, y - away], { x: 0, y: -away - 3, 'text-anchor': 'middle' }],
    [[x - wide / 2, y + away, x + wide / 2, y + away + HEIGHT], { x: 0, y: away + 11, 'text-anchor': 'middle' }],
  ];

  /* points: [{ at: [x, y] in pixels, radius, text, element, first: the side that is best }], the important ones
     first; small: [{ at, text, element }], which stand on their places or not at all; room: [width, height]. */
  const place = (points, small, room) => {
    const space = taken();
    const isInside = ([left, top, right, bottom]) => left >= 0 && top >= 0 && right <= room[0] && bottom <= room[1];
    const isSeen = ([x, y]) => x > -40 && y > -40 && x < room[0] + 40 && y < room[1] + 40;
    for (const { at: [x, y], radius } of points) space.take([x - radius, y - radius, x + radius, y + radius]);
    for (const { at, radius, text, element, first = 0 } of points) {
      if (!element) continue;
      const ways = sides(at, width(text), radius + 4);
      const free = isSeen(at) ? [ways[first], ...ways].filter(([box]) => space.isFree(box)) : [];
      // Rather on another side than cut off by the edge.
      const way = free.find(([box]) => isInside(box)) || free[0];
      element.classList.toggle('crowded', !way);
      if (!way) continue;
      space.take(way[0]);
      for (const [key, value] of Object.entries(way[1])) element.setAttribute(key, value);
    }
    for (const { at: [x, y], text, element } of small) {
      const half = width(text) / 2;
      const box = [x - half, y - 7, x + half, y + 7];
      const isFree = space.isFree(box);
      element.classList.toggle('crowded', !isFree);
      if (isFree) space.take(box);
    }
  };
  place.width = width;
  return place;
})();
