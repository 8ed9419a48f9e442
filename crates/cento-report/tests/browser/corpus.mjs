// A made-up collection of many documents in families, the same on every run.
import fs from 'node:fs';
import path from 'node:path';

/* Numbers from a seed. */
const random = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let bits = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
  return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
};

const SYLLABLES = ['ba', 'cor', 'del', 'fin', 'gra', 'hel', 'jo', 'kam', 'lor', 'mi', 'nas', 'pe', 'qui', 'ra', 'sto', 'tun', 'vel', 'wi', 'xa', 'zor'];

/* Documents of about so many words; a family shares sentences of one source, each member more or fewer. */
export const generate = (folder, { documents, family, words }) => {
  fs.mkdirSync(folder, { recursive: true });
  const next = random(7);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const vocabulary = Array.from({ length: 20000 }, () => Array.from({ length: 2 + Math.floor(next() * 3) }, () => pick(SYLLABLES)).join(''));
  const sentence = () => {
    const text = Array.from({ length: 8 + Math.floor(next() * 12) }, () => pick(vocabulary)).join(' ');
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
  };
  const sentences = Math.round(words / 13.5);
  let source = [];
  for (let number = 0; number < documents; number += 1) {
    if (number % family === 0) source = Array.from({ length: sentences }, sentence);
    const kept = 0.35 + 0.6 * next();
    const text = source.map((one) => (next() < kept ? one : sentence()));
    const paragraphs = [];
    for (let at = 0; at < text.length; at += 6) paragraphs.push(text.slice(at, at + 6).join(' '));
    fs.writeFileSync(path.join(folder, `document-${String(number).padStart(5, '0')}.txt`), `${paragraphs.join('\n\n')}\n`);
  }
};
