// Numbers and names as people read them, by the same rules as on the command line.
Cento.words = (() => {
  const grouped = new Intl.NumberFormat('en');
  const number = (value) => grouped.format(value);

  const counted = (count, what) => `${number(count)} ${count === 1 ? what : `${what}s`}`;

  /* Whole percent. Only all of it reads 100, and only nothing reads 0. */
  const percent = (share) => {
    const rounded = Math.round(share * 100);
    if (rounded >= 100 && share < 1) return '99 %';
    if (rounded < 1 && share > 0) return '< 1 %';
    return `${rounded} %`;
  };

  /* A threshold, which may be set below what a share is rounded to. */
  const threshold = (share) => (share > 0 && share < 0.01 ? `${Number((share * 100).toPrecision(2))} %` : percent(share));

  /* Control and direction characters could make a name look like another; they are spelt out. */
  const forging = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
  const printable = (name) => name.replace(forging, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);

  /* As it is searched: systems write one accented letter in two ways, which look the same. */
  const folded = (name) => name.normalize('NFC').toLowerCase();

  const bytes = (count) => {
    if (count < 1024) return `${count} bytes`;
    if (count < 1024 * 1024) return `${(count / 1024).toFixed(0)} KiB`;
    return `${(count / 1024 / 1024).toFixed(1)} MiB`;
  };

  const list = (words) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`);

  /* A word with the article that it needs. */
  const an = (word) => `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;

  return { an, number, counted, percent, threshold, printable, folded, bytes, list };
})();
