// The graph: names that do not lie on each other, colours that stay, and families first where there are many documents.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { generate } from './corpus.mjs';
import { classroom, go, open, run, settled, shot, soon, start, stop, template, temporary, view } from './support.mjs';

const folder = temporary();
const few = path.join(folder, 'few.html');
const many = path.join(folder, 'many.html');
const crowd = path.join(folder, 'crowd.html');

before(async () => {
  assert.equal(run('scan', classroom(), '--base', template, '-o', few).code, 0);
  generate(path.join(folder, 'in'), { documents: 200, family: 10, words: 150 });
  assert.equal(run('scan', path.join(folder, 'in'), '--threshold', '0.01', '-n', '900', '-o', many, '--quiet').code, 0);
  generate(path.join(folder, 'crowded'), { documents: 1200, family: 3, words: 60 });
  assert.equal(run('scan', path.join(folder, 'crowded'), '--threshold', '0.01', '-n', '5000', '-o', crowd, '--quiet').code, 0);
  await start();
});
after(stop);

/* Pairs of names, or of a name and a number, that lie on each other. */
const collisions = (page) => page.$$eval('.node text, .weight', (all) => {
  const seen = all.filter((one) => getComputedStyle(one).display !== 'none').map((one) => ({ text: one.textContent, box: one.getBoundingClientRect() })).filter(({ box }) => box.width > 0);
  const found = [];
  seen.forEach((a, at) => seen.slice(at + 1).forEach((b) => {
    if (a.box.left < b.box.right - 2 && a.box.right > b.box.left + 2 && a.box.top < b.box.bottom - 4 && a.box.bottom > b.box.top + 4) found.push(`${a.text} on ${b.text}`);
  }));
  return { found, shown: seen.length };
});

test('names do not lie on each other, at any scale', async () => {
  const page = await open(many, { hash: '#/graph' });
  await settled(page);
  await go(page, '#/graph?from=55');
  await settled(page);
  for (const times of [0, 2, 3, -4]) {
    for (let at = 0; at < Math.abs(times); at += 1) await page.click(`[aria-label="Zoom ${times > 0 ? 'in' : 'out'}"]`);
    await settled(page);
    assert.deepEqual((await collisions(page)).found, [], `after ${times}`);
  }
  page.quiet();
  await page.context().close();
  const small = await open(few, { hash: '#/graph' });
  await settled(small);
  const { found, shown } = await collisions(small);
  assert.deepEqual(found, []);
  // There is room for all nine names and their five numbers.
  assert.equal(shown, 14);
  small.quiet();
  await small.context().close();
});

test('families come first, and their insides when one is chosen', async () => {
  const page = await open(many, { hash: '#/graph' });
  await settled(page);
  await soon(async () => assert.ok(await page.locator('.node').count() > 190));
  await soon(async () => assert.equal(await page.locator('.more:visible').count(), 0));
  await soon(async () => assert.equal(await page.locator('.hull').count(), 20));
  assert.equal((await collisions(page)).shown, 0);
  assert.match((await page.$$eval('.group-title', (all) => all.map((one) => one.textContent))).join(), /^(\d+|Family \d+: \d+ documents)(,(\d+|Family \d+: \d+ documents))*$/);
  // The picture is used: families reach close to its edges one way or the other.
  const used = await page.evaluate(() => {
    const [picture, ...hulls] = [document.querySelector('.graph'), ...document.querySelectorAll('.hull')].map((one) => one.getBoundingClientRect());
    const [left, right, top, bottom] = [Math.min(...hulls.map((one) => one.left)), Math.max(...hulls.map((one) => one.right)), Math.min(...hulls.map((one) => one.top)), Math.max(...hulls.map((one) => one.bottom))];
    return [(right - left) / picture.width, (bottom - top) / picture.height, left >= picture.left && right <= picture.right && top >= picture.top && bottom <= picture.bottom];
  });
  assert.ok(Math.max(used[0], used[1]) > 0.95 && Math.min(used[0], used[1]) > 0.7 && used[2], used.join());
  await shot(page, 'graph-groups');
  const box = await page.locator('.hull').nth(7).boundingBox();
  await page.mouse.click(box.x + 3, box.y + box.height - 3);
  await settled(page);
  const inside = await collisions(page);
  assert.ok(inside.shown >= 5, String(inside.shown));
  assert.deepEqual(inside.found, []);
  await shot(page, 'graph-inside');
  await page.click('text=Fit');
  await settled(page);
  assert.equal((await collisions(page)).shown, 0);
  page.quiet();
  await page.context().close();
});

test('however many families there are, each is inside its frame, and nothing lies on its points', async () => {
  const page = await open(crowd, { hash: '#/graph' });
  await settled(page);
  await page.click('#all');
  await settled(page);
  const [families, outside, hidden, covered] = await page.evaluate(() => {
    const hulls = [...document.querySelectorAll('.hull')].map((one) => one.getBoundingClientRect());
    const points = [...document.querySelectorAll('.node circle')].map((one) => one.getBoundingClientRect());
    const isIn = (point) => hulls.some((hull) => point.left >= hull.left && point.right <= hull.right && point.top >= hull.top && point.bottom <= hull.bottom);
    const titles = [...document.querySelectorAll('.group-title')].map((one) => one.getBoundingClientRect()).filter((box) => box.width > 0);
    const isOn = (a, b, by) => a.left < b.right - by && a.right > b.left + by && a.top < b.bottom - by && a.bottom > b.top + by;
    const middle = (box) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const isHidden = (one, at) => points.some((other, later) => later > at && Math.hypot(middle(one)[0] - middle(other)[0], middle(one)[1] - middle(other)[1]) < one.width / 2);
    return [hulls.length, points.filter((point) => !isIn(point)).length, points.filter(isHidden).length, titles.filter((title) => points.some((point) => isOn(title, point, 2))).length];
  });
  assert.ok(families > 300, String(families));
  assert.equal(outside, 0);
  assert.equal(hidden, 0, 'points under others');
  assert.equal(covered, 0, 'numbers on points');
  page.quiet();
  await page.context().close();
});

test('colours stay with their families, whatever the threshold', async () => {
  const page = await open(few, { hash: '#/graph' });
  const colours = () => page.$$eval('.node', (all) => Object.fromEntries(all.map((node) => [node.querySelector('text').textContent, [...node.classList].find((name) => name.startsWith('colour'))])));
  await settled(page);
  const before = await colours();
  for (const from of ['18', '24', '50', '95']) {
    await page.fill('#threshold-number', from);
    await page.press('#threshold-number', 'Enter');
    await settled(page);
    const now = await colours();
    assert.ok(Object.keys(now).length >= 2);
    for (const [name, colour] of Object.entries(now)) assert.equal(colour, before[name], `${name} from ${from} %`);
  }
  // The list of families has the same.
  await page.fill('#threshold-number', '10');
  await page.press('#threshold-number', 'Enter');
  await view(page, 'families');
  const dots = await page.$$eval('.family', (all) => all.map((one) => [one.querySelector('.members .name').textContent, [...one.querySelector('.dot').classList].find((name) => name.startsWith('colour'))]));
  for (const [name, colour] of dots) assert.equal(colour, before[name], name);
  page.quiet();
});
