// Passwords and accounts on the page: one's own, and those of others.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { begin, end, folder, heading, person, serve } from './serving.mjs';
import { run, shot, soon, texts } from './support.mjs';

before(begin);
after(end);

const logIn = async (address, name, password) => {
  const page = await person();
  await page.goto(address);
  await heading(page, 'Log in');
  await page.fill('#name', name);
  await page.fill('#password', password);
  await page.click('button.main');
  return page;
};

/* What the page has that people without eyes or hands for it would miss. */
const unnamed = (page) => page.$$eval('main :is(input, select, textarea, button, a, [role="region"])', (all) => all.filter((one) => {
  const label = one.labels?.length > 0 || one.getAttribute('aria-label') || one.textContent.trim();
  return !one.hidden && !label;
}).map((one) => one.outerHTML));

const row = (page, name) => page.locator(`[aria-label="Accounts"] tbody tr:has-text("${name}")`);
const shown = async (page) => (await page.locator('#shown-password').textContent()).trim();

let address;
let anna;
let passwords;

test('somebody changes their password, and is logged out elsewhere', async () => {
  const at = path.join(folder, 'accounts');
  fs.mkdirSync(at);
  const data = path.join(at, 'data');
  passwords = Object.fromEntries([['anna', 'admin'], ['sam', 'submit']].map(([name, role]) =>
    [name, run('serve', 'user', 'add', name, '--role', role, '--data', data).text.trim()]));
  address = await serve('accounts');
  const [here, there] = [await logIn(address, 'sam', passwords.sam), await logIn(address, 'sam', passwords.sam)];
  await heading(here, 'What do documents share?');
  await heading(there, 'What do documents share?');
  await here.click('.who');
  await heading(here, 'Your account');
  await soon(async () => assert.match(await here.textContent('main'), /sam has the role submit, for all sets/));
  assert.deepEqual(await unnamed(here), []);
  await here.fill('#old', passwords.sam);
  await here.fill('#new', 'nine grey swans');
  await here.fill('#again', 'nine grey geese');
  await here.click('button.main');
  await here.locator('[role="alert"]:has-text("the new passwords differ")').waitFor();
  await here.fill('#old', 'not the password');
  await here.fill('#again', 'nine grey swans');
  await here.click('button.main');
  await here.locator('[role="alert"]:has-text("the old password is not right")').waitFor();
  await here.fill('#old', passwords.sam);
  await here.click('button.main');
  await here.locator('[role="status"]:has-text("1 other login ended")').waitFor();
  await shot(here, 'server-account');
  await soon(async () => assert.equal(await here.inputValue('#old'), ''));
  await there.reload();
  await heading(there, 'Log in');
  await here.reload();
  await heading(here, 'Your account');
  here.quiet();
  await here.context().close();
  await there.context().close();
});

test('an administrator adds an account, whose password is shown once', async () => {
  anna = await logIn(address, 'anna', passwords.anna);
  await heading(anna, 'What do documents share?');
  await anna.click('nav a:has-text("Accounts")');
  await heading(anna, 'Accounts');
  await soon(async () => assert.deepEqual(await texts(anna, '[aria-label="Accounts"] tbody tr td:first-child'), ['anna', 'sam']));
  await soon(async () => assert.equal(await row(anna, 'anna').locator('button').count(), 0, 'nobody locks themselves out'));
  assert.deepEqual(await unnamed(anna), []);
  await anna.fill('#new-name', 'two words');
  await anna.click('button.main');
  await anna.locator('[role="alert"]:has-text("a name may have")').waitFor();
  await anna.fill('#new-name', 'vera');
  await anna.selectOption('#new-role', 'verify');
  await anna.fill('#new-sets', 'physics\nchemistry');
  await anna.click('button.main');
  await row(anna, 'vera').waitFor();
  await soon(async () => assert.match(await row(anna, 'vera').textContent(), /verify.*physics, chemistry/));
  await shot(anna, 'server-accounts');
  const vera = await logIn(address, 'vera', await shown(anna));
  await heading(vera, 'What do documents share?');
  await vera.context().close();
  anna.quiet();
});

test('accounts are changed, disabled and removed, and removing asks first', async () => {
  const manage = async (name) => {
    await row(anna, name).locator('button').click();
    await anna.locator('dialog[open]').waitFor();
  };
  await manage('vera');
  await shot(anna, 'server-accounts-change');
  assert.deepEqual(await unnamed(anna), []);
  await anna.selectOption('#role', 'submit');
  await anna.fill('#sets', '');
  await anna.check('#disabled');
  await anna.click('dialog button:has-text("Save")');
  await row(anna, 'vera').locator('.badge:has-text("disabled")').waitFor();
  await soon(async () => assert.match(await row(anna, 'vera').textContent(), /submit.*all/));
  await manage('sam');
  await anna.click('dialog button:has-text("New password")');
  await anna.locator('#shown-password').waitFor();
  const sam = await logIn(address, 'sam', await shown(anna));
  await heading(sam, 'What do documents share?');
  await anna.reload();
  await heading(anna, 'Accounts');
  await soon(async () => assert.equal(await anna.locator('#shown-password').count(), 0, 'it is shown once'));
  await manage('sam');
  await anna.click('dialog button:has-text("End 1 login")');
  await anna.locator('[role="status"]:has-text("1 login of sam ended")').waitFor();
  await sam.reload();
  await heading(sam, 'Log in');
  await manage('vera');
  await anna.click('dialog button:has-text("Remove")');
  await anna.locator('dialog[open]:has-text("Remove this account?")').waitFor();
  await shot(anna, 'server-accounts-remove');
  await anna.click('dialog button:has-text("Keep it")');
  await soon(async () => assert.equal(await row(anna, 'vera').count(), 1));
  await manage('vera');
  await anna.click('dialog button:has-text("Remove")');
  await anna.click('dialog button:has-text("Remove it")');
  await anna.locator('[role="status"]:has-text("vera is removed")').waitFor();
  await soon(async () => assert.equal(await row(anna, 'vera').count(), 0));
  await anna.goto(new URL('/admin', address).href);
  await heading(anna, 'Administration');
  await soon(async () => assert.match(await anna.textContent('[aria-label="Audit log"]'), /removed account/));
  anna.quiet();
});

test('the first account is made on the page of a server that has none', async () => {
  fs.mkdirSync(path.join(folder, 'none'));
  const printed = await serve('none');
  const page = await person();
  await page.goto(printed);
  await heading(page, 'First run');
  await page.goto(new URL('/accounts', printed).href);
  await heading(page, 'Accounts');
  await page.fill('#new-name', 'anna');
  await page.click('button.main');
  await page.locator('[role="alert"]:has-text("the first account must administer everything")').waitFor();
  await page.selectOption('#new-role', 'admin');
  await page.click('button.main');
  await row(page, 'anna').waitFor();
  const first = await logIn(new URL('/', printed).href, 'anna', await shown(page));
  await heading(first, 'What do documents share?');
});
