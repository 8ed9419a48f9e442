// The pictures of the README and of docs/starts: the pages of the examples, light, at the size of a column.
import assert from 'node:assert/strict';
import path from 'node:path';
import { classroom, open, root, run, settled, start, stop, template, temporary } from './support.mjs';

const folder = process.argv[2];
const work = temporary();
const made = (name) => path.join(work, name);
const example = (name) => path.join(root, 'examples', name);
const cento = (...args) => {
  const done = run(...args);
  assert.equal(done.code, 0, done.error);
};

cento('scan', classroom(), '--base', template, '-o', made('report.html'));
cento('registry', 'init', '--registry', made('registry'), '--retain', 'text');
cento('register', example('theses/okafor.txt'), example('theses/lindgren.txt'), example('theses/moreau.txt'), '--registry', made('registry'));
cento('verify', example('theses/tanaka.txt'), '--registry', made('registry'), '-o', made('verify.html'));
cento('archive', 'init', '--archive', made('archive'));
cento('archive', 'add', example('web/crawl.warc'), '--archive', made('archive'));
cento('archive', 'diff', 'http://town.example/notices@1', '3', '--archive', made('archive'), '--html', made('diff.html'));

await start();
for (const [name, page, hash, height] of [
  ['overview', 'report', '#/', 900],
  ['pair', 'report', '#/pair/1', 960],
  ['graph', 'report', '#/graph', 860],
  ['verify', 'verify', '#/pair/0', 860],
  ['diff', 'diff', '', 620],
]) {
  const shown = await open(made(`${page}.html`), { hash, viewport: { width: 1360, height }, colorScheme: 'light' });
  if (hash.startsWith('#/pair/')) await shown.waitForSelector('.panes');
  // What has changed is at the end.
  if (name === 'diff') await shown.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await shown.waitForTimeout(300);
  await settled(shown);
  // Few colours make a small file, and the page has few.
  await shown.screenshot({ path: path.join(folder, `${name}.png`), scale: 'css' });
  shown.quiet();
  await shown.context().close();
}
await stop();
