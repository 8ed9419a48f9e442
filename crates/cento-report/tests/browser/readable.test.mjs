// Every view can be read by everybody: axe-core finds nothing, and nothing is wider than the screen.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { classroom, go, open, run, settled, shot, soon, start, stop, template, temporary } from './support.mjs';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = temporary();
const report = path.join(folder, 'report.html');
const programs = path.join(folder, 'programs.html');
const VIEWS = { overview: '#/', graph: '#/graph', families: '#/families', decisions: '#/decisions', pair: '#/pair/0', document: '#/document/1', chosen: '#/?range=80-100&scale=linear&names=hidden&measure=resemblance' };
const SCREENS = {
  light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' }, narrow: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
};

before(async () => {
  const made = run('scan', classroom(), '--base', template, '-o', report);
  assert.equal(made.code, 0, made.error);
  const code = path.join(folder, 'code');
  for (const who of ['anna', 'ben']) {
    fs.mkdirSync(path.join(code, who), { recursive: true });
    const body = Array.from({ length: 30 }, (_, at) => `    if (${who}[${at}] > ${at} * 2) { total += ${who}[${at}] * ${at + 3}; } // step ${at}`).join('\n');
    fs.writeFileSync(path.join(code, who, 'Main.java'), `class Main {\n  static int sum(int[] ${who}) {\n    int total = 0;\n${body}\n    return total;\n  }\n}\n`);
    fs.writeFileSync(path.join(code, who, 'Other.java'), `class Other {\n  String name() { return "${who}"; }\n}\n`);
  }
  assert.equal(run('scan', code, '--per-folder', '-o', programs).code, 0);
  await start();
});
after(stop);

const violations = async (page) => {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map((node) => `${node.html.slice(0, 140)} ${node.any[0]?.message || ''}`).join(' | ')} (${nodes.length})`);
};
const ready = async (page, hash) => {
  if (/pair|document/.test(hash)) await page.waitForSelector('.pane-text');
  await settled(page);
};

for (const [screen, options] of Object.entries(SCREENS)) {
  for (const [view, hash] of [...Object.entries(VIEWS), ['code', '#/pair/0']]) {
    test(`axe-core finds nothing: ${view}, ${screen}`, async () => {
      const page = await open(view === 'code' ? programs : report, { hash, ...options });
      await ready(page, hash);
      if (view === 'pair') await page.check('[name="decision"][value="explained"]');
      await shot(page, `readable-${view}-${screen}`);
      assert.deepEqual(await violations(page), []);
      page.quiet();
      await page.context().close();
    });
  }
}

test('nothing scrolls sideways on a narrow screen or at 200 %', async () => {
  const wide = [];
  for (const viewport of [{ width: 390, height: 844 }, { width: 640, height: 450 }]) {
    for (const [view, hash] of [...Object.entries(VIEWS), ['code', '#/pair/0']]) {
      const page = await open(view === 'code' ? programs : report, { hash, viewport, deviceScaleFactor: viewport.width === 640 ? 2 : 1 });
      await ready(page, hash);
      const [width, culprits] = await page.evaluate(() => [document.documentElement.scrollWidth, [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.scroller, .passages, .pane-text, svg, .hidden')).slice(0, 3).map((one) => one.outerHTML.slice(0, 100))]);
      if (width > viewport.width) wide.push(`${view} at ${viewport.width}: ${width} ${culprits.join(' | ')}`);
      await page.context().close();
    }
  }
  assert.deepEqual(wide, []);
});

test('on paper heads repeat, and lines, numbers and decisions are there', async () => {
  const page = await open(report, { hash: '#/pair/1' });
  await page.waitForSelector('.panes');
  await page.emulateMedia({ media: 'print' });
  await settled(page);
  assert.deepEqual(await page.$$eval('.rows thead', (all) => [...new Set(all.map((head) => getComputedStyle(head).display))]), ['table-header-group']);
  const ink = await page.$eval('.line', (line) => getComputedStyle(line, '::before').color);
  assert.equal(ink, 'rgb(68, 68, 68)');
  const border = await page.$eval('.pane', (pane) => getComputedStyle(pane).borderTopColor);
  assert.equal(border, 'rgb(136, 136, 136)');
  await soon(async () => assert.ok(await page.locator('.decision').isVisible()));
  // The numbers of lines stand beside the text, not on it.
  const [gutter, text] = await page.$eval('.pane-text', (pane) => [parseFloat(getComputedStyle(pane.querySelector('.line'), '::before').width), parseFloat(getComputedStyle(pane).paddingLeft)]);
  assert.ok(gutter < text, `${gutter} ${text}`);
  await page.emulateMedia({ media: null });
  // Browsers repeat a head on every page only if there is nothing to press in it.
  await go(page, '#/');
  await page.emulateMedia({ media: 'print' });
  await settled(page);
  await soon(async () => assert.equal(await page.locator('.overview thead button').count(), 0));
  await soon(async () => assert.match(await page.textContent('[aria-label="Pairs"] thead'), /Shared, %/));
  await page.emulateMedia({ media: null });
  await settled(page);
  await soon(async () => assert.ok(await page.locator('.overview thead button').count() > 5));
  await page.context().close();
});
