// The lines of a text, with numbers that stand beside it and are no part of it.
Cento.lines = (() => {
  const { h } = Cento.dom;
  const NEWLINE = 10;
  // A long text has a number at every fifth line only: thousands of them would make it slow to open.
  const EVERY = 400;
  const FIFTH = 5;

  /* elements: [[byte, element]] as the text takes them; where(span): how people say where something is. */
  return (bytes) => {
    const starts = [0];
    for (let at = bytes.indexOf(NEWLINE); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(NEWLINE, at + 1)) starts.push(at + 1);
    /* The number of the line that has this byte. */
    const line = (byte) => {
      let [low, high] = [0, starts.length];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (starts[middle] <= byte) low = middle;
        else high = middle;
      }
      return low + 1;
    };
    const where = ({ start, end }) => {
      const [first, last] = [line(start), line(Math.max(start, end - 1))];
      return first === last ? `line ${first}` : `lines ${first} to ${last}`;
    };
    return {
      where,
      elements: starts.map((start, index) => [start, index + 1]).filter(([, number]) => starts.length <= EVERY || number === 1 || number % FIFTH === 0)
        .map(([start, number]) => [start, h('span', { class: 'line', 'data-line': number })]),
      digits: Math.max(2, String(starts.length).length),
    };
  };
})();
