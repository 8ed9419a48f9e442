// A person with a server: drop a class, register, verify, forget; log in and out; with the keyboard alone.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { drop, zipOf } from './sending.mjs';
import { begin, end, folder, heading, person, serve } from './serving.mjs';
import { root, run, shot, soon, texts, view } from './support.mjs';

const essays = path.join(root, 'examples/essays');

before(begin);
after(end);

let page;

test('the printed address opens the home page, once', async () => {
  fs.mkdirSync(path.join(folder, 'open'));
  assert.equal(run('registry', 'init', '--registry', path.join(folder, 'open/registry')).code, 0);
  const address = await serve('open');
  page = await person();
  await page.goto(address);
  await heading(page, 'What do documents share?');
  assert.equal(new URL(page.url()).search, '');
  await soon(async () => assert.deepEqual(await texts(page, '.choice strong'), ['Pairwise test', 'Verification', 'Registration']));
  await shot(page, 'server-home');
  const other = await person();
  await other.goto(address);
  await heading(other, 'This address is gone');
  await soon(async () => assert.match(await other.textContent('body'), /works once/));
  await other.goto(new URL('/', address).href);
  await heading(other, 'Closed');
  await other.context().close();
  page.quiet();
});

test('a zip is dropped, and becomes a graph, a table and a pair', async () => {
  await page.click('.choice:has-text("Pairwise")');
  await heading(page, 'Pairwise test');
  await soon(async () => assert.ok(await page.locator('button.main').isDisabled()));
  await drop(page, [['class.zip', zipOf(essays)]]);
  await page.locator('.chosen li').waitFor();
  await shot(page, 'server-pairwise');
  await page.click('button.main');
  await heading(page, 'Pairwise test: done');
  await soon(async () => assert.deepEqual(await texts(page, '.tile dt'), ['documents', 'pairs', 'families', 'skipped']));
  await soon(async () => assert.equal((await texts(page, '.tile dd'))[0], '12'));
  await page.waitForFunction(() => document.activeElement.id === 'report');
  await shot(page, 'server-job');
  page.quiet();
  await page.click('#report');
  await page.locator('[aria-label="Pairs"] tbody tr[data-index]').first().waitFor();
  await view(page, 'graph');
  await page.locator('svg circle').nth(3).waitFor();
  await view(page, '');
  await page.locator('[aria-label="Pairs"] tbody tr[data-index] a').first().click();
  await page.locator('.panes').waitFor();
  await soon(async () => assert.ok(await page.locator('.panes mark, .panes [class*="exact"]').count() > 0));
  await shot(page, 'server-pair');
  page.quiet();
});

test('registered, found, forgotten, no longer found', async () => {
  const base = new URL(page.url()).origin;
  const essay = [['abara.txt', fs.readFileSync(path.join(essays, 'abara.txt'))]];
  await page.goto(`${base}/register`);
  await page.fill('#set', '2026');
  await page.fill('#submitter', 's-17');
  await drop(page, essay);
  await page.click('button.main:enabled');
  await heading(page, 'Registration: done');
  await soon(async () => assert.match(await page.textContent('[aria-label="Documents"] tbody'), /2026\/s-17\/abara\.txt\s*registered/));
  await shot(page, 'server-registered');

  const verify = async (hits) => {
    await page.goto(`${base}/verify`);
    await drop(page, [['copy.txt', essay[0][1]]]);
    await page.click('button.main:enabled');
    await heading(page, 'Verification: done');
    await soon(async () => assert.equal((await texts(page, '.tile dd'))[1], String(hits)));
  };
  await verify(1);
  await page.click('#report');
  // A report of one pair opens with it.
  await heading(page, 'copy.txt and 2026/s-17/abara.txt');

  await page.goto(`${base}/registry`);
  await page.locator('[aria-label="Documents"] tbody tr').first().waitFor();
  await shot(page, 'server-registry');
  await page.check('[aria-label="Documents"] tbody input');
  await page.click('button:has-text("Forget selected")');
  await page.locator('dialog[open]').waitFor();
  await shot(page, 'server-forget');
  await page.click('dialog button:has-text("Forget them")');
  await page.locator('[role="status"]:has-text("1 document forgotten")').waitFor();
  await soon(async () => assert.equal(await page.locator('[aria-label="Documents"] tbody tr').count(), 0));
  await verify(0);
  page.quiet();
});

