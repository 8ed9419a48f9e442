// Jobs with names, a way back and files to save; uploads that are too large; whose documents are; shared decisions.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { readable } from './readers.mjs';
import { drop, zip, zipOf } from './sending.mjs';
import { begin, end, folder, heading, person, serve } from './serving.mjs';
import { open, root, run, shot, soon, texts, view } from './support.mjs';

const essays = path.join(root, 'examples/essays');
const essay = (name) => fs.readFileSync(path.join(essays, name));

after(end);

let base;
const people = {};
const passwords = {};

const logIn = async (name, password) => {
  const page = await person({ acceptDownloads: true });
  await page.goto(base);
  await page.fill('#name', name);
  await page.fill('#password', password);
  await page.click('button.main');
  await heading(page, 'What do documents share?');
  people[name] = page;
};

before(async () => {
  await begin();
  const at = path.join(folder, 'jobs');
  fs.mkdirSync(at);
  assert.equal(run('registry', 'init', '--registry', path.join(at, 'registry')).code, 0);
  const add = (name, role) => run('serve', 'user', 'add', name, '--role', role, '--data', path.join(at, 'data')).text.trim();
  Object.assign(passwords, { anna: add('anna', 'admin'), vera: add('vera', 'verify'), sam: add('sam', 'submit') });
  base = new URL('/', await serve('jobs', '--max-upload', '1MiB', '--keep', '7d')).href;
  for (const [name, password] of Object.entries(passwords)) await logIn(name, password);
});

/* Sends the class of the examples; ends on the page of its job. */
const testClass = async (page, name) => {
  await page.goto(`${base}pairwise`);
  await drop(page, [['class.zip', zipOf(essays)]]);
  if (name) await page.fill('#name', name);
  await page.click('button.main:enabled');
  await heading(page, 'Pairwise test: done');
  await page.locator('#report').waitFor();
  return new URL(page.url()).pathname;
};

test('a job has a name, leads back, and says how long it is kept', async () => {
  const { vera } = people;
  await testClass(vera, '');
  await soon(async () => assert.equal(await vera.textContent('#job-name'), 'class.zip'));
  await soon(async () => assert.match(await vera.textContent('#kept'), /kept until .*, which is for 7 days more, and then removed/));
  await readable(vera, 'job');
  const job = await testClass(vera, '<img src=x onerror=window.owned=1> week 1');
  assert.equal(await vera.evaluate(() => window.owned), undefined);
  for (const [label, ending, inside] of [['Page to save (HTML)', 'html', 'cento-report'], ['Table (CSV)', 'csv', 'brandt.txt'], ['Data (JSON)', 'json', 'cento.report/1']]) {
    const [download] = await Promise.all([vera.waitForEvent('download'), vera.getByRole('link', { name: label }).click()]);
    assert.equal(download.suggestedFilename(), `img src-x onerror-window.owned-1- week 1.${ending}`);
    const saved = path.join(folder, `saved.${ending}`);
    await download.saveAs(saved);
    assert.ok(fs.readFileSync(saved, 'utf8').includes(inside), ending);
  }
  await vera.click('.crumbs a');
  await heading(vera, 'Jobs');
  await soon(async () => assert.match(await vera.textContent('.verdict'), /2 jobs of yours\. Results are kept for 7 days/));
  await soon(async () => assert.deepEqual((await texts(vera, '[aria-label="Jobs"] tbody td:first-child')).sort(), ['<img src=x onerror=window.owned=1> week 1', 'class.zip']));
  await readable(vera, 'jobs');
  await vera.click('[aria-label="Jobs"] a:has-text("week 1")');
  await heading(vera, 'Pairwise test: done');
  assert.equal(new URL(vera.url()).pathname, job);
  await vera.click('#report');
  await vera.locator('[aria-label="Pairs"] tbody tr[data-index]').first().waitFor();
  await vera.click('#back');
  await heading(vera, 'Pairwise test: done');
  await vera.click('a:has-text("Another pairwise test")');
  await heading(vera, 'Pairwise test');
  await vera.locator('.drop').first().waitFor();
  vera.quiet();
});

