// The first run in a browser: from the printed address to an administrator, a registry and a copy of its key.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { readable } from './readers.mjs';
import { drop } from './sending.mjs';
import { begin, end, folder, heading, person, serve } from './serving.mjs';

before(begin);
after(end);

test('a new server is set up with the keyboard alone, and the key is saved once', async () => {
  fs.mkdirSync(path.join(folder, 'new'));
  const address = await serve('new');
  const page = await person({ acceptDownloads: true });
  await page.goto(address);
  await heading(page, 'First run');
  assert.equal(new URL(page.url()).pathname, '/setup');
  await readable(page, 'first-run');
  // Somebody else who finds the server, even with the address that was used, gets nowhere.
  const stranger = await person();
  await stranger.goto(new URL('/setup', address).href);
  await heading(stranger, 'Closed');
  await stranger.goto(address);
  await heading(stranger, 'This address is gone');
  await stranger.context().close();

  await page.focus('#admin');
  await page.keyboard.type('anna');
  for (const text of ['nine swans swim', 'nine swans swam']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
  await page.locator('[role="alert"]:has-text("the passwords differ")').waitFor();
  await page.fill('#again', 'nine swans swim');
  await page.focus('#again');
  await page.keyboard.press('Enter');
  await heading(page, 'Ready');
  await page.waitForFunction(() => document.activeElement.tagName === 'H1');
  const file = await page.textContent('#key-file');
  assert.ok(fs.existsSync(file), file);
  await readable(page, 'first-run-ready');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#copy-key')]);
  assert.equal(download.suggestedFilename(), 'cento-registry-key.txt');
  const copy = path.join(folder, 'key-copy');
  await download.saveAs(copy);
  assert.equal(fs.readFileSync(copy, 'utf8'), fs.readFileSync(file, 'utf8'));
  await page.locator('[role="status"]:has-text("It is not offered again")').waitFor();
  assert.doesNotMatch(await page.innerText('main'), /null|undefined/);

  // The server works at once.
  await page.click('a:has-text("Register"):not(nav a)');
  await heading(page, 'Registration');
  await drop(page, [['a.txt', Buffer.from('The town rebuilt its canal in nine years and paid for it with a loan. '.repeat(5))]]);
  await page.click('button.main:enabled');
  await heading(page, 'Registration: done');
  await page.goto(new URL('/setup', address).href);
  await page.locator('.verdict:has-text("This server is set up already.")').waitFor();
  page.quiet();
});

test('who wants to compare files only need not set anything up', async () => {
  fs.mkdirSync(path.join(folder, 'later'));
  const address = await serve('later');
  const page = await person();
  await page.goto(address);
  await heading(page, 'First run');
  await page.click('a:has-text("Compare files with each other")');
  await heading(page, 'What do documents share?');
  assert.match(await page.textContent('.once'), /Set it up/);
  await page.click('.once a');
  await heading(page, 'First run');
  page.quiet();
});
