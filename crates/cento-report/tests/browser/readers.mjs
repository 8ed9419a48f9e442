// Whether everybody can read a page: axe-core, and nothing wider than the screen.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { settled, shot } from './support.mjs';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/* Looks at a page as it is now: light, dark, and on a narrow screen. */
export const readable = async (page, name) => {
  const wide = page.viewportSize();
  for (const [screen, colorScheme, viewport] of [['light', 'light', wide], ['dark', 'dark', wide], ['narrow', 'light', { width: 390, height: 844 }]]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await settled(page);
    await shot(page, `${name}-${screen}`);
    await page.evaluate(axe);
    const found = await page.evaluate((rules) => globalThis.axe.run(document, { runOnly: rules }), RULES);
    assert.deepEqual(found.violations.map(({ id, nodes }) => `${name}, ${screen}: ${id}: ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 140)} ${node.any[0]?.message || ''}`).join(' | ')}`), []);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(overflow, 0, `${name}, ${screen}: scrolls sideways`);
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(wide);
};
