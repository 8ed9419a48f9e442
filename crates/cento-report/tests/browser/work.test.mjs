// The work that follows a find: decisions with notes, a summary, files of them, and an earlier run to compare with.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { classroom, go, open, run, shot, soon, start, stop, template, temporary, texts, view } from './support.mjs';

const folder = temporary();
const report = path.join(folder, 'report.html');
let page;

before(async () => {
  const made = run('scan', classroom(), '--base', template, '-o', report);
  assert.equal(made.code, 0, made.error);
  await start();
  page = await open(report, { hash: '#/pair/1' });
  await page.waitForSelector('.panes');
});
after(stop);

const decisions = () => texts(page, '[aria-label="Pairs"] tbody tr[data-index] .decided');

test('a pair is marked, with a note, and the browser keeps it', async () => {
  await soon(async () => assert.ok(await page.locator('#decision-note').isDisabled()));
  await page.check('[name="decision"][value="find"]');
  await page.fill('#decision-note', 'Same <b>order</b> of arguments.\nAsked both on Monday.');
  await page.click('.view.pair h1');
  await page.locator('.crumbs a').first().click();
  await page.waitForSelector('.overview:not([hidden])');
  assert.deepEqual(await decisions(), ['a find ✎']);
  await page.reload();
  await page.locator('h1:visible').waitFor();
  assert.deepEqual(await decisions(), ['a find ✎']);
  await go(page, '#/pair/1');
  await page.waitForSelector('.panes');
  await soon(async () => assert.ok(await page.isChecked('[name="decision"][value="find"]')));
  await soon(async () => assert.equal(await page.inputValue('#decision-note'), 'Same <b>order</b> of arguments.\nAsked both on Monday.'));
  await soon(async () => assert.match(await page.textContent('.decision .note'), /Decided on \d{4}-\d\d-\d\d \d\d:\d\d\./));
  await page.emulateMedia({ media: 'print' });
  await soon(async () => assert.ok(await page.locator('.paper-note').isVisible()));
  await soon(async () => assert.match(await page.textContent('.paper-note'), /Asked both on Monday/));
  await page.emulateMedia({ media: null });
});

test('the list is filtered by decision, in its own field and in the search', async () => {
  await go(page, '#/pair/3');
  await page.waitForSelector('.panes');
  await page.check('[name="decision"][value="explained"]');
  await page.locator('.crumbs a').first().click();
  await page.waitForSelector('.overview:not([hidden])');
  assert.equal((await decisions()).length, 2);
  const count = () => page.locator('[aria-label="Pairs"] tbody tr[data-index]').count();
  await page.selectOption('#decision', 'none');
  assert.equal(await count(), 3);
  await page.waitForFunction(() => location.hash.includes('decision=none'));
  await page.selectOption('#decision', '');
  for (const [search, found] of [['decision:find', 1], ['decision:none', 3], ['note:monday', 1], ['-decision:none', 2]]) {
    await page.fill('#search', search);
    assert.equal(await count(), found, search);
  }
  await page.fill('#search', '');
});

test('a summary says what was decided, for paper, too', async () => {
  await view(page, 'decisions');
  await soon(async () => assert.equal(await page.textContent('.decisions h1'), '2 of 5 pairs decided'));
  await soon(async () => assert.match(await page.textContent('.of-find'), /Finds.*1 pair.*brandt\.txt and dvorak\.txt.*91 % \/ 93 %.*Same <b>order<\/b> of arguments/s));
  await soon(async () => assert.match(await page.textContent('.undecided'), /3 pairs/));
  await shot(page, 'decisions');
  await page.emulateMedia({ media: 'print' });
  await soon(async () => assert.ok(!(await page.locator('#export').isVisible())));
  await soon(async () => assert.ok(await page.locator('.of-find').isVisible()));
  await page.emulateMedia({ media: null });
  await page.click('#show-undecided');
  await page.waitForSelector('.overview:not([hidden])');
  await soon(async () => assert.equal(await page.locator('[aria-label="Pairs"] tbody tr[data-index]').count(), 3));
  await page.selectOption('#decision', '');
});

