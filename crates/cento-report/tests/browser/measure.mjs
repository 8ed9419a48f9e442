// How fast report pages open and answer, as JSON: for each page the median of several runs, in milliseconds until it
// was done, and of those the ones that the page's own thread was busy. `bench/report-page` prints it as a table.
//
//   node measure.mjs RUNS PAGE.html...
import { open, settled, start, stop, view } from './support.mjs';

const [runs, ...pages] = process.argv.slice(2);
const ROW = '[aria-label="Pairs"] tbody tr[data-index]';

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/* Opens a page and does everything with it once. */
const measure = async (file) => {
  const times = {};
  let session;
  let from;
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find((metric) => metric.name === 'ThreadTime').value * 1000;
  };
  const page = await open(file, {
    prepare: async (opened) => {
      session = await opened.context().newCDPSession(opened);
      await session.send('Performance.enable', { timeDomain: 'threadTicks' });
      from = performance.now();
    },
  });
  await page.waitForSelector(ROW);
  await settled(page);
  times.opened = [performance.now() - from, await busy()];
  const timed = async (what, act) => {
    const [began, busyBefore] = [performance.now(), await busy()];
    await act();
    await settled(page);
    times[what] = [performance.now() - began, (await busy()) - busyBefore];
  };
  await timed('sorted', () => page.locator('[aria-label="Pairs"] button[data-key="right"]').click());
  await timed('scrolled', () => page.$eval('[aria-label="Pairs"]', (scroller) => {
    scroller.scrollTop = scroller.scrollHeight;
  }));
  await timed('searched', () => page.fill('#search', '42'));
  await page.fill('#search', '');
  await settled(page);
  await timed('threshold', () => page.fill('#threshold', '60'));
  await page.fill('#threshold', '1');
  await settled(page);
  await timed('graph', () => view(page, 'graph'));
  // Up to 600 documents are all there at once.
  if (await page.locator('#all').isVisible()) await timed('whole graph', () => page.click('#all'));
  await timed('families', () => view(page, 'families'));
  await timed('pair', async () => {
    await page.evaluate(() => {
      location.hash = '#/pair/100';
    });
    await page.waitForSelector('.panes');
  });
  page.quiet();
  await page.context().close();
  return times;
};

await start();
const found = [];
for (const file of pages) {
  const taken = [];
  for (let run = 0; run < Number(runs); run += 1) taken.push(await measure(file));
  found.push(Object.fromEntries(Object.keys(taken[0]).map((what) => [what, [0, 1].map((at) => Math.round(median(taken.map((times) => times[what][at]))))])));
}
await stop();
console.log(JSON.stringify(found));
