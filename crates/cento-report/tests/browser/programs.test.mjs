// Programs: their code side by side, with line numbers, colours, files, and the right words for everything.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { go, open, out, run, settled, shot, soon, start, stop, temporary, texts } from './support.mjs';

const folder = temporary();
const several = path.join(folder, 'several.html');
const mixed = path.join(folder, 'mixed.html');
const CODE = ['--recipe', 'structure | window:8 | fast:64 | all', '--measure', 'rare-containment', '--aligner', 'tiling:12'];

const MAIN = `import java.util.ArrayList;
import java.util.List;

/**
 * A small stock of goods: prices in € 🛒, by Weatherby.
 */
public class Main {
    private static final int LIMIT = 100;

    public static void main(String[] args) {
        Stock stock = new Stock();
        for (int i = 0; i < LIMIT; i++) {
            // every third item is on offer
            double price = i % 3 == 0 ? 4.99 : 12.5;
            stock.add(new Item("item “” " + i, price));
        }
        System.out.println("sum: " + stock.total() + " €");
        List<String> names = new ArrayList<>();
        for (Item item : stock.items()) {
            if (item.price() > 10.0 && !item.name().isEmpty()) {
                names.add(item.name().toUpperCase());
            }
        }
        System.out.println(String.join(", ", names));
    }
}
`;
const STOCK = `import java.util.ArrayList;
import java.util.List;

class Stock {
\tprivate final List<Item> items = new ArrayList<>();

\tvoid add(Item item) {
\t\tif (item == null) {
\t\t\tthrow new IllegalArgumentException("an item that is not there cannot be added, ${'whatever it costs, '.repeat(12)}");
\t\t}
\t\titems.add(item);
\t}

\tdouble total() {
\t\tdouble sum = 0.0;
\t\tfor (Item item : items) {
\t\t\tsum += item.price();
\t\t}
\t\treturn sum;
\t}
}
`;
const ITEM = `record Item(String name, double price) {
    boolean isCheap() {
        return price < 5;
    }
}
`;
const OWN = `
class Helper {
    static int fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }
}
`;
/* One statement more: what it stands in is a passage that is not exact. */
const LONGER = MAIN.replace('stock.add(new', 'say(7); // aloud\n            stock.add(new');
const renamed = (code) => code.replace(/tock/g, 'tore').replace(/sum\b/g, 'result').replace(/price/g, 'cost').replace(/LIMIT/g, 'MOST').replace('every third item is on offer', 'cheap ones');
const prose = (name) => Array.from({ length: 120 }, (_, number) => `${name}${number}`).join(' ');

const write = (name, text) => {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
};
const scan = (input, file, ...more) => {
  const made = run('scan', path.join(folder, input), ...CODE, ...more, '-o', file);
  assert.equal(made.code, 0, made.error);
};

let page;
before(async () => {
  write('class/anna/Item.java', ITEM);
  write('class/anna/Main.java', MAIN);
  write('class/anna/Stock.java', STOCK);
  write('class/ben/Program.java', renamed(MAIN));
  write('class/ben/Store.java', renamed(STOCK) + OWN);
  scan('class', several, '--per-folder');
  write('mixed/a.java', MAIN);
  write('mixed/b.java', LONGER);
  write('mixed/c.txt', prose('word'));
  write('mixed/d.txt', `${prose('word')} ${prose('other')}`);
  scan('mixed', mixed);
  await start();
  page = await open(several, { hash: '#/pair/0' });
  await page.waitForSelector('.panes');
});
after(stop);

/* A text as its bytes are cut by spans: [start, end]. */
const cut = (text, [from, to]) => Buffer.from(text).subarray(from, to).toString();
const bare = (text) => text.replace(/\s+/g, '');

