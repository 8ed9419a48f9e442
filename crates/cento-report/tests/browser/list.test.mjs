// The lists: a histogram whose bars can be chosen, a search with operators, measures, units, names, and the page of a document.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { generate } from './corpus.mjs';
import { classroom, go, open, run, settled, shot, soon, start, stop, template, temporary, texts } from './support.mjs';

const folder = temporary();
const report = path.join(folder, 'report.html');
let page;

before(async () => {
  const made = run('scan', classroom(), '--base', template, '-o', report);
  assert.equal(made.code, 0, made.error);
  await start();
  page = await open(report);
});
after(stop);

const pairs = () => page.$$eval('[aria-label="Pairs"] tbody tr[data-index]', (all) => all.map((row) => `${row.cells[1].querySelector('bdi').textContent} ${row.cells[2].querySelector('bdi').textContent}`));
const documents = () => page.$$eval('[aria-label="Documents"] tbody tr[data-index]', (all) => all.map((row) => row.cells[0].querySelector('bdi').textContent));

test('every heading has its unit', async () => {
  await soon(async () => assert.deepEqual((await texts(page, '[aria-label="Pairs"] th')).map((head) => head.replace(/[↑↓]/g, '').trim()), ['Shared, %', 'Left', 'Right', 'of left, %', 'of right, %', 'Longest, words', 'Passages']));
  await soon(async () => assert.deepEqual((await texts(page, '[aria-label="Documents"] th')).slice(0, 4).map((head) => head.replace(/[↑↓]/g, '').trim()), ['Document', 'Words', 'Global similarity, %', 'Pairs']));
});

test('the histogram has an axis, linear or logarithmic', async () => {
  const ticks = () => texts(page, '.histogram .scale .count');
  assert.deepEqual(await ticks(), ['1', '10']);
  const high = () => page.$eval('.histogram [data-bar="93"], .histogram [data-bar="92"][height]:not([height="0.0"])', (bar) => Number(bar.getAttribute('height')));
  const before = await high();
  await page.click('#scale');
  await soon(async () => assert.equal(await page.textContent('#scale'), 'Scale: linear'));
  assert.ok((await ticks()).length >= 2 && (await ticks()).every((tick) => Number(tick) % 10 === 0), (await ticks()).join());
  assert.ok(await high() < before);
  await page.waitForFunction(() => location.hash.includes('scale=linear'));
  await page.click('#scale');
});

test('bars can be chosen, one or several, by mouse and by keyboard', async () => {
  const bars = await page.$$eval('.histogram rect[role="button"]', (all) => all.map((bar) => Number(bar.dataset.bar)));
  assert.equal(bars.length, 5);
  const last = page.locator(`.histogram rect[data-bar="${bars.at(-1)}"]`);
  await last.click();
  assert.deepEqual(await pairs(), ['abara.txt jansen.txt']);
  assert.equal(await last.getAttribute('aria-pressed'), 'true');
  await soon(async () => assert.match(await page.textContent('#clear-range'), /^Only 99 to 100 % ×$/));
  await last.click();
  assert.equal((await pairs()).length, 5);
  // From one to another.
  const box = await page.locator('.histogram').boundingBox();
  const at = (percent) => box.x + (box.width * (58 + percent * 9.42)) / 1000;
  await page.mouse.move(at(12.5), box.y + 90);
  await page.mouse.down();
  await page.mouse.move(at(29.5), box.y + 90);
  await page.mouse.up();
  assert.equal((await pairs()).length, 3);
  await page.waitForFunction(() => location.hash.includes('range=12-30'));
  await page.click('#clear-range');
  await page.focus('.histogram rect[tabindex="0"]');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  assert.deepEqual(await pairs(), ['brandt.txt dvorak.txt']);
  await page.keyboard.press('Enter');
  assert.equal((await pairs()).length, 5);
});