test('what is too large is refused before it is sent, and the file is named', async () => {
  const { vera } = people;
  await vera.goto(`${base}pairwise`);
  const sent = [];
  vera.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await drop(vera, [['small.txt', essay('abara.txt')], ['huge <b>.txt', Buffer.alloc(1 << 21, 'word ')]]);
  await vera.locator('[role="alert"]:has-text("huge <b>.txt has 2.0 MiB, and at most 1.0 MiB can be sent at a time. Nothing was sent.")').waitFor();
  await soon(async () => assert.ok(await vera.locator('button.main').isDisabled()));
  await readable(vera, 'too-large');
  await vera.click('button:has-text("Remove all")');
  await vera.locator('#too-large:empty').waitFor({ state: 'attached' });
  const half = Buffer.alloc(600 << 10, 'word ');
  await drop(vera, [['one.txt', half], ['two.txt', half]]);
  await vera.locator('[role="alert"]:has-text("The files have 1.2 MiB together")').waitFor();
  await soon(async () => assert.ok(await vera.locator('button.main').isDisabled()));
  assert.deepEqual(sent, []);
  vera.quiet();
});

test('deleting asks, and no is no', async () => {
  const { vera } = people;
  const job = await testClass(vera, 'to delete');
  await vera.click('#remove');
  await vera.locator('dialog[open]:has-text("to delete")').waitFor();
  await readable(vera, 'delete-job');
  // The safe answer has the focus.
  await vera.keyboard.press('Enter');
  await vera.locator('dialog[open]').waitFor({ state: 'detached' });
  await vera.waitForFunction(() => document.activeElement.id === 'remove');
  await vera.click('#remove');
  await vera.keyboard.press('Escape');
  await vera.locator('dialog[open]').waitFor({ state: 'detached' });
  await vera.reload();
  await heading(vera, 'Pairwise test: done');
  // A report that is open while its job is deleted says so, and keeps nothing back.
  const other = await vera.context().newPage();
  await other.goto(`${new URL(job, base).href}/report#/pair/0`);
  await other.waitForSelector('.panes');
  await vera.click('#remove');
  await vera.click('dialog button:has-text("Delete it")');
  await heading(vera, 'Pairwise test: the result was deleted');
  await other.click('[name="decision"][value="find"]');
  await other.locator('.decision .note:has-text("What you chose is not kept: the job and its report have been removed from the server.")').waitFor();
  await other.close();
  vera.quiet();
});

test('a set is forgotten after a question', async () => {
  const { anna } = people;
  await anna.goto(`${base}register`);
  await anna.fill('#set', 'old class');
  await drop(anna, [['abara.txt', essay('abara.txt')]]);
  await anna.click('button.main:enabled');
  await heading(anna, 'Registration: done');
  await anna.goto(`${base}registry`);
  await anna.locator('[aria-label="Documents"] tbody tr').first().waitFor();
  await anna.selectOption('#in-set', 'old class');
  await anna.click('#forget-set');
  await anna.locator('dialog[open]:has-text("1 document of old class")').waitFor();
  await anna.click('dialog button:has-text("Keep it")');
  await anna.locator('dialog[open]').waitFor({ state: 'detached' });
  await anna.click('#forget-set');
  await anna.click('dialog button:has-text("Forget all of it")');
  await anna.locator('[role="status"]:has-text("1 document forgotten")').waitFor();
  anna.quiet();
});

