// Names and texts that try to be more than text.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { go, open, run, shot, soon, start, stop, temporary } from './support.mjs';

const folder = temporary();
const input = path.join(folder, 'in');
const report = path.join(folder, 'report.html');

/* A few sentences that make any two documents a pair. */
const common = Array.from({ length: 30 }, (_, number) => `Sentence ${number} about the canal of the town says that swan number ${number * 7} swims past bridge ${number * 3}.`).join('\n');

/* Characters of every plane that has any, from its beginning to its end. */
const planes = Array.from({ length: 17 }, (_, plane) => {
  const samples = { 0: [0xa0, 0x2028, 0x3042, 0xfdfa, 0xfffd], 1: [0x10000, 0x1f600, 0x1d49c], 2: [0x20000, 0x2f800], 3: [0x30000], 14: [0xe0001, 0xe0100], 15: [0xf0000, 0xffffd], 16: [0x100000, 0x10fffd] }[plane] || [plane * 0x10000 + 0x42];
  return String.fromCodePoint(...samples);
}).join(' ');

const attacks = [
  '<script>window.owned = 1</script>',
  '</script><script>window.owned = 2</script>',
  '<img src=x onerror="window.owned = 3">',
  '<!-- <script> --> ]]> <svg onload=alert(4)>',
  '"><iframe src="javascript:alert(5)"></iframe>',
  "' onmouseover='window.owned = 6'",
  '{{constructor.constructor("window.owned = 7")()}} ${window.owned = 8}',
  '&lt;b&gt; &amp; &#60;i&#62; %3Cb%3E',
  '\u202egnp.exe\u2066 \u200f\u061c right to left \u2069',
  'שלום עולם مرحبا بالعالم',
  planes,
  'w'.repeat(10000),
  '👩‍👩‍👧‍👦'.repeat(200),
  'e' + '\u0301'.repeat(500),
];
const names = [
  '<img src=x onerror=window.owned=9>.txt',
  '"quoted" & \'single\'.txt',
  '\u202etxt.exe.txt',
  '<title><script>window.owned=10.txt',
  'javascript:alert(11).txt',
  'line\nbreak\u2028.txt',
  `${'long'.repeat(55)}.txt`,
  '#pair=1?x=y%00.txt',
  'Zoe\u0308.txt',
];

before(async () => {
  fs.mkdirSync(input);
  names.forEach((name, number) => {
    const own = attacks.filter((_, index) => index % names.length === number);
    fs.writeFileSync(path.join(input, name), `${own.join('\n')}\n\n${common}\n\n“${attacks[number]}”\nWords of its own: ${number}\n`);
  });
  fs.writeFileSync(path.join(input, '<b>skipped<i>.pdf'), '%PDF-1.4 nothing');
  const row = { id: '</script></title><script>window.owned = 12</script>', text: common };
  fs.writeFileSync(path.join(input, 'rows.jsonl'), `${JSON.stringify(row)}\n${JSON.stringify({ ...row, id: '<!--' })}\n`);
  const made = run('scan', input, '--per-file', '-o', report);
  assert.equal(made.code, 0, made.error);
  await start();
});
after(stop);

test('the file itself has no markup of theirs', () => {
  const page = fs.readFileSync(report, 'utf8');
  assert.equal(page.match(/<script/g).length, 4);
  assert.equal(page.match(/<\/script>/g).length, 4);
  assert.ok(!page.includes('window.owned'));
});

test('names and texts are shown as text, in every view', async () => {
  const page = await open(report);
  const intact = async (where) => {
    assert.equal(await page.evaluate(() => window.owned), undefined, where);
    assert.deepEqual(await page.$$eval('iframe, img, object, embed, script[src], link, [onerror], [onload], [onmouseover], [style]:not([style=""])', (found) => found.map((element) => element.outerHTML.slice(0, 200))), [], where);
    // Nothing is wider than the window.
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), `${where} is too wide`);
    page.quiet();
  };
  await soon(async () => assert.ok(await page.locator('[aria-label="Pairs"] tbody tr[data-index]').count() >= 20));
  await soon(async () => assert.ok((await page.textContent('[aria-label="Documents"]')).includes('<img src=x onerror=window.owned=9>.txt')));
  await soon(async () => assert.ok((await page.textContent('[aria-label="Documents"]')).includes('\\u{202e}txt.exe.txt')));
  await soon(async () => assert.ok((await page.textContent('#skipped')).includes('<b>skipped')));
  await intact('overview');
  await shot(page, 'hostile-overview');
  for (const view of ['graph', 'families']) {
    await go(page, `#/${view}`);
    await page.waitForTimeout(100);
    await intact(view);
  }
  await shot(page, 'hostile-families');
  const pairs = await page.evaluate(() => Cento.report.pairs.length);
  for (let number = 0; number < pairs; number += 1) {
    await go(page, `#/pair/${number}`);
    await page.waitForSelector('.panes');
    await intact(`pair ${number}`);
    // What is shown is what the text is, character by character, but for marks of direction, which are spelt out.
    const [shown, given] = await page.evaluate(async (to) => {
      const pair = Cento.report.pairs[to];
      const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
      const spelt = (text) => text.replace(turning, (c) => `U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`);
      const texts = await Promise.all(pair.documents.map(async (document) => spelt(new TextDecoder('utf-8', { ignoreBOM: true }).decode(await Cento.data.text(document)))));
      return [[...document.querySelectorAll('.pane-text')].map((pane) => pane.textContent), texts];
    }, number);
    assert.deepEqual(shown, given);
    await page.evaluate(() => document.querySelector('.panes').remove());
  }
});

test('a name is found however its accents are written', async () => {
  const page = await open(report);
  await page.fill('#search', 'name:zo\u00eb');
  await soon(async () => assert.deepEqual(await page.$$eval('[aria-label="Documents"] tbody tr[data-index] bdi', (all) => all.map((one) => one.textContent)), ['Zoe\u0308.txt']));
  await page.context().close();
});

test('a wrong address within the page is the overview', async () => {
  for (const hash of ['#/pair/99999', '#/pair/x', '#/__proto__', '#/constructor', '#/<b>']) {
    const page = await open(report, { hash });
    await soon(async () => assert.ok(await page.locator('.overview').isVisible(), hash));
    page.quiet();
    await page.context().close();
  }
});

test('a damaged page says so', async () => {
  const damaged = path.join(folder, 'damaged.html');
  fs.writeFileSync(damaged, fs.readFileSync(report, 'utf8').replace(/(id="cento-report">.{200}).{40}/, '$1'));
  const page = await open(report);
  await page.goto(`file://${damaged}`);
  await page.waitForSelector('.message');
  await soon(async () => assert.equal(await page.locator('h1').count(), 0));
  assert.equal(run('verify-case', damaged).code, 2);
});
