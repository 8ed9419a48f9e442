// The code of a program: lines with numbers, files with headings, and what the language makes of it in colours.
Cento.code = (() => {
  const { h } = Cento.dom;
  const LEXICAL = { keyword: 'keyword', string: 'string', number: 'number', comment: 'comment' };
  const NEWLINE = 10;
  const isBlank = (byte) => byte === 32 || (byte >= 9 && byte <= 13);

  /* Spans that may lie within each other → spans that do not: each byte is what the innermost of them says. */
  const flattened = (highlights) => {
    const flat = [];
    const open = [];
    let at = 0;
    const advance = (to) => {
      while (open.length > 0) {
        const [, end, what] = open[open.length - 1];
        const until = Math.min(end, to);
        if (until > at) {
          flat.push({ start: at, end: until, what });
          at = until;
        }
        if (end > to) break;
        open.pop();
      }
      at = Math.max(at, to);
    };
    for (const one of [...highlights].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
      if (!Object.hasOwn(LEXICAL, one[2])) continue;
      advance(one[0]);
      open.push(one);
    }
    advance(Infinity);
    return flat;
  };

  /* The files of a program. One that was not put together is a single file without a name. */
  const files = (document, bytes) => {
    const parts = document.parts || [];
    if (parts.length === 0) return [{ start: 0, end: bytes.length }];
    const folder = `${document.id}/`;
    return parts.map(({ file, start, end }) => {
      const within = file.startsWith(folder) ? file.slice(folder.length) : file;
      // A number says nothing without what it is a number of.
      return { start, end: Math.min(end, bytes.length), name: /^\d*$/.test(within) ? file : within, path: file };
    });
  };

  /* The bytes of each line of a file. */
  const lines = (bytes, { start, end }) => {
    const found = [];
    for (let at = start; at < end;) {
      const newline = bytes.indexOf(NEWLINE, at);
      const stop = newline < 0 || newline >= end ? end : newline;
      found.push({ start: at, end: stop });
      at = stop + 1;
    }
    return found;
  };

  /* Code without words, which is no token. */
  const WORD = /[\p{L}\p{N}_"'`]/u;
  const isPunctuation = (text) => !WORD.test(text);
  /* The same for a byte. */
  const isWord = (byte) => byte >= 0x80 || WORD.test(String.fromCharCode(byte));
  const WORDS = Uint8Array.from({ length: 256 }, (_, byte) => Number(isWord(byte)));

  /* Sets a bit of every byte of some spans. */
  const paint = (map, spans, bit) => {
    for (const { start, end } of spans) {
      for (let at = start; at < Math.min(end, map.length); at += 1) map[at] |= bit;
    }
  };

  /*
   * What the code of a document is made of:
   * elements: [[byte, element]], what stands in the text without being of it;
   * comments and gaps: spans; content(start, end): the nodes of some bytes;
   * trimmed(start, end): where their white space at the beginning ends, where that at the end begins, and the end.
   */
  return (document, bytes) => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const lexical = flattened(document.highlights || []);
    const comments = lexical.filter((span) => span.what === 'comment');
    const all = files(document, bytes);
    const elements = [];
    let longest = 0;
    for (const file of all) {
      file.lines = lines(bytes, file);
      longest = Math.max(longest, file.lines.length);
      if (file.name !== undefined) {
        file.heading = h('h3', { class: 'file-name' }, Cento.dom.name(file.name, { title: Cento.words.printable(file.path) }));
        elements.push([file.start, file.heading]);
      }
      file.lines.forEach((line, index) => {
        elements.push([line.start, h('span', { class: 'line', 'data-line': index + 1 })]);
      });
    }
    const gaps = all.map((file, index) => ({ start: file.end, end: index + 1 < all.length ? all[index + 1].start : bytes.length }))
      .filter((gap) => gap.start < gap.end);

    const trimmed = (start, end) => {
      let [first, last] = [start, end];
      while (first < last && isBlank(bytes[first])) first += 1;
      while (last > first && isBlank(bytes[last - 1])) last -= 1;
      return [first, last, end];
    };

    /* Where some bytes are, as people say it: a file and its lines. */
    const where = ({ start, end }) => {
      const at = (byte) => {
        const file = all.find((one) => byte < one.end) || all[all.length - 1];
        return [file, Math.max(1, file.lines.filter((line) => line.start <= byte).length)];
      };
      const [[file, first], [lastFile, last]] = [at(start), at(Math.max(start, end - 1))];
      const name = ({ name: one }, words) => [one && Cento.words.printable(one), words].filter(Boolean).join(', ');
      if (file !== lastFile) return `${name(file, `line ${first}`)}, to ${name(lastFile, `line ${last}`)}`;
      return name(file, first === last ? `line ${first}` : `lines ${first} to ${last}`);
    };

    /* Nodes of some bytes, with what the language makes of them. */
    const content = (start, end) => {
      const nodes = [];
      let [low, high] = [0, lexical.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (lexical[middle].end <= start) low = middle + 1;
        else high = middle;
      }
      let at = start;
      const plain = (to) => {
        if (to > at) nodes.push(...Cento.text.nodes(decoder.decode(bytes.subarray(at, to))));
        at = Math.max(at, to);
      };
      for (; low < lexical.length && lexical[low].start < end; low += 1) {
        const span = lexical[low];
        plain(Math.max(start, span.start));
        const to = Math.min(end, span.end);
        nodes.push(h('span', { class: LEXICAL[span.what] }, Cento.text.nodes(decoder.decode(bytes.subarray(at, to)))));
        at = to;
      }
      plain(end);
      return nodes;
    };

    /* Of each file how many lines of code it has, and how many of them have something that is marked. Lines with
       nothing but brackets, comments and what is left out are no such lines. */
    const shared = (marks, ignored) => {
      const map = new Uint8Array(bytes.length);
      paint(map, comments, 1);
      paint(map, ignored, 1);
      paint(map, marks.filter((mark) => mark.class !== 'reworded' && mark.class !== 'own'), 2);
      return all.map((file) => {
        let [count, found] = [0, 0];
        for (const { start, end } of file.lines) {
          let [isCode, isShared] = [false, false];
          for (let at = start; at < end; at += 1) {
            if ((map[at] & 1) || !WORDS[bytes[at]]) continue;
            isCode = true;
            if (map[at] & 2) isShared = true;
          }
          if (isCode) count += 1;
          if (isShared) found += 1;
        }
        return { ...file, count, found };
      });
    };

    /* The nodes of the whole text, those of each file in an element of its own. */
    const grouped = (pieces) => {
      if (all[0].heading === undefined) return pieces;
      const headings = new Map(all.map((file) => [file.heading, file]));
      const outer = [];
      for (const piece of pieces) {
        const file = headings.get(piece);
        if (file) {
          file.section = h('section', { class: 'file' });
          outer.push(file.section);
        }
        if (outer.length > 0) outer[outer.length - 1].append(piece);
        else outer.push(h('section', { class: 'file' }, piece));
      }
      return outer;
    };

    return { elements, comments, gaps, trimmed, isPunctuation, where, content, shared, grouped, files: all, digits: Math.max(2, String(longest).length) };
  };
})();
