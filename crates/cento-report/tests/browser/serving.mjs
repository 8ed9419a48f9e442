// A server, and people with browsers in front of it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';
import { start, stop, temporary } from './support.mjs';

export const folder = temporary();
const servers = [];
let browser;

/* For before and after all tests. */
export const begin = async () => {
  browser = await start();
};
export const end = async () => {
  await stop();
  for (const server of servers) {
    server.removeAllListeners('exit');
    server.kill();
  }
};

/* Starts a server in a folder of its own; gives the address that it prints. */
export const serve = (name, ...more) => new Promise((done, failed) => {
  const at = path.join(folder, name);
  const registry = more.includes('--replica-of') ? [] : ['--registry', path.join(at, 'registry')];
  const child = spawn(process.env.CENTO, ['serve', '--listen', '127.0.0.1:0', '--quiet', ...registry, '--data', path.join(at, 'data'), ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
  servers.push(child);
  child.on('exit', (code) => failed(new Error(`the server ended with ${code}`)));
  readline.createInterface({ input: child.stdout }).once('line', done);
});

/* A browser of somebody; `quiet` fails if a page complained or asked for anything elsewhere. */
export const person = async (options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(60000);
  const page = await context.newPage();
  const heard = [];
  // A refusal is what some of these tests are about; the browser notes it by itself.
  const isRefusal = (text) => /status of (401|403|404|409|410|422)/.test(text);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isRefusal(message.text())) heard.push(message.text());
  });
  page.on('pageerror', (error) => heard.push(`exception: ${error.message}`));
  page.on('dialog', (dialog) => {
    heard.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const requests = new Set();
  page.on('request', (request) => requests.add(new URL(request.url()).origin));
  page.quiet = () => {
    assert.deepEqual(heard, []);
    const own = new URL(page.url()).origin;
    assert.deepEqual([...requests].filter((origin) => origin !== own && origin !== 'null'), []);
  };
  return page;
};

export const heading = (page, text) => page.locator('h1', { hasText: text }).waitFor();