test('code is shown as it is written, in lines with numbers', async () => {
  const look = await page.$eval('.pane-text.code', (pane) => {
    const style = getComputedStyle(pane);
    return [style.fontFamily, style.whiteSpace, style.tabSize];
  });
  assert.match(look[0], /monospace/);
  assert.deepEqual(look.slice(1), ['pre-wrap', '4']);
  const numbers = await page.$$eval('.pane:first-child .file', (files) => files.map((file) => [...file.querySelectorAll('.line')].map((line) => Number(line.dataset.line))));
  assert.deepEqual(numbers, [ITEM, MAIN, STOCK].map((code) => code.trimEnd().split('\n').map((_, index) => index + 1)));
  const shown = await page.$eval('.line[data-line="3"]', (line) => {
    const style = getComputedStyle(line, '::before');
    return [style.content.split(' ')[0], style.userSelect];
  });
  assert.deepEqual(shown, ['"3"', 'none']);
  // A number stands at the height of its line, left of it.
  const places = await page.$$eval('.pane:first-child .file:nth-child(2) .line', (lines) => lines.map((line) => line.getBoundingClientRect().top));
  assert.deepEqual([...places].sort((a, b) => a - b), places);
  const whole = await page.$eval('.pane:first-child .pane-text', (pane) => {
    const copy = pane.cloneNode(true);
    copy.querySelectorAll('.file-name').forEach((heading) => heading.remove());
    return copy.textContent;
  });
  assert.equal(whole, [ITEM, MAIN, STOCK].join('\n\n'));
  await shot(page, 'programs');
});

test('what is copied is the code alone', async () => {
  for (const [file, code] of [[2, MAIN], [3, STOCK]]) {
    const copied = await page.evaluate((number) => {
      getSelection().selectAllChildren(document.querySelector(`.pane:first-child .file:nth-child(${number})`));
      const text = String(getSelection());
      getSelection().removeAllRanges();
      return text;
    }, file);
    assert.equal(copied.trim(), code.trim());
  }
});

test('colours and marks stand where they belong, each within the other', async () => {
  const given = await page.evaluate(async () => {
    const [pair] = Cento.report.pairs;
    return Promise.all(pair.documents.map(async ({ highlights, ...document }, side) => ({
      highlights, marks: pair.marks[side], text: new TextDecoder().decode(await Cento.data.text(document)),
    })));
  });
  for (const [side, { highlights, marks, text }] of given.entries()) {
    const inPane = (selector) => page.$$eval(`.pane:${side === 0 ? 'first' : 'last'}-child .pane-text ${selector}`, (all) => all.map((element) => element.textContent).join(''));
    for (const kind of ['keyword', 'string', 'number', 'comment']) {
      const expected = highlights.filter(([, , what]) => what === kind).map((span) => cut(text, span)).join('');
      assert.ok(expected.length > 0);
      assert.equal(bare(await inPane(`.${kind}`)), bare(expected));
    }
    const edited = marks.filter((mark) => mark.class === 'edited').map((mark) => cut(text, [mark.start, mark.end])).join('');
    // Comments within a mark are not marked.
    assert.equal(bare(await inPane('mark.edited')), bare(edited.replace(/\/\/.*/g, '')));
  }
  // Both at once: a keyword in a mark, never a mark in a keyword; and nothing is marked that was not compared.
  await soon(async () => assert.ok(await page.locator('.pane-text mark.exact .keyword').count() > 5));
  await soon(async () => assert.ok(await page.locator('.pane-text mark.edited .string, .pane-text mark.exact .string').count() > 2));
  await soon(async () => assert.equal(await page.locator('.pane-text span mark, .pane-text mark mark, .pane-text mark .comment').count(), 0));
  assert.deepEqual((await page.$$eval('.pane-text mark', (all) => all.map((mark) => mark.textContent))).filter((text) => text !== text.trim()), []);
  assert.deepEqual((await page.$$eval('.pane-text mark', (all) => all.map((mark) => mark.textContent))).filter((text) => /import|weatherby|offer/i.test(text)), []);
});