test('the search has operators', async () => {
  const found = async (text) => {
    await page.fill('#search', text);
    return pairs();
  };
  assert.equal((await found('share:>90')).length, 2);
  assert.deepEqual(await found('share:20..30 name:er*'), ['eriksen.txt lindqvist.txt']);
  assert.deepEqual(await documents(), ['eriksen.txt']);
  assert.deepEqual(await found('brandt dvorak'), ['brandt.txt dvorak.txt']);
  assert.deepEqual(await found('right:lind* -left:er*'), ['kowalska.txt lindqvist.txt']);
  assert.deepEqual(await found('"dvorak.txt"'), ['brandt.txt dvorak.txt']);
  assert.equal((await found('longest:<1000')).length, 5);
  assert.equal((await found('share:<20 longest:>=100')).length, 0);
  assert.deepEqual(await found('name:*.pdf'), []);
  await found('share:much');
  await soon(async () => assert.equal(await page.textContent('.problem'), 'share: needs a number, such as share:>40 or share:20..40'));
  assert.equal(await page.getAttribute('#search', 'aria-invalid'), 'true');
  // What can find nothing must not read as nothing found.
  for (const [typed, said] of [
    ['share:40..20', 'share: needs a number, such as share:>40 or share:20..40'],
    ['decision:guilty', 'decision: is none, reviewed, find or explained'],
    ['since:new', 'since: needs an earlier run, which is chosen under Decisions'],
  ]) {
    assert.equal((await found(typed)).length, 5, typed);
    await soon(async () => assert.equal(await page.textContent('.problem'), said));
  }
  assert.equal((await found('')).length, 5);
  await soon(async () => assert.equal(await page.textContent('.problem'), ''));
});

test('another measure can be chosen, and everything goes by it', async () => {
  const options = await page.$$eval('#measure option', (all) => all.map((one) => one.value));
  assert.ok(options.includes('resemblance') && options.includes('overlap'), options.join());
  await page.selectOption('#measure', 'resemblance');
  await soon(async () => assert.equal(await page.textContent('h1'), '5 pairs have a resemblance of 0 % or more'));
  await soon(async () => assert.match((await texts(page, '[aria-label="Pairs"] th'))[0], /^Resemblance, %/));
  const values = (await texts(page, '[aria-label="Pairs"] tbody tr[data-index] td:first-child')).map((cell) => parseInt(cell, 10));
  assert.deepEqual(values, [...values].sort((a, b) => b - a));
  assert.ok(values[1] < 70);
  await page.fill('#threshold', '50');
  await soon(async () => assert.equal(await page.textContent('h1'), '2 pairs have a resemblance of 50 % or more'));
  await page.waitForFunction(() => location.hash === '#/?from=50&measure=resemblance');
  await page.reload();
  await page.locator('h1:visible').waitFor();
  await soon(async () => assert.equal(await page.textContent('h1'), '2 pairs have a resemblance of 50 % or more'));
  await page.selectOption('#measure', '');
  await soon(async () => assert.equal(await page.textContent('h1'), '5 pairs share 10 % or more, or a passage of 12 words'));
});

test('names can be hidden and revealed', async () => {
  const names = ['abara', 'brandt', 'dvorak', 'eriksen', 'jansen', 'lindqvist'];
  await page.click('#names');
  assert.deepEqual((await pairs())[1], 'D02 D04');
  for (const hash of ['#/', '#/graph', '#/families', '#/decisions', '#/document/1', '#/pair/1']) {
    await go(page, hash);
    await settled(page);
    if (/pair|document/.test(hash)) await page.waitForSelector('.pane-text');
    const all = await page.evaluate(() => {
      const main = document.querySelector('main').cloneNode(true);
      // What the texts say stays.
      main.querySelectorAll('.pane-text, .excerpt, [hidden]').forEach((one) => one.remove());
      return main.outerHTML.toLowerCase();
    });
    assert.deepEqual(names.filter((name) => all.includes(name)), [], hash);
  }
  await soon(async () => assert.equal(await page.textContent('.view.pair h1'), 'D02 and D04'));
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-case')]);
  assert.equal(download.suggestedFilename(), 'case-D02-and-D04.html');
  // The record has the names; otherwise it could not be checked.
  const saved = path.join(folder, 'case.html');
  await download.saveAs(saved);
  assert.match(run('verify-case', saved).text, /brandt\.txt: as recorded/);
  await page.click('#names');
  await page.waitForFunction(() => document.querySelector('.view.pair h1').textContent === 'brandt.txt and dvorak.txt');
  page.quiet();
});