test('a class archive is registered under its students, after a preview', async () => {
  const { vera } = people;
  const names = ['abara', 'brandt', 'costa'];
  const files = fs.readdirSync(essays).sort().slice(0, 3).map((file, at) => [`<i>${names[at]}_${at + 1}_assignsubmission_file_/${file}`, essay(file)]);
  await vera.goto(`${base}register`);
  await vera.fill('#set', '2026');
  await drop(vera, [['moodle.zip', zip([...files, ['readme.txt', Buffer.from('what this is and who made it and why')]])]]);
  await vera.selectOption('#submitters', 'layout');
  await soon(async () => assert.ok(!(await vera.locator('#submitter').isVisible())));
  await vera.click('button.main:enabled');
  await heading(vera, 'Registration: whose are these?');
  await vera.locator('[role="status"]:has-text("3 documents of 3 submitters; of 1 document nothing says whose it is.")').waitFor();
  await soon(async () => assert.match(await vera.textContent('[aria-label="Submitters"] tbody'), /<i>abara/));
  await readable(vera, 'whose');
  // Nothing is written yet: another rule, and back.
  await vera.fill('#rule', '{submitter}.txt');
  await vera.click('#try');
  await vera.locator('[role="status"]:has-text("1 document of 1 submitter")').waitFor();
  await vera.fill('#rule', '*.txt');
  await vera.keyboard.press('Enter');
  await vera.locator('[role="alert"]:has-text("must be layout, or a pattern")').waitFor();
  await soon(async () => assert.ok(await vera.locator('#go').isDisabled()));
  await vera.fill('#rule', 'layout');
  await vera.keyboard.press('Enter');
  await vera.click('#go:enabled:has-text("Register 3 documents")');
  await heading(vera, 'Registration: 1 of 4 documents could not be registered');
  await soon(async () => assert.match(await vera.textContent('[aria-label="Documents"] tbody'), /2026\/<i>abara\/moodle\.zip\/<i>abara_1\s*registered/));
  await vera.goto(`${base}registry`);
  await vera.locator('[aria-label="Documents"] tbody tr').first().waitFor();
  await soon(async () => assert.deepEqual(await texts(vera, '[aria-label="Documents"] tbody td:nth-child(3)'), names.map((name) => `<i>${name}`)));
  vera.quiet();
});

test('decisions are shared by all who may see the job, with who and when', async () => {
  const { anna, vera } = people;
  const job = await testClass(vera, 'to decide');
  const report = `${new URL(job, base).href}/report#/pair/1`;
  await vera.goto(report);
  await vera.waitForSelector('.panes');
  await vera.check('[name="decision"][value="find"]');
  await vera.locator('.decision .note:has-text("by vera")').waitFor();
  await vera.fill('#decision-note', 'Same <b>order</b>.');
  await vera.locator('#decision-note').blur();
  await vera.locator('.decision summary:has-text("1 earlier decision")').waitFor({ state: 'attached' });
  // An administrator sees it, and decides otherwise: the later one counts.
  await anna.goto(report);
  await anna.waitForSelector('.panes');
  await soon(async () => assert.ok(await anna.isChecked('[name="decision"][value="find"]')));
  await soon(async () => assert.equal(await anna.inputValue('#decision-note'), 'Same <b>order</b>.'));
  await anna.check('[name="decision"][value="explained"]');
  await anna.locator('.decision .note:has-text("by anna")').waitFor();
  await anna.locator('.decision summary').click();
  await soon(async () => assert.match(await anna.textContent('.before ol'), /a find, .* by vera: Same <b>order<\/b>\./));
  await readable(anna, 'decided');
  // The first one hears of it when they come back to the page.
  await vera.evaluate(() => window.dispatchEvent(new Event('focus')));
  await vera.locator('.decision .note:has-text("by anna")').waitFor();
  await soon(async () => assert.ok(await vera.isChecked('[name="decision"][value="explained"]')));
  // It goes with the case file, which is a page like any other and talks to nobody.
  const [download] = await Promise.all([vera.waitForEvent('download'), vera.click('#save-case')]);
  const saved = path.join(folder, 'case.html');
  await download.saveAs(saved);
  const opened = await open(saved);
  await opened.waitForSelector('.panes');
  await soon(async () => assert.ok(await opened.isChecked('[name="decision"][value="explained"]')));
  await soon(async () => assert.match(await opened.textContent('.decision .note'), /by anna/));
  assert.ok(!fs.readFileSync(saved, 'utf8').includes('fetch('));
  opened.quiet();
  await opened.context().close();
  assert.equal(run('verify-case', saved).code, 0);
  // So does the page of all pairs that is saved from the job.
  await view(vera, 'decisions');
  await vera.locator('.decisions h1:has-text("1 of ")').waitFor();
  await soon(async () => assert.match(await vera.textContent('.decisions'), /kept on the server, with who and when/));
  await shot(vera, 'decisions-on-the-server');
  await vera.click('#back');
  await heading(vera, 'Pairwise test: done');
  await soon(async () => assert.match(await vera.textContent('#kept'), /The result and 1 decision about it are kept/));
  const [page] = await Promise.all([vera.waitForEvent('download'), vera.getByRole('link', { name: 'Page to save (HTML)' }).click()]);
  const whole = path.join(folder, 'whole.html');
  await page.saveAs(whole);
  const file = await open(whole, { hash: '#/decisions' });
  await file.locator('.decisions h1:has-text("1 of ")').waitFor();
  file.quiet();
  await file.context().close();
  vera.quiet();
  anna.quiet();
});