test('classes have words that are true for programs, and passages are linked', async () => {
  await soon(async () => assert.deepEqual(await texts(page, '.legend li'), ['same', 'same structure, other names', 'comments are not compared']));
  const titles = await page.$$eval('.pane-text mark', (all) => [...new Set(all.map((mark) => mark.title))].sort());
  assert.deepEqual(titles, ['same', 'same structure, other names']);
  await soon(async () => assert.match(await page.textContent('.place'), /^1 of \d+: \d+ tokens, same structure, in no other document$/));
  await soon(async () => assert.deepEqual(await texts(page, '.passages th'), ['№', 'Kind', 'Tokens', 'Alike, %', 'Other documents', 'Where', 'Begins']));
  await soon(async () => assert.match((await texts(page, '.passages .where div')).join('; '), /^Main\.java, line \d+, to Stock\.java, line \d+; Program\.java, line \d+, to Store\.java, line \d+/));
  await page.locator('.pane:last-child mark', { hasText: 'MOST' }).first().click();
  await settled(page);
  // At one height, unless a program begins with it.
  const places = await page.$$eval('.pane-text', (panes) => panes.map((pane) => [pane.querySelector('mark.current').getBoundingClientRect().top - pane.getBoundingClientRect().top, pane.scrollTop, pane.clientHeight]));
  for (const [top, scrolled, height] of places) assert.ok(Math.abs(top - 0.3 * height) < 3 || (scrolled === 0 && top > 0 && top < 0.3 * height), JSON.stringify(places));
});

test('summaries speak of tokens', async () => {
  await soon(async () => assert.match((await texts(page, '.share-card')).join('; '), /^\d+ %of the tokens of anna are in ben.*; \d+ %of the tokens of ben are in anna/));
  await soon(async () => assert.match(await page.locator('.sums').first().textContent(), /^tokens\d+same\d+ \(\d+ %\)same structure, other names\d+share\d+ ÷ \d+ = \d+ %$/));
  await soon(async () => assert.match(await page.textContent('.view.pair .facts'), /^The longest run of shared tokens has \d+\./));
  await soon(async () => assert.deepEqual((await texts(page, '.pane > h2 small')).map((text) => text.replace(/\d+/, 'N')), ['Java, N tokens', 'Java, N tokens']));
  assert.doesNotMatch(await page.locator('.view.pair').innerText(), /\bwords?\b/);
});

test('the files of a submission have a list, and choosing one goes to it', async () => {
  await soon(async () => assert.deepEqual(await texts(page, '.pane:first-child .files li .name'), ['Item.java', 'Main.java', 'Stock.java']));
  await soon(async () => assert.deepEqual(await texts(page, '.pane:first-child .file-name'), ['Item.java', 'Main.java', 'Stock.java']));
  const shares = await texts(page, '.pane:first-child .file-share');
  assert.equal(shares[0], '0 of 3 lines shared');
  assert.match(shares[1], /^1\d of 15 lines shared$/);
  assert.equal(await page.getAttribute('.pane:last-child .files', 'aria-label'), 'Files of ben');
  // Both begin at one height, however many files each has.
  const heights = await page.$$eval('.pane-text', (panes) => panes.map((pane) => pane.getBoundingClientRect().top));
  assert.equal(heights[0], heights[1]);
  for (const name of ['Stock.java', 'Main.java', 'Item.java']) {
    await page.locator('.pane:first-child .files button', { hasText: name }).click();
    await settled(page);
    const [top, isSeen] = await page.$eval('.pane:first-child .pane-text', (pane, file) => {
      const heading = [...pane.querySelectorAll('.file-name')].find((one) => one.textContent === file);
      const room = pane.scrollHeight - pane.clientHeight;
      return [heading.getBoundingClientRect().top - pane.getBoundingClientRect().top, pane.scrollTop >= room - 1];
    }, name);
    assert.ok(Math.abs(top) < 3 || isSeen, `${name} at ${top}`);
  }
});

