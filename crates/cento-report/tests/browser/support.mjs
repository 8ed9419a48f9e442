// What the browser tests share: pages from the command line, and a browser that tells on them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.resolve(here, '../../../..');
export const out = path.join(here, 'out');
fs.mkdirSync(out, { recursive: true });

const cento = process.env.CENTO;
assert.ok(cento, 'CENTO must name the program; run scripts/test-browser');

/* Runs the program; returns what it prints and how it ends. */
export const run = (...args) => {
  try {
    return { code: 0, text: execFileSync(cento, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 30 }) };
  } catch (error) {
    return { code: error.status, text: error.stdout, error: error.stderr };
  }
};

export const temporary = () => fs.mkdtempSync(path.join(os.tmpdir(), 'cento-browser-'));

let browser;
export const start = async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  return browser;
};
export const stop = () => browser.close();

/* Opens a page from disk. `quiet` fails if it asked for anything or complained about anything. */
export const open = async (file, { hash = '', prepare = async () => {}, ...options } = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true, reducedMotion: 'reduce', acceptDownloads: true, ...options });
  context.setDefaultTimeout(60000);
  const page = await context.newPage();
  const address = pathToFileURL(file).href;
  const heard = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) heard.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => heard.push(`exception: ${error.message}`));
  page.on('dialog', (dialog) => {
    heard.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  await prepare(page);
  await page.goto(`${address}${hash}`);
  await page.locator('h1:visible').first().waitFor();
  // What is not there must not be written out.
  assert.doesNotMatch((await page.locator('#bar').allInnerTexts()).join(), /null|undefined|NaN|\[object/);
  page.quiet = () => {
    assert.deepEqual(heard, []);
    // A case file that is saved is a blob of the page's own making.
    assert.deepEqual(requests.filter((url) => url.split('#')[0] !== address && !url.startsWith('blob:')), []);
  };
  return page;
};

export const shot = (page, name) => page.screenshot({ path: path.join(out, `${name}.png`) });

/* Two pictures later everything that was asked for has been drawn. */
export const settled = (page) => page.evaluate(() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)));
}));

/* Goes to a view by its tab and waits until it is shown: a browser changes its address first, and tells the page later. */
export const view = async (page, path) => {
  const tab = `nav a[href="#/${path}"]`;
  await page.click(tab);
  await page.locator(`${tab}[aria-current="page"]`).waitFor();
};

/* Goes to an address within the page and waits until the page has followed. */
export const go = (page, hash) => page.evaluate((to) => new Promise((followed) => {
  if (location.hash === to) {
    followed();
    return;
  }
  addEventListener('hashchange', () => followed(), { once: true });
  location.hash = to;
}), hash);

/* Holds soon: a page may still be waiting for its server, or about to draw. What it says last is what fails. */
export const soon = async (holds) => {
  for (const end = Date.now() + 10000; ;) {
    try {
      return await holds();
    } catch (error) {
      if (error.code !== 'ERR_ASSERTION' || Date.now() > end) throw error;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
};

export const texts = (page, selector) => page.$$eval(selector, (elements) => elements.map((element) => element.textContent.trim()));

/* The class of the examples, with the dates that a table beside them gives. */
export const classroom = () => {
  const folder = path.join(temporary(), 'class');
  fs.cpSync(path.join(root, 'examples/essays'), folder, { recursive: true });
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.txt')).sort();
  const rows = names.map((name, number) => `${name},2026-03-${String(10 + number).padStart(2, '0')}T10:00:00Z`);
  fs.writeFileSync(path.join(folder, 'info.csv'), `filename,created_at\n${rows.join('\n')}\n`);
  return folder;
};
export const template = path.join(root, 'examples/template.txt');