test('a document has a page with its partners and all that others have of it', async () => {
  await go(page, '#/');
  await page.locator('[aria-label="Documents"] tr', { hasText: 'lindqvist.txt' }).click();
  await page.waitForSelector('.view.document .pane-text');
  await soon(async () => assert.equal(await page.textContent('.view.document h1'), 'lindqvist.txt'));
  await soon(async () => assert.deepEqual((await texts(page, '.view.document [aria-label="Partners"] tbody td:first-child')).sort(), ['eriksen.txt', 'kowalska.txt']));
  await soon(async () => assert.match(await page.textContent('.about'), /words\d+.*in some other document\d+ %.*left outtemplate \(1 place\).*odd about itnothing.*SHA-256[0-9a-f]{64}/s));
  await page.keyboard.press('n');
  await soon(async () => assert.match(await page.textContent('.who'), /Part 1 of \d+in 1 other document(eriksen|kowalska)\.txt/));
  const first = await page.textContent('.who a');
  assert.ok((await page.getAttribute('.pane-text mark.current', 'title')).includes(first));
  const parts = Number((await page.textContent('.who h2')).split(' of ')[1]);
  const partners = new Set();
  for (let at = 0; at < parts; at += 1) {
    (await texts(page, '.who a')).forEach((name) => partners.add(name));
    await page.keyboard.press('n');
  }
  assert.deepEqual([...partners].sort(), ['eriksen.txt', 'kowalska.txt']);
  await shot(page, 'document');
  await page.locator('.who a').first().click();
  await page.waitForSelector('.view.pair .panes');
  // And from there to the other document.
  await page.locator('.pane h2 a').first().click();
  await page.waitForSelector('.view.document');
  page.quiet();
  await page.context().close();
});

test('a part that several have says so, and a document without text has its numbers', async () => {
  const three = path.join(folder, 'three');
  fs.mkdirSync(three);
  const words = (name, count) => Array.from({ length: count }, (_, at) => `${name}${at}`).join(' ');
  fs.writeFileSync(path.join(three, 'a.txt'), `${words('x', 60)} ${words('y', 60)} ${words('a', 60)}`);
  fs.writeFileSync(path.join(three, 'b.txt'), `${words('x', 60)} ${words('b', 60)}`);
  fs.writeFileSync(path.join(three, 'c.txt'), `${words('c', 60)} ${words('x', 60)} ${words('y', 60)}`);
  fs.writeFileSync(path.join(three, 'd.txt'), words('d', 60));
  const file = path.join(folder, 'three.html');
  assert.equal(run('scan', three, '-o', file).code, 0);
  const all = await open(file, { hash: '#/document/0' });
  await all.waitForSelector('.pane-text mark');
  await all.locator('.pane-text mark.many').first().click();
  await soon(async () => assert.match(await all.textContent('.who'), /Part 1 of 2in 2 other documents/));
  await all.keyboard.press('n');
  await soon(async () => assert.match(await all.textContent('.who'), /Part 2 of 2in 1 other documentc\.txt/));
  all.quiet();
  await all.context().close();
  const alone = await open(file, { hash: '#/document/3' });
  await soon(async () => assert.match(await alone.textContent('.view.document .message'), /in no pair of the report/));
  assert.doesNotMatch(await alone.textContent('.about'), /left out/);
  alone.quiet();
  await alone.context().close();
  assert.equal(run('scan', three, '--no-text', '-o', path.join(folder, 'bare.html')).code, 0);
  const bare = await open(path.join(folder, 'bare.html'), { hash: '#/document/0' });
  await soon(async () => assert.match(await bare.textContent('.view.document .message'), /texts were left out/));
  bare.quiet();
  await bare.context().close();
});

test('a full stop that others have between two parts is no part of its own', async () => {
  const family = path.join(folder, 'family');
  generate(family, { documents: 24, family: 24, words: 300 });
  const report = path.join(folder, 'family.html');
  assert.equal(run('scan', family, '--threshold', '0.01', '-o', report, '--quiet').code, 0);
  const other = await open(report, { hash: '#/document/3' });
  await other.waitForSelector('.listed table');
  const words = await other.$$eval('.pane-text mark', (marks) => {
    const found = {};
    for (const mark of marks) for (const part of (mark.dataset.passages || '').split(' ').filter(Boolean)) found[part] = (found[part] || '') + mark.textContent;
    return Object.values(found);
  });
  assert.ok(words.length > 2, words.join('|'));
  assert.deepEqual(words.filter((text) => !/[\p{L}\p{N}]/u.test(text)), []);
  other.quiet();
  await other.context().close();
});

test('what was not compared does not read as nothing found', async () => {
  const unread = path.join(folder, 'unread');
  fs.mkdirSync(unread);
  fs.writeFileSync(path.join(unread, 'a.bin'), Buffer.from([0, 1, 2, 3]));
  const file = path.join(folder, 'unread.html');
  for (const title of ['No document could be read', 'There is nothing to compare the only document with']) {
    assert.equal(run('scan', unread, '-o', file).code, 0);
    const page = await open(file);
    assert.equal(await page.textContent('h1'), title);
    page.quiet();
    await page.context().close();
    fs.writeFileSync(path.join(unread, 'b.txt'), 'one text, and no other to hold it against');
  }
});