test('the lists say tokens, and which language', async () => {
  await go(page, '#/');
  await page.waitForSelector('.overview:not([hidden])');
  const head = (one, caption) => texts(one, `[aria-label="${caption}"] th`).then((all) => all.map((text) => text.replace(/[↑↓]/g, '').trim()));
  const cells = (one, caption) => one.$$eval(`[aria-label="${caption}"] tbody tr[data-index]`, (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
  assert.deepEqual(await head(page, 'Documents'), ['Document', 'Language', 'Tokens', 'Global similarity, %', 'Pairs']);
  assert.ok((await cells(page, 'Documents')).every((row) => row[1] === 'Java' && /^\d+$/.test(row[2])));
  assert.ok((await head(page, 'Pairs')).includes('Language'));
  await soon(async () => assert.match(await page.textContent('.verdict'), /the code that documents share.*a person who reads both programs decides/s));
  await shot(page, 'programs-overview');
  page.quiet();

  const both = await open(mixed);
  assert.ok((await head(both, 'Documents')).includes('Size'));
  const sizes = Object.fromEntries((await cells(both, 'Documents')).map((row) => [row[0], row.slice(1, 3)]));
  assert.deepEqual(sizes['c.txt'], ['text', '120 words']);
  assert.equal(sizes['a.java'][0], 'Java');
  assert.match(sizes['a.java'][1], /^\d+ tokens$/);
  assert.deepEqual((await cells(both, 'Pairs')).map((row) => row[5]).sort(), ['Java', 'text']);
  const opened = async (name) => {
    await go(both, '#/');
    await both.locator('[aria-label="Pairs"] tr', { hasText: name }).click();
    await both.waitForSelector('.panes');
  };
  // Texts stay texts.
  await opened('c.txt');
  await soon(async () => assert.equal(await both.locator('.code').count(), 0));
  await soon(async () => assert.match(await both.locator('.sums').first().textContent(), /^words120word for word120/));
  await soon(async () => assert.match(await both.textContent('.view.pair .place'), /^1 of 1: 120 words, exact/));
  // Two programs of one file each: no list of files, and what is own is bold.
  await opened('a.java');
  await soon(async () => assert.equal(await both.locator('.files, .file-name').count(), 0));
  await soon(async () => assert.equal(await both.locator('.pane:first-child .line').count(), MAIN.trimEnd().split('\n').length));
  await soon(async () => assert.match(await both.textContent('.view.pair .place'), /tokens, similar structure, \d+ % alike/));
  const own = (await texts(both, '.pane:last-child mark.own .changed')).join(' ');
  assert.match(own, /say/);
  assert.doesNotMatch(own, /aloud|public|LIMIT/);
  await soon(async () => assert.equal((await texts(both, '.pane:first-child mark.own')).join(''), ''));
  await soon(async () => assert.deepEqual((await texts(both, '.legend li')).slice(0, 1), ['same']));
  await shot(both, 'programs-own');
  both.quiet();
  await both.context().close();
});

/* The least contrast of a colour of code on everything that it may stand on. */
const contrasts = (one) => one.evaluate(() => {
  const channels = (text) => {
    const [, kind, inner] = text.match(/^(rgba?|color)\((.*)\)$/);
    const parts = inner.replace('srgb', '').split(/[\s,/]+/).filter(Boolean).map(Number);
    const scale = kind === 'color' ? 1 : 255;
    return { colour: parts.slice(0, 3).map((part) => part / scale), alpha: parts[3] === undefined ? 1 : parts[3] };
  };
  const over = (front, back) => front.colour.map((part, at) => part * front.alpha + back[at] * (1 - front.alpha));
  const light = (colour) => {
    const [r, g, b] = colour.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const pane = document.querySelector('.pane-text.code');
  const surface = channels(getComputedStyle(pane.closest('.pane')).backgroundColor).colour;
  const found = [];
  const look = (inside, name) => {
    const grounds = [surface];
    if (inside !== pane) {
      const style = getComputedStyle(inside);
      const ground = over(channels(style.backgroundColor), surface);
      const patterns = (style.backgroundImage.match(/(?:rgba?|color)\([^)]*\)/g) || []).map(channels);
      grounds.splice(0, 1, ground, ...patterns.map((pattern) => over(pattern, ground)));
    }
    for (const kind of ['keyword', 'string', 'number', ...(inside === pane ? ['comment'] : [])]) {
      const word = document.createElement('span');
      word.className = kind;
      inside.append(word);
      const colour = channels(getComputedStyle(word).color).colour;
      found.push(...grounds.map((ground) => [`${kind} on ${name}`, contrast(colour, ground)]));
      word.remove();
    }
  };
  look(pane, 'paper');
  for (const kind of ['exact', 'edited', 'paraphrased', 'own']) {
    for (const current of ['', ' current']) {
      const mark = document.createElement('mark');
      mark.className = kind + current;
      pane.append(mark);
      look(mark, kind + current);
      mark.remove();
    }
  }
  return found;
});

test('every colour can be read on every mark, in light and dark', async () => {
  for (const scheme of ['light', 'dark']) {
    const themed = await open(several, { colorScheme: scheme, hash: '#/pair/0' });
    await themed.waitForSelector('.panes');
    const found = await contrasts(themed);
    assert.ok(found.length > 30);
    for (const [what, value] of found) assert.ok(value >= 4.5, `${scheme}: ${what} has ${value.toFixed(2)}`);
    await shot(themed, `programs-${scheme}`);
    themed.quiet();
    await themed.context().close();
  }
});

test('on a narrow screen both programs fit, one above the other', async () => {
  for (const file of [several, mixed]) {
    const narrow = await open(file, { hash: '#/pair/0', viewport: { width: 390, height: 844 } });
    await narrow.waitForSelector('.panes');
    await settled(narrow);
    assert.ok(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page scrolls sideways');
    assert.ok(await narrow.$$eval('.pane-text.code', (panes) => panes.every((pane) => pane.scrollWidth <= pane.clientWidth && pane.clientWidth > 300)));
    await shot(narrow, `programs-narrow-${path.basename(file, '.html')}`);
    narrow.quiet();
    await narrow.context().close();
  }
});

test('on paper code has its line numbers, and nothing is cut off', async () => {
  const paper = await open(several, { hash: '#/pair/0', colorScheme: 'dark' });
  await paper.waitForSelector('.panes');
  await paper.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await settled(paper);
  assert.ok(await paper.$$eval('.pane-text.code', (panes) => panes.every((pane) => pane.scrollHeight <= pane.clientHeight + 1 && pane.scrollWidth <= pane.clientWidth)));
  const number = await paper.$eval('.line[data-line="8"]', (line) => {
    const style = getComputedStyle(line, '::before');
    return [style.content.split(' ')[0], style.display !== 'none', style.color];
  });
  assert.deepEqual(number, ['"8"', true, 'rgb(68, 68, 68)']);
  assert.equal(await paper.$eval('.pane-text .keyword', (word) => getComputedStyle(word).color), 'rgb(91, 33, 166)');
  assert.equal(await paper.$eval('.file-name', (heading) => getComputedStyle(heading).position), 'static');
  const pdf = await paper.pdf({ path: path.join(out, 'programs.pdf'), format: 'A4', printBackground: true });
  assert.ok(pdf.length > 10000);
  paper.quiet();
  await paper.context().close();
});

test('without names, colours and lines stay where they belong', async () => {
  write('named/weatherby/Main.java', MAIN);
  write('named/otherone/Main.java', renamed(MAIN));
  const file = path.join(folder, 'anonymous.html');
  scan('named', file, '--per-folder', '--anonymize');
  const masked = await open(file, { hash: '#/pair/0' });
  await masked.waitForSelector('.panes');
  assert.doesNotMatch(await masked.locator('body').innerText(), /weatherby/i);
  await soon(async () => assert.deepEqual([...new Set(await texts(masked, '.pane-text .keyword'))].sort(), ['class', 'double', 'for', 'if', 'import', 'int', 'new', 'private', 'public', 'static', 'void', 'final'].sort()));
  masked.quiet();
  await masked.context().close();
});