test('decisions go into a file and into another browser', async () => {
  await view(page, 'decisions');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#export')]);
  assert.equal(download.suggestedFilename(), 'decisions.json');
  const file = path.join(folder, 'decisions.json');
  await download.saveAs(file);
  const found = JSON.parse(fs.readFileSync(file, 'utf8'));
  assert.equal(found.schema, 'cento.work/1');
  assert.deepEqual(found.pairs.map(({ left, right, state }) => [left, right, state]), [['brandt.txt', 'dvorak.txt', 'find'], [found.pairs[1].left, found.pairs[1].right, 'explained']]);
  assert.match(found.pairs[0].left_sha256, /^[0-9a-f]{64}$/);
  const other = await open(report, { hash: '#/decisions' });
  await soon(async () => assert.equal(await other.textContent('.decisions h1'), '0 of 5 pairs decided'));
  found.pairs.push({ ...found.pairs[0], left: 'elsewhere.txt' }, { left: 1 }, { left: 'brandt.txt', right: 'dvorak.txt', state: '__proto__' });
  fs.writeFileSync(file, JSON.stringify(found));
  await other.setInputFiles('#import-file', file);
  await other.waitForFunction(() => document.querySelector('.decisions h1').textContent.startsWith('2 of 5'));
  await soon(async () => assert.match(await other.textContent('.decisions > .note'), /2 decisions taken over from decisions\.json; 0 not.*later.*; 1 not/));
  await other.setInputFiles('#import-file', report);
  await other.waitForFunction(() => document.querySelector('.decisions > .note').textContent.includes('has no decisions'));
  other.quiet();
  await other.context().close();
});

test('a case file is named after its pair and carries its decision', async () => {
  await go(page, '#/pair/1');
  await page.waitForSelector('#save-case');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-case')]);
  assert.equal(download.suggestedFilename(), 'case-brandt-and-dvorak.html');
  const saved = path.join(folder, 'case.html');
  await download.saveAs(saved);
  const opened = await open(saved);
  await opened.waitForSelector('.panes');
  await soon(async () => assert.ok(await opened.isChecked('[name="decision"][value="find"]')));
  await soon(async () => assert.match(await opened.inputValue('#decision-note'), /Asked both on Monday/));
  opened.quiet();
  await opened.context().close();
  assert.equal(run('verify-case', saved).code, 0);
});

test('what is new since an earlier run, and decisions that still hold', async () => {
  // Later, one more document came in and one was rewritten.
  const later = classroom();
  const brandt = fs.readFileSync(path.join(later, 'brandt.txt'), 'utf8');
  fs.writeFileSync(path.join(later, 'zuber.txt'), brandt);
  fs.writeFileSync(path.join(later, 'grieve.txt'), Array.from({ length: 300 }, (_, at) => `other${at}`).join(' '));
  const second = path.join(folder, 'second.html');
  assert.equal(run('scan', later, '--base', template, '-o', second).code, 0);
  const context = page.context();
  await page.goto(`file://${second}#/decisions`);
  await page.locator('.decisions h1:visible').waitFor();
  await page.fill('#search', 'since:new');
  await page.setInputFiles('#compare-file', report);
  await page.waitForSelector('.changes');
  const said = await page.textContent('.changes');
  assert.match(said, /1 new document, 1 with another text, 0 no longer there/);
  assert.match(said, /2 new pairs/);
  assert.match(said, /brandt\.txt and zuber\.txt/);
  assert.match(said, /1 pair no longer listed.*grieve\.txt/s);
  assert.match(said, /This browser has 2 decisions about the earlier run/);
  await page.click('#take-over');
  await page.waitForFunction(() => document.querySelector('.changes').textContent.includes('taken over'));
  await soon(async () => assert.match(await page.textContent('.of-find'), /brandt\.txt and dvorak\.txt/));
  await shot(page, 'since');
  await view(page, '');
  await soon(async () => assert.equal(await page.locator('[aria-label="Pairs"] tbody tr[data-index]').count(), 2));
  await page.fill('#search', '');
  await view(page, 'decisions');
  await page.setInputFiles('#compare-file', { name: 'notes.html', mimeType: 'text/html', buffer: Buffer.from('<p>nothing</p>') });
  await page.waitForFunction(() => document.querySelector('.earlier .problem')?.textContent.includes('notes.html is no report of Cento'));
  await context.close();
});
