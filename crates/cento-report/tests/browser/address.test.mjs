// What a person has chosen is in the address: it survives a reload and the way back, and can be sent on.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { classroom, open, run, settled, soon, start, stop, template, temporary, texts, view } from './support.mjs';

const report = path.join(temporary(), 'report.html');
let page;

before(async () => {
  const made = run('scan', classroom(), '--base', template, '-o', report);
  assert.equal(made.code, 0, made.error);
  await start();
  page = await open(report);
});
after(stop);

const hash = () => page.evaluate(() => location.hash);
const lefts = () => texts(page, '[aria-label="Pairs"] tbody tr[data-index] td:nth-child(2)');
/* The address is written a moment after the last of many changes. */
const written = (what) => page.waitForFunction((part) => location.hash.includes(part), what);

test('threshold, search, sort and theme survive a reload', async () => {
  await page.fill('#threshold', '20');
  await page.fill('#search', '.txt');
  await page.locator('[aria-label="Pairs"] button[data-key="left"]').click();
  await page.locator('[aria-label="Documents"] button[data-key="words"]').click();
  await page.click('#theme');
  await page.click('#theme');
  await written('theme=dark');
  assert.equal(await hash(), '#/?from=20&search=.txt&sort=left%3Aup&documents=words%3Adown&theme=dark');
  const before = await lefts();
  assert.deepEqual(before, [...before].sort());
  assert.equal(before.length, 4);
  await page.reload();
  await page.locator('h1:visible').waitFor();
  await soon(async () => assert.equal(await page.inputValue('#threshold-number'), '20'));
  await soon(async () => assert.equal(await page.inputValue('#search'), '.txt'));
  await soon(async () => assert.equal(await page.textContent('#theme'), 'Theme: dark'));
  assert.deepEqual(await lefts(), before);
  assert.equal(await page.getAttribute('[aria-label="Documents"] th:nth-child(2)', 'aria-sort'), 'descending');
});

test('views keep what is chosen, and back leads to what was chosen before', async () => {
  await view(page, 'graph');
  await settled(page);
  assert.match(await hash(), /^#\/graph\?from=20&/);
  await page.fill('#threshold-number', '50');
  await page.press('#threshold-number', 'Enter');
  await written('from=50');
  await view(page, '');
  await page.waitForSelector('.overview:not([hidden])');
  assert.equal((await lefts()).length, 2);
  await page.fill('#threshold', '10');
  await page.fill('#search', '');
  await page.waitForFunction(() => !location.hash.includes('from='));
  await page.goBack();
  await page.waitForSelector('.graph-view:not([hidden])');
  await soon(async () => assert.equal(await page.inputValue('#threshold-number'), '50'));
  await page.goBack();
  await page.waitForSelector('.overview:not([hidden])');
  await soon(async () => assert.equal(await page.inputValue('#threshold-number'), '20'));
  await soon(async () => assert.equal(await page.inputValue('#search'), '.txt'));
  await page.goForward();
  await page.goForward();
  await page.waitForSelector('.overview:not([hidden])');
  await page.waitForFunction(() => document.querySelector('#threshold-number').value === '10');
  assert.equal((await lefts()).length, 5);
  page.quiet();
});

test('an address can be given to somebody, whatever is wrong in it', async () => {
  const sent = await open(report, { hash: '#/graph?from=22&theme=dark&search=lind' });
  await soon(async () => assert.equal(await sent.inputValue('#threshold-number'), '22'));
  assert.equal(await sent.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await soon(async () => assert.equal(await sent.locator('.node.faded').count(), 5));
  sent.quiet();
  await sent.context().close();
  for (const wrong of ['#/?from=abc&theme=pink&sort=__proto__:up&measure=constructor&range=9-1', '#/?from=-3&range=x', '#/?off=everything&scale=round&decision=toString', '#/graph?%', '#elsewhere']) {
    const odd = await open(report, { hash: wrong });
    await soon(async () => assert.equal(await odd.inputValue('#threshold-number'), '10', wrong));
    await soon(async () => assert.ok(await odd.locator('.view:visible h1').isVisible(), wrong));
    odd.quiet();
    await odd.context().close();
  }
});