test('who logs in again in another tab goes on where they were', async () => {
  const vera = people.vera;
  const job = await testClass(vera, 'interrupted');
  await vera.goto(`${new URL(job, base).href}/report#/pair/1`);
  await vera.waitForSelector('.panes');
  const form = await vera.context().newPage();
  await form.goto(`${base}pairwise`);
  await drop(form, [['one.txt', essay('abara.txt')], ['two.txt', essay('jansen.txt')]]);
  const tab = await vera.context().newPage();
  await tab.goto(base);
  await tab.click('#log-out');
  await heading(tab, 'Log in');
  await vera.click('[name="decision"][value="find"]');
  await vera.locator('.decision .note:has-text("not kept: you are logged out")').waitFor();
  await vera.fill('#decision-note', 'Asked both on Monday.');
  await vera.locator('#decision-note').blur();
  await form.click('button.main:enabled');
  await form.locator('[role="alert"]:has-text("you are logged out; log in in another tab and try again")').waitFor();
  // Somebody else does not send what was theirs.
  const enter = async (name) => {
    await tab.goto(base);
    await tab.fill('#name', name);
    await tab.fill('#password', passwords[name]);
    await tab.click('button.main');
    await heading(tab, 'What do documents share?');
  };
  await enter('anna');
  await form.click('button.main:enabled');
  await form.locator('[role="alert"]:has-text("somebody else is logged in now; load the page again")').waitFor();
  await vera.click('#decide-again');
  await vera.locator('.decision .note:has-text("not kept: somebody else is logged in now")').waitFor();
  await tab.click('#log-out');
  await heading(tab, 'Log in');
  await enter('vera');
  // Looking after the decisions of others loses nothing of what could not be sent.
  await vera.evaluate(() => window.dispatchEvent(new Event('focus')));
  await soon(async () => assert.equal(await vera.inputValue('#decision-note'), 'Asked both on Monday.'));
  await vera.click('#decide-again');
  await vera.locator('.decision .note:has-text("by vera")').waitFor();
  await soon(async () => assert.ok(await vera.isChecked('[name="decision"][value="find"]') && await vera.locator('#decide-again').isHidden()));
  assert.equal(await vera.inputValue('#decision-note'), 'Asked both on Monday.');
  await form.click('button.main:enabled');
  await heading(form, 'Pairwise test: done');
  await form.close();
  await tab.close();
});

test('those who hand in may look at a report, and decide nothing', async () => {
  const { sam, vera } = people;
  const job = await testClass(sam, 'own test');
  await sam.goto(`${new URL(job, base).href}/report#/pair/0`);
  await sam.waitForSelector('.panes');
  await soon(async () => assert.ok(await sam.locator('[name="decision"][value="find"]').isDisabled()));
  await sam.locator('.decision .note:has-text("may look at decisions, but not make them")').waitFor();
  sam.quiet();
  // Somebody else's job is not there at all.
  await vera.goto(new URL(job, base).href);
  await heading(vera, 'Not found');
  await vera.goto(`${new URL(job, base).href}/report`);
  await heading(vera, 'There is nothing here');
});
