// The pictures of the README: the page of the examples, light, at the size of a column.
import path from 'node:path';
import { classroom, open, run, settled, start, stop, template, temporary } from './support.mjs';

const folder = process.argv[2];
const report = path.join(temporary(), 'report.html');
run('scan', classroom(), '--base', template, '-o', report);
await start();
for (const [name, hash, height] of [['overview', '#/', 900], ['pair', '#/pair/1', 960], ['graph', '#/graph', 860]]) {
  const page = await open(report, { hash, viewport: { width: 1360, height }, colorScheme: 'light' });
  if (name === 'pair') await page.waitForSelector('.panes');
  await page.waitForTimeout(300);
  await settled(page);
  // Few colours make a small file, and the page has few.
  await page.screenshot({ path: path.join(folder, `${name}.png`), scale: 'css' });
  page.quiet();
  await page.context().close();
}
await stop();
