// A pair: the texts first, numbers beside them, and the way through the list.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { classroom, open, run, settled, shot, soon, start, stop, template, temporary, texts } from './support.mjs';

const report = path.join(temporary(), 'report.html');
let page;

before(async () => {
  const made = run('scan', classroom(), '--base', template, '-o', report);
  assert.equal(made.code, 0, made.error);
  await start();
  page = await open(report, { hash: '#/pair/1', viewport: { width: 1280, height: 720 } });
  await page.waitForSelector('.panes');
});
after(stop);

test('the texts begin in the first third of the screen, with the numbers beside them', async () => {
  const tops = await page.$$eval('.pane-text, .share-card', (all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
  assert.ok(Math.max(...tops.slice(0, 2)) < 240, tops.join());
  const [text, numbers] = await page.$$eval('.pane:last-child .pane-text, .share-card', (all) => all.map((one) => one.getBoundingClientRect()).map(({ left, right, top }) => ({ left, right, top })));
  assert.ok(numbers.left >= text.right && Math.abs(numbers.top - text.top) < 80, JSON.stringify([text, numbers]));
  await shot(page, 'pair-first');
});

test('passages have the same numbers on both sides, and lines have numbers', async () => {
  const numbers = (side) => page.$$eval(`.pane:${side} .passage-number`, (all) => all.map((one) => one.dataset.number));
  assert.deepEqual(await numbers('first-child'), ['1', '2']);
  assert.deepEqual((await numbers('last-child')).sort(), ['1', '2']);
  assert.match(await page.$eval('.passage-number', (one) => getComputedStyle(one, '::before').content), /"1"/);
  const lines = await page.$$eval('.pane:first-child .line', (all) => all.map((one) => Number(one.dataset.line)));
  assert.deepEqual(lines, lines.map((_, at) => at + 1));
  assert.ok(lines.length > 20);
  await soon(async () => assert.match((await texts(page, '.passages .where div')).join('; '), /^lines \d+ to \d+; lines \d+ to \d+/));
  // Neither is part of the text.
  await soon(async () => assert.ok((await page.textContent('.pane:first-child .pane-text')).includes('Student: Lukas Brandt\n\nArguments about Harrowmere')));
  await page.emulateMedia({ media: 'print' });
  await soon(async () => assert.ok(await page.locator('.passage-number').first().isVisible()));
  assert.ok(await page.$eval('.line', (one) => getComputedStyle(one, '::before').content !== 'none'));
  await page.emulateMedia({ media: null });
});

test('a full stop behind a template is not marked as shared', async () => {
  const marked = await texts(page, '.pane-text mark:is(.exact, .edited):not(.left-out)');
  assert.ok(marked.length > 10);
  assert.deepEqual(marked.filter((text) => text !== '' && !/[\p{L}\p{N}]/u.test(text)), []);
});

test('classes of words can be switched off, and the numbers follow', async () => {
  await soon(async () => assert.deepEqual(await texts(page, '.big'), ['91 %', '93 %']));
  await page.uncheck('[data-class="edited"]');
  await soon(async () => assert.deepEqual(await texts(page, '.big'), ['90 %', '92 %']));
  await soon(async () => assert.match(await page.textContent('.share-card'), /without what is edited/));
  assert.equal(await page.$eval('.pane-text mark.edited', (mark) => getComputedStyle(mark).textDecorationLine), 'none');
  await page.locator('.share-card summary').first().click();
  await soon(async () => assert.match(await page.textContent('.sums'), /edited, switched off5share364 ÷ 404 = 90 %/));
  await page.uncheck('[data-class="verbatim"]');
  await soon(async () => assert.deepEqual(await texts(page, '.big'), ['0 %', '0 %']));
  await soon(async () => assert.equal(await page.locator('.ribbons path').count(), 0));
  await page.waitForFunction(() => location.hash.includes('off=verbatim%2Cedited'));
  await page.reload();
  await page.waitForSelector('.panes');
  await soon(async () => assert.deepEqual(await texts(page, '.big'), ['0 %', '0 %']));
  await page.check('[data-class="verbatim"]');
  await page.check('[data-class="edited"]');
  await soon(async () => assert.deepEqual(await texts(page, '.big'), ['91 %', '93 %']));
});

test('next and previous follow the order, the threshold and the search of the list', async () => {
  const title = () => page.textContent('.view.pair h1');
  await page.click('.crumbs a');
  await page.waitForSelector('.overview:not([hidden])');
  await page.locator('[aria-label="Pairs"] button[data-key="left"]').click();
  await page.locator('[aria-label="Pairs"] button[data-key="left"]').click();
  const order = await page.$$eval('[aria-label="Pairs"] tbody tr[data-index]', (all) => all.map((row) => `${row.cells[1].textContent} and ${row.cells[2].textContent}`.replaceAll('unseen', '')));
  await page.locator('[aria-label="Pairs"] tbody tr[data-index]').first().click();
  await page.waitForSelector('.panes');
  const walked = [await title()];
  for (let at = 1; at < order.length; at += 1) {
    if (at % 2) await page.click('[rel="next"]');
    else await page.keyboard.press('j');
    await page.waitForFunction((before) => document.querySelector('.view.pair h1').textContent !== before, walked.at(-1));
    walked.push(await title());
  }
  assert.deepEqual(walked, order);
  await soon(async () => assert.equal(await page.locator('[rel="next"]').count(), 0));
  await soon(async () => assert.equal(await page.textContent('.position'), '5 of 5 pairs'));
  await page.keyboard.press('k');
  await page.waitForFunction((last) => document.querySelector('.view.pair h1').textContent !== last, walked.at(-1));
  assert.equal(await title(), order.at(-2));
  // What is filtered away is not in the way.
  await page.fill('#search', 'lindqvist');
  await settled(page);
  await soon(async () => assert.equal(await page.textContent('.position'), 'not in the list as it is filtered'));
  await page.fill('#search', '');
  await settled(page);
  await soon(async () => assert.equal(await page.textContent('.position'), '4 of 5 pairs'));
  page.quiet();
});