test('a pairwise test is done as in the paper', async () => {
  const base = new URL(page.url()).origin;
  await page.goto(`${base}/pairwise`);
  await drop(page, [['class.zip', zipOf(essays)]]);
  await page.click('summary:has-text("Another method")');
  await page.getByRole('button', { name: 'As in the paper' }).click();
  await page.locator('#graph_scale').scrollIntoViewIfNeeded();
  await shot(page, 'server-method');
  const chosen = await page.$$eval('#recipe, #measure, #aligner, #top_documents, #graph_scale', (fields) => fields.map((field) => field.value));
  assert.deepEqual(chosen, ['se', 'symmetric', 'maximal', '20', '100']);
  await page.click('button.main:enabled');
  await heading(page, 'Pairwise test: done');
  const id = page.url().split('/').pop();
  const report = await page.evaluate(async (path) => (await fetch(path)).json(), `/api/v1/jobs/${id}/report.json`);
  assert.equal(report.measure, 'symmetric');
  assert.match(report.recipe, /breakpoint/);
  assert.equal(report.settings['top-documents'], 20);
  page.quiet();
});

test('a job is cancelled, and nothing of it is kept', async () => {
  const base = new URL(page.url()).origin;
  await page.goto(`${base}/pairwise`);
  const text = fs.readFileSync(path.join(essays, 'abara.txt'), 'utf8');
  const many = Array.from({ length: 1500 }, (_, n) => [`${n}.txt`, Buffer.from(`${n} ${text.repeat(3)}`)]);
  await drop(page, many);
  await page.click('button.main:enabled');
  await page.locator('progress[aria-label="Progress"]').waitFor();
  await shot(page, 'server-progress');
  await page.click('#remove');
  await heading(page, 'Pairwise test: cancelled; there is no result');
  await page.goto(`${base}/admin`);
  await heading(page, 'Administration');
  await page.getByRole('button', { name: 'Check it now' }).click();
  await page.getByText('nothing is damaged').waitFor();
  await shot(page, 'server-admin');
  await soon(async () => assert.match(await page.textContent('[aria-label="Audit log"]'), /cancelled/));
  await page.goto(`${base}/api`);
  await heading(page, 'API');
  await soon(async () => assert.ok(await page.locator('.route').count() >= 18));
  await shot(page, 'server-api');
  page.quiet();
});

test('what could not be read is said in the heading, with the reasons below', async () => {
  const base = new URL(page.url()).origin;
  const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  await page.goto(`${base}/pairwise`);
  await drop(page, [['photo.png', picture]]);
  await page.click('button.main:enabled');
  await heading(page, 'Pairwise test: no document could be read: photo.png: PNG image');
  await soon(async () => assert.match(await page.textContent('[aria-label="Skipped"] tbody'), /photo\.png/));
  await soon(async () => assert.equal(await page.locator('#report').count(), 0));
  await shot(page, 'server-nothing');
  await page.goto(`${base}/pairwise`);
  const essay = fs.readFileSync(path.join(essays, 'abara.txt'));
  await drop(page, [['photo.png', picture], ['a.txt', essay], ['b.txt', essay]]);
  await page.click('button.main:enabled');
  await heading(page, 'Pairwise test: 1 of 3 documents could not be read');
  await page.locator('#report').waitFor();
  page.quiet();
});

test('names full of markup are shown as they are', async () => {
  const base = new URL(page.url()).origin;
  await page.goto(`${base}/register`);
  await page.fill('#set', '<img src=x onerror=window.owned=1>');
  await page.fill('#submitter', '"><script>window.owned=2</script>');
  await drop(page, [['<b>bold<b>.txt', fs.readFileSync(path.join(essays, 'brandt.txt'))]]);
  await page.click('button.main:enabled');
  await heading(page, 'Registration: done');
  for (const at of ['/registry', '/admin', '/']) {
    await page.goto(`${base}${at}`);
    await page.locator('h1').waitFor();
    assert.equal(await page.evaluate(() => window.owned), undefined);
    await soon(async () => assert.equal(await page.locator('main img, main script, main b').count(), 0));
  }
  page.quiet();
});

test('log in, wrong role, log out', async () => {
  const at = path.join(folder, 'accounts');
  fs.mkdirSync(at);
  const data = path.join(at, 'data');
  run('registry', 'init', '--registry', path.join(at, 'registry'));
  const password = run('serve', 'user', 'add', 'sam', '--role', 'submit', '--data', data).text.trim();
  run('serve', 'user', 'add', 'anna', '--role', 'admin', '--data', data);
  const address = await serve('accounts');
  const sam = await person();
  await sam.goto(address);
  await heading(sam, 'Log in');
  assert.doesNotMatch(await sam.innerText('body'), /null|undefined/);
  await shot(sam, 'server-login');
  await sam.fill('#name', 'sam');
  await sam.fill('#password', 'not the password');
  await sam.click('button.main');
  await sam.locator('[role="alert"]:has-text("no account has this name and password")').waitFor();
  await sam.fill('#password', password);
  await sam.click('button.main');
  await heading(sam, 'What do documents share?');
  await soon(async () => assert.deepEqual(await texts(sam, 'nav a'), ['Pairwise', 'Verify', 'Register', 'Jobs', 'API']));
  await sam.goto(new URL('/admin', address).href);
  await heading(sam, 'Not for you');
  await sam.click('#log-out');
  await heading(sam, 'Log in');
  for (const at of ['/verify', '/jobs/none/report']) {
    await sam.goto(new URL(at, address).href);
    await heading(sam, 'Log in');
  }
  sam.quiet();
  await sam.context().close();
});

