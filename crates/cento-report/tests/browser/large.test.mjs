// A large report opens and does what it is told: 1,000 documents and 4,000 pairs, or with CENTO_LONG=1 5,000 and
// 20,000. How fast is printed, not judged: bench/report-page measures it on a quiet machine.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { generate } from './corpus.mjs';
import { go, open, run, settled, shot, soon, start, stop, temporary, view } from './support.mjs';

const documents = process.env.CENTO_LONG ? 5000 : 1000;
const pairs = 4 * documents;
const folder = temporary();
const report = path.join(folder, 'report.html');
// Milliseconds until it was done, and of those the ones that the page itself was busy.
const times = {};
let page;
let session;

const busy = async () => {
  if (!session) return 0;
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((metric) => metric.name === 'ThreadTime').value * 1000;
};

const timed = async (what, act) => {
  const [from, busyFrom] = [performance.now(), await busy()];
  const result = await act();
  times[what] = [performance.now() - from, (await busy()) - busyFrom].map(Math.round);
  return result;
};

/* Time of the page's own thread, which does not depend on what else the machine does. */
const listen = async (opened) => {
  session = await opened.context().newCDPSession(opened);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
};

before(async () => {
  generate(path.join(folder, 'in'), { documents, family: 10, words: 600 });
  const made = await timed('made', () => run('scan', path.join(folder, 'in'), '--threshold', '0.01', '-n', String(pairs), '-o', report, '--quiet'));
  assert.equal(made.code, 0, made.error);
  await start();
});
after(async () => {
  console.log(JSON.stringify({ bytes: fs.statSync(report).size, milliseconds: times }));
  await stop();
  fs.rmSync(folder, { recursive: true });
});

test('it opens', async () => {
  let from;
  page = await open(report, {
    prepare: async (opened) => {
      await listen(opened);
      from = performance.now();
    },
  });
  await page.waitForSelector('[aria-label="Pairs"] tbody tr[data-index]');
  await settled(page);
  times.opened = [performance.now() - from, await busy()].map(Math.round);
  assert.deepEqual(await page.evaluate(() => [Cento.report.documents.length, Cento.report.pairs.length]), [documents, pairs]);
  // Only what can be seen exists.
  await soon(async () => assert.ok(await page.locator('tbody tr[data-index]').count() < 150));
});

test('it sorts, searches, scrolls and filters', async () => {
  const first = () => page.locator('[aria-label="Pairs"] tbody tr[data-index]').first().textContent();
  await timed('sorted', async () => {
    await page.locator('[aria-label="Pairs"] button[data-key="right"]').click();
    await settled(page);
  });
  assert.match(await first(), /document-00001/);
  await timed('scrolled', async () => {
    await page.$eval('[aria-label="Pairs"]', (scroller) => {
      scroller.scrollTop = scroller.scrollHeight;
    });
    const late = `document-${String(documents / 100 - 1).padStart(3, '0')}`;
    await page.waitForFunction((name) => [...document.querySelectorAll('[aria-label="Pairs"] tbody tr[data-index]')].at(-1).textContent.includes(name), late);
  });
  // The keyboard goes as far.
  await page.locator('[aria-label="Pairs"] tbody a').last().focus();
  await page.keyboard.press('Home');
  assert.equal(await page.evaluate(() => document.activeElement.closest('tr').dataset.index), '0');
  await page.keyboard.press('End');
  assert.equal(await page.evaluate(() => document.activeElement.closest('tr').dataset.index), String(pairs - 1));
  await timed('searched', async () => {
    await page.fill('#search', '00042');
    await settled(page);
  });
  await soon(async () => assert.ok(await page.locator('[aria-label="Pairs"] tbody tr[data-index]').count() <= 16));
  await page.fill('#search', '');
  await timed('threshold', async () => {
    await page.fill('#threshold', '60');
    await settled(page);
  });
  const left = await page.evaluate(() => Cento.chosen.pairs.length);
  assert.ok(left > 100 && left < pairs);
  await page.fill('#threshold', '1');
  await shot(page, 'large-overview');
});

test('its graph grows from the 20 most similar to all', async () => {
  await timed('graph', async () => {
    await view(page, 'graph');
    await settled(page);
  });
  await soon(async () => assert.equal(await page.locator('.node').count(), 20));
  await page.click('#more');
  await settled(page);
  await soon(async () => assert.equal(await page.locator('.node').count(), 40));
  await shot(page, 'large-graph');
  await timed('whole graph', async () => {
    await page.click('#all');
    await settled(page);
  });
  await soon(async () => assert.ok(await page.locator('.node').count() > 0.98 * documents));
  await shot(page, 'large-graph-all');
  await timed('families', async () => {
    await view(page, 'families');
    await settled(page);
  });
  await soon(async () => assert.equal(await page.locator('.family').count(), 40));
});

test('its pairs open', async () => {
  await timed('pair', async () => {
    await go(page, `#/pair/${0.6 * pairs}`);
    await page.waitForSelector('.panes');
    await settled(page);
  });
  await soon(async () => assert.ok(await page.locator('mark').count() > 2));
  page.quiet();
});