test('everything with the keyboard alone', async () => {
  const at = path.join(folder, 'keyboard');
  fs.mkdirSync(at);
  const data = path.join(at, 'data');
  const password = run('serve', 'user', 'add', 'anna', '--role', 'admin', '--data', data).text.trim();
  const address = await serve('keyboard');
  const anna = await person({ colorScheme: 'dark' });
  // Long before it is needed: the browser has to be told that it is asked for.
  const chosen = new Promise((done) => { anna.once('filechooser', done); });
  await anna.goto(address);
  await heading(anna, 'Log in');
  // The first field has the focus.
  await anna.keyboard.type('anna');
  await anna.keyboard.press('Tab');
  await anna.keyboard.type(password);
  await anna.keyboard.press('Enter');
  await heading(anna, 'What do documents share?');
  await shot(anna, 'server-home-dark');
  const tabTo = async (selector) => {
    for (let n = 0; n < 40; n += 1) {
      await anna.keyboard.press('Tab');
      if (await anna.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
    }
    assert.fail(`${selector} cannot be reached`);
  };
  await tabTo('.choice');
  await anna.keyboard.press('Enter');
  await heading(anna, 'Pairwise test');
  await tabTo('.drop button');
  await anna.keyboard.press('Enter');
  await (await chosen).setFiles(fs.readdirSync(essays).map((name) => path.join(essays, name)));
  await anna.locator('.chosen li').first().waitFor();
  await tabTo('button.main');
  await anna.keyboard.press('Enter');
  await heading(anna, 'Pairwise test: done');
  await anna.waitForFunction(() => document.activeElement.id === 'report');
  await anna.keyboard.press('Enter');
  await anna.locator('[aria-label="Pairs"] tbody tr[data-index]').first().waitFor();
  await anna.goBack();
  await heading(anna, 'Pairwise test: done');
  await tabTo('#log-out');
  await anna.keyboard.press('Enter');
  await heading(anna, 'Log in');
  anna.quiet();
});

test('how the backups stand, and one more', async () => {
  const at = path.join(folder, 'care');
  fs.mkdirSync(at);
  run('registry', 'init', '--registry', path.join(at, 'registry'));
  const address = await serve('care', '--check-every', '7d', '--backup-every', '12h', '--backup-to', path.join(at, 'copy'));
  const admin = await person();
  await admin.goto(address);
  await heading(admin, 'What do documents share?');
  await admin.goto(new URL('/admin', address).href);
  await heading(admin, 'Administration');
  const section = admin.locator('section:has(h2:text-is("Backup"))');
  await soon(async () => assert.match(await section.textContent(), /One is made every 12 hours in /));
  await soon(async () => assert.match(await admin.textContent('section:has(h2:text-is("Check for damage"))'), /It is checked every 7 days/));
  await section.getByRole('button', { name: 'Back up now' }).click();
  await section.locator('[role="status"]:has-text("The last backup is ")').waitFor();
  // Somebody's file is where the copy was: that is no copy any more.
  fs.rmSync(path.join(at, 'copy'), { recursive: true });
  fs.writeFileSync(path.join(at, 'copy'), 'a file');
  await section.getByRole('button', { name: 'Back up now' }).click();
  await section.locator('[role="status"]:has-text("The last backup failed ")').waitFor();
  await soon(async () => assert.match(await section.textContent(), /the last good one is \d+ seconds? old/));
  await section.scrollIntoViewIfNeeded();
  await shot(admin, 'server-backup');
  admin.quiet();
});

test('a server that only reads offers nothing that would write', async () => {
  const at = path.join(folder, 'replica');
  fs.mkdirSync(at);
  run('registry', 'init', '--registry', path.join(at, 'written'));
  const address = await serve('replica', '--replica-of', path.join(at, 'written'));
  const admin = await person();
  await admin.goto(address);
  await heading(admin, 'What do documents share?');
  const said = /This server is a replica, which only reads the registry/;
  await soon(async () => assert.match(await admin.textContent('.choices li:last-child'), said));
  await soon(async () => assert.equal(await admin.locator('nav a:has-text("Register")').count(), 0));
  await admin.goto(new URL('/register', address).href);
  await soon(async () => assert.match(await admin.textContent('.verdict'), said));
  assert.equal(await admin.locator('input[type="file"]').count(), 0);
  await admin.goto(new URL('/registry', address).href);
  await soon(async () => assert.match(await admin.textContent('main'), /Documents cannot be forgotten here: this server is a replica/));
  assert.equal(await admin.locator('button.danger:visible').count(), 0);
  admin.quiet();
});
