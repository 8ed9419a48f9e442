// A person with a report: from the file on disk to the two texts of a pair, and on paper.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { classroom, go, open, out, run, settled, shot, soon, start, stop, template, temporary, texts, view } from './support.mjs';

const folder = temporary();
const report = path.join(folder, 'report.html');
let page;

before(async () => {
  const made = run('scan', classroom(), '--base', template, '-o', report);
  assert.equal(made.code, 0, made.error);
  await start();
  page = await open(report);
});
after(stop);

const rows = (caption) => page.$$eval(`[aria-label="${caption}"] tbody tr[data-index]`, (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));

test('the first page says what was found, and that a person decides', async () => {
  await soon(async () => assert.equal(await page.textContent('h1'), '5 pairs share 10 % or more, or a passage of 12 words'));
  await soon(async () => assert.match(await page.textContent('.verdict'), /not a verdict.*a person who reads both texts decides/s));
  await soon(async () => assert.deepEqual(await texts(page, '.tile dt'), ['documents', 'pairs compared', 'pairs from 10 %', 'families', 'skipped']));
  assert.equal((await rows('Pairs')).length, 5);
  assert.equal((await rows('Documents')).length, 12);
  await soon(async () => assert.match(await page.textContent('.run'), /recipe\s*words\+fold \| window:5/));
  const all = await page.evaluate(() => document.documentElement.outerHTML.toLowerCase());
  assert.ok(!all.includes('plagiari'));
  assert.equal(await page.$$eval('[style]', (found) => found.length), 0);
  await shot(page, 'overview');
});

test('the policy allows one script and one style and nothing else', async () => {
  const policy = await page.getAttribute('meta[http-equiv]', 'content');
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+'; base-uri 'none'; form-action 'none'/);
  const blocked = await page.evaluate(() => new Promise((done) => {
    const script = document.createElement('script');
    try {
      script.append(document.createTextNode('window.broken = true'));
      document.body.append(script);
    } catch (error) { /* not even that is allowed */ }
    setTimeout(() => done(window.broken !== true), 50);
  }));
  assert.ok(blocked);
  assert.match(await page.evaluate(() => fetch('data:text/plain,x').then(() => 'loaded', () => 'refused')), /refused/);
  // What this test provoked is not the page's own.
  await page.context().close();
  page = await open(report);
});

test('columns sort both ways', async () => {
  const header = (name) => page.locator('[aria-label="Pairs"] th').filter({ has: page.getByRole('button', { name, exact: true }) });
  await header('of right, %').locator('button').click();
  assert.equal(await header('of right, %').getAttribute('aria-sort'), 'descending');
  const shares = (await rows('Pairs')).map((row) => parseInt(row[4], 10));
  assert.deepEqual(shares, [...shares].sort((a, b) => b - a));
  await header('of right, %').locator('button').click();
  assert.deepEqual((await rows('Pairs')).map((row) => parseInt(row[4], 10)), shares.reverse());
  await header('Left').locator('button').click();
  assert.deepEqual((await rows('Pairs')).map((row) => row[1]), ['abara.txt', 'brandt.txt', 'eriksen.txt', 'grieve.txt', 'kowalska.txt']);
});

test('the search filters pairs and documents', async () => {
  await page.fill('#search', 'LIND');
  assert.deepEqual((await rows('Pairs')).map((row) => row[2]), ['lindqvist.txt', 'lindqvist.txt']);
  assert.deepEqual((await rows('Documents')).map((row) => row[0]), ['lindqvist.txt']);
  await page.fill('#search', 'nobody');
  assert.equal((await rows('Pairs')).length, 0);
  await soon(async () => assert.ok(await page.locator('.empty').first().isVisible()));
  await page.fill('#search', '');
  assert.equal((await rows('Pairs')).length, 5);
});

test('the threshold filters everything, and the graph follows', async () => {
  await page.fill('#threshold', '50');
  await soon(async () => assert.equal(await page.textContent('h1'), '2 pairs share 50 % or more'));
  await soon(async () => assert.equal(await page.inputValue('#threshold-number'), '50'));
  assert.equal((await rows('Pairs')).length, 2);
  assert.ok(await page.$$eval('.histogram .over', (all) => all.length) <= 50);
  await view(page, 'graph');
  await settled(page);
  await soon(async () => assert.deepEqual((await texts(page, '.node text')).sort(), ['abara.txt', 'brandt.txt', 'dvorak.txt', 'jansen.txt']));
  await soon(async () => assert.equal(await page.locator('line.edge').count(), 2));
  await page.fill('#threshold-number', '22');
  await page.press('#threshold-number', 'Enter');
  await settled(page);
  await soon(async () => assert.equal(await page.locator('line.edge').count(), 3));
  await page.fill('#threshold-number', '1');
  await page.press('#threshold-number', 'Enter');
  await settled(page);
  // No lower than the run itself went.
  await soon(async () => assert.equal(await page.inputValue('#threshold-number'), '10'));
  await soon(async () => assert.equal(await page.locator('.node').count(), 9));
  await shot(page, 'graph');
});

test('points are families, as far apart as they differ, and open their pairs', async () => {
  const colours = await page.$$eval('.node', (all) => Object.fromEntries(all.map((node) => [node.querySelector('text').textContent, [...node.classList].find((name) => name.startsWith('colour'))])));
  assert.equal(colours['abara.txt'], colours['jansen.txt']);
  assert.equal(colours['eriksen.txt'], colours['kowalska.txt']);
  assert.equal(new Set(Object.values(colours)).size, 4);
  const lengths = await page.$$eval('line.edge', (all) => all.map((line) => [line.textContent, Math.hypot(...['x', 'y'].map((axis) => line.getAttribute(`${axis}1`) - line.getAttribute(`${axis}2`)))]));
  const length = (names) => lengths.find(([title]) => title.startsWith(names))[1];
  assert.ok(Math.abs(length('eriksen.txt and lindqvist.txt') - Math.ceil(-100 * Math.log(0.2494))) < 3, JSON.stringify(lengths));
  assert.ok(length('eriksen.txt and lindqvist.txt') > length('brandt.txt and dvorak.txt'));
  const before = await page.getAttribute('.graph > g', 'transform');
  await page.click('[aria-label="Zoom in"]');
  await settled(page);
  assert.notEqual(await page.getAttribute('.graph > g', 'transform'), before);
  await page.click('text=Fit');
  await page.locator('.node', { hasText: 'lindqvist.txt' }).locator('circle').click();
  await soon(async () => assert.equal(await page.textContent('.panel h2'), 'lindqvist.txt'));
  assert.doesNotMatch(await page.textContent('.panel'), /false|null|undefined/);
  await soon(async () => assert.equal(await page.locator('.panel .partners a').count(), 2));
  await page.locator('line.target').first().click({ force: true });
  await page.waitForSelector('.view.pair .panes');
});

test('families have a line of time where dates are known', async () => {
  await view(page, 'families');
  await soon(async () => assert.equal(await page.locator('.family').count(), 4));
  await soon(async () => assert.equal(await page.locator('.timeline').count(), 4));
  await soon(async () => assert.deepEqual(await texts(page, '.family:first-child .moment text'), ['eriksen.txt, 2026-03-14 10:00', 'kowalska.txt, 2026-03-20 10:00', 'lindqvist.txt, 2026-03-21 10:00']));
  await shot(page, 'families');
});

const current = (side) => page.$$eval('.pane-text', (panes, at) => {
  const pane = panes[at];
  const mark = pane.querySelector('mark.current');
  return mark && { top: mark.getBoundingClientRect().top - pane.getBoundingClientRect().top, height: pane.clientHeight, text: mark.textContent };
}, side);

test('a pair: passages are marked, told apart, and the arithmetic adds up', async () => {
  await view(page, '');
  await page.locator('[aria-label="Pairs"] tr', { hasText: 'brandt.txt' }).click();
  await page.waitForSelector('.panes');
  await soon(async () => assert.equal(await page.textContent('h1:visible'), 'brandt.txt and dvorak.txt'));
  await soon(async () => assert.deepEqual(await texts(page, '.big'), ['91 %', '93 %']));
  await page.locator('summary').first().click();
  const sums = await page.locator('.sums').first().textContent();
  assert.match(sums, /words564left out \(template\)− 160words that count404word for word364 \(90 %\)edited5share369 ÷ 404 = 91 %/);
  await soon(async () => assert.ok(await page.locator('mark.edited:not(.left-out)').count() > 2));
  await soon(async () => assert.ok(await page.locator('mark.exact.left-out').count() >= 2));
  const look = (selector) => page.locator(`.pane-text ${selector}`).first().evaluate((mark) => {
    const style = getComputedStyle(mark);
    return [style.backgroundColor, style.backgroundImage, style.textDecorationStyle, style.color];
  });
  const [edited, grey] = [await look('mark.edited'), await look('mark.left-out')];
  assert.notEqual(edited[1], 'none');
  assert.equal(edited[2], 'dashed');
  assert.equal(grey[1], 'none');
  assert.notEqual(grey[3], edited[3]);
  await soon(async () => assert.match(await page.textContent('.place'), /2 of 2: 401 and 383 words, edited, 93 % alike, in no other document/));
  await soon(async () => assert.ok((await texts(page, '.pane:first-child .changed')).includes('interesting')));
  await soon(async () => assert.ok((await texts(page, '.pane:last-child .changed')).includes('important')));
  await shot(page, 'pair');
});

test('passages are linked: a click on one side brings the other', async () => {
  await page.locator('.pane:last-child mark.edited').first().click();
  await settled(page);
  const [left, right] = [await current(0), await current(1)];
  assert.ok(Math.abs(left.top - right.top) < 3, JSON.stringify([left, right]));
  assert.match(left.text, /^Arguments about Harrowmere/);
  assert.match(right.text, /^Arguments about Harrowmere/);
  await soon(async () => assert.ok(await page.locator('.ribbons path').count() > 0));
  await page.getByRole('button', { name: 'Previous' }).click();
  await soon(async () => assert.match(await page.textContent('.place'), /^1 of 2: 160 words, exact, template/));
  await page.getByRole('button', { name: 'Next' }).click();
  await soon(async () => assert.match(await page.textContent('.place'), /^2 of 2/));
});

test('the texts scroll in step, or not if told so', async () => {
  const scroll = (top) => page.$eval('.pane:first-child .pane-text', (pane, to) => {
    pane.scrollTop = to;
  }, top);
  const tops = () => page.$$eval('.pane-text', (panes) => panes.map((pane) => pane.scrollTop));
  // The browser tells of scrolling when it has time.
  await scroll(300);
  await page.waitForFunction(() => document.querySelectorAll('.pane-text')[1].scrollTop > 50);
  await settled(page);
  await scroll(0);
  await page.waitForFunction(() => [...document.querySelectorAll('.pane-text')].every((pane) => pane.scrollTop === 0));
  assert.deepEqual(await tops(), [0, 0]);
  // In the middle of a long passage, words that correspond are at about the same height.
  const heights = () => page.$$eval('.pane-text', (panes) => panes.map((pane, at) => {
    const word = [...pane.querySelectorAll('.changed')].find((one) => one.textContent === ['contributed', 'gave'][at]);
    return word.getBoundingClientRect().top - pane.getBoundingClientRect().top;
  }));
  await scroll((await heights())[0] - 200);
  await page.waitForFunction(() => document.querySelectorAll('.pane-text')[1].scrollTop > 200);
  await settled(page);
  const [left, right] = await heights();
  assert.ok(Math.abs(left - 200) < 2 && Math.abs(right - left) < 60, JSON.stringify([left, right]));
  const before = (await tops())[1];
  assert.ok(before > 200);
  await page.click('text=Scroll in step');
  await scroll(100);
  await settled(page);
  assert.equal((await tops())[1], before);
  await page.click('text=Scroll in step');
});

test('hidden characters can be seen', async () => {
  await go(page, '#/pair/0');
  await page.waitForSelector('.panes.show-unseen .unseen');
  await soon(async () => assert.match(await page.textContent('.view.pair'), /134 words with look-alike letters/));
  const shown = await page.$eval('.unseen', (element) => getComputedStyle(element, '::before').content);
  assert.match(shown, /U\+(200B|00AD)/);
  page.quiet();
});

test('what a reader does not see is flagged in the lists and marked in the text', async () => {
  const words = Array.from({ length: 80 }, (_, number) => `word${number}`).join(' ');
  const pair = path.join(folder, 'disguised');
  fs.mkdirSync(pair);
  fs.writeFileSync(path.join(pair, 'a.txt'), words.replace('word7 ', 'w\u043erd7 ').replace('word9 ', 'wo\u200brd9 '));
  fs.writeFileSync(path.join(pair, 'b.html'), `<html><body><p>${words.replace('word5 ', 'word5 <b style="display:none">not for you</b>')}</p></body></html>`);
  const made = run('scan', pair, '-o', path.join(folder, 'disguised.html'));
  assert.equal(made.code, 0, made.error);
  const disguised = await open(path.join(folder, 'disguised.html'));
  await soon(async () => assert.deepEqual(await texts(disguised, '[aria-label="Pairs"] .badge.disguise'), ['unseen', 'unseen']));
  await soon(async () => assert.match(await disguised.textContent('[aria-label="Documents"]'), /1 word with look-alike letters of another script, 1 word with invisible characters/));
  await go(disguised, '#/pair/0');
  await disguised.waitForSelector('.panes');
  await soon(async () => assert.match((await texts(disguised, '.remark')).join(), /b\.html: 9 hidden characters/));
  await soon(async () => assert.deepEqual(await texts(disguised, '.pane-text .disguised'), ['w\u043erd7', 'wo\u200brd9']));
  assert.match(await disguised.getAttribute('.pane-text .disguised', 'title'), /U\+043E/);
  const flag = disguised.locator('.pane-text details.concealed');
  await soon(async () => assert.equal(await flag.locator('summary').textContent(), '9 hidden characters'));
  await soon(async () => assert.ok(!(await flag.locator('bdi').isVisible())));
  await flag.locator('summary').click();
  await soon(async () => assert.equal(await flag.locator('bdi').textContent(), 'not for you'));
  disguised.quiet();
  await disguised.context().close();
});

test('on paper: everything, light, and without what can only be clicked', async () => {
  await go(page, '#/pair/1');
  await page.waitForSelector('.panes');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await settled(page);
  for (const selector of ['.bar', '.toolbar button', '.ribbons', '.crumbs']) assert.ok(!(await page.locator(selector).first().isVisible()), selector);
  assert.deepEqual(await page.$$eval('.view.pair details:not([hidden])', (all) => all.map((details) => details.open)), [true, true]);
  assert.ok(await page.$$eval('.pane-text', (panes) => panes.every((pane) => pane.scrollHeight <= pane.clientHeight + 1)));
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  const pdf = await page.pdf({ path: path.join(out, 'pair.pdf'), format: 'A4', printBackground: true });
  assert.ok(pdf.length > 10000);
  await page.emulateMedia({ media: null, colorScheme: null });
  await go(page, '#/');
  await page.pdf({ path: path.join(out, 'overview.pdf'), format: 'A4', printBackground: true });
  page.quiet();
});

test('with the keyboard alone', async () => {
  await page.context().close();
  page = await open(report);
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.getAttribute('aria-label') || document.activeElement.textContent.trim());
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Skip to the content');
  await page.keyboard.press('/');
  assert.equal(await focused(), 'search');
  await page.keyboard.type('lind');
  assert.equal((await rows('Pairs')).length, 2);
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await soon(async () => assert.ok(await page.locator('dialog').isVisible()));
  await page.keyboard.press('Escape');
  await soon(async () => assert.ok(!(await page.locator('dialog').isVisible())));
  await page.focus('#threshold');
  await page.keyboard.press('ArrowRight');
  await soon(async () => assert.equal(await page.inputValue('#threshold-number'), '11'));
  await page.keyboard.press('ArrowLeft');
  await page.focus('[aria-label="Pairs"] th:last-child button');
  await page.keyboard.press('Tab');
  assert.match(await focused(), /^abara.txt and jansen.txt/);
  await page.keyboard.press('ArrowDown');
  assert.match(await focused(), /^brandt.txt and dvorak.txt/);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.panes');
  assert.equal(await focused(), 'brandt.txt and dvorak.txt');
  await page.keyboard.press('n');
  await soon(async () => assert.match(await page.textContent('.place'), /^1 of 2/));
  await page.keyboard.press('p');
  await soon(async () => assert.match(await page.textContent('.place'), /^2 of 2/));
  await page.keyboard.press('Escape');
  await page.waitForSelector('.overview:not([hidden])');
  // Back in the list, the row that was read has the focus.
  assert.match(await focused(), /^brandt.txt and dvorak.txt, open/);
  await page.focus('nav a[href="#/graph"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('nav a[href="#/graph"][aria-current="page"]');
  await page.focus('.node[tabindex="0"]');
  const first = await page.textContent('.panel h2');
  await page.keyboard.press('ArrowRight');
  await soon(async () => assert.notEqual(await page.textContent('.panel h2'), first));
  await page.keyboard.press('+');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.view.pair .panes');
  page.quiet();
});

test('a screen reader finds names for everything', async () => {
  await go(page, '#/');
  await page.waitForSelector('.overview:not([hidden])');
  const nameless = await page.$$eval('input, button, a, svg[role], [role="region"]', (all) => all.filter((element) => {
    const label = element.getAttribute('aria-label') || element.closest('label')?.textContent || element.textContent;
    return label.trim() === '';
  }).map((element) => element.outerHTML.slice(0, 120)));
  assert.deepEqual(nameless, []);
  assert.equal(await page.getAttribute('html', 'lang'), 'en');
  await soon(async () => assert.equal(await page.locator('main').count(), 1));
  await soon(async () => assert.equal(await page.locator('h1:visible').count(), 1));
  assert.equal(await page.getAttribute('[aria-label="Pairs"] table', 'aria-rowcount'), '6');
  const tree = await page.locator('main').ariaSnapshot();
  assert.match(tree, /heading "5 pairs share 10 % or more, or a passage of 12 words" \[level=1\]/);
  assert.match(tree, /link "brandt.txt and dvorak.txt, open this pair"/);
});

/* The contrast of two colours by the rule of WCAG. */
const contrast = (page, foreground, background) => page.evaluate(([fore, back]) => {
  const canvas = document.createElement('canvas').getContext('2d');
  const light = (name) => {
    canvas.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const parts = canvas.fillStyle.match(/[0-9a-f]{2}/g).map((hex) => parseInt(hex, 16) / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const [a, b] = [light(fore), light(back)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}, [foreground, background]);

test('light and dark can both be read', async () => {
  for (const scheme of ['light', 'dark']) {
    const themed = await open(report, { colorScheme: scheme, hash: '#/pair/0' });
    await themed.waitForSelector('.panes');
    const dark = await themed.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).every((part) => part < 60));
    assert.equal(dark, scheme === 'dark');
    for (const [fore, back, least] of [['--ink', '--paper', 7], ['--ink', '--surface', 7], ['--muted', '--paper', 4.5], ['--muted', '--surface', 4.5], ['--accent', '--surface', 4.5], ['--ink', '--exact', 7], ['--ink', '--edited', 7], ['--ink', '--paraphrased', 7], ['--ink', '--accent-soft', 7], ['--out', '--surface', 4.5], ['--out', '--rail', 4.5]]) {
      const value = await contrast(themed, fore, back);
      assert.ok(value >= least, `${scheme}: ${fore} on ${back} has ${value.toFixed(2)}`);
    }
    await shot(themed, `pair-${scheme}`);
    if (scheme === 'light') {
      await themed.click('#theme');
      await themed.click('#theme');
      await soon(async () => assert.equal(await themed.textContent('#theme'), 'Theme: dark'));
      assert.ok(await themed.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).every((part) => part < 60)));
    }
    themed.quiet();
    await themed.context().close();
  }
});

test('a case file saved from the page can be computed again', async () => {
  const pair = await open(report, { hash: '#/pair/1' });
  await pair.waitForSelector('#save-case');
  const [download] = await Promise.all([pair.waitForEvent('download'), pair.click('#save-case')]);
  const saved = path.join(folder, 'case.html');
  await download.saveAs(saved);
  pair.quiet();
  const held = run('verify-case', saved);
  assert.equal(held.code, 0, held.text);
  assert.match(held.text, /holds: computed again, it came out the same\n {2}made with Cento/);
  assert.match(held.text, /brandt.txt: as recorded/);
  const again = await open(saved);
  await again.waitForSelector('.panes');
  await soon(async () => assert.equal(await again.textContent('h1:visible'), 'brandt.txt and dvorak.txt'));
  await soon(async () => assert.match(await again.textContent('.view.pair .run'), /taken out of a report on 12 documents/));
  await soon(async () => assert.equal(await again.locator('#search').count(), 0));
  again.quiet();
  // A text or a number that somebody changed is told.
  const page2 = fs.readFileSync(saved, 'utf8').replace(/(id="cento-texts">)([^<]*)/, (_, head, body) => head + body.split('\n').reverse().join('\n'));
  const forged = path.join(folder, 'forged.html');
  fs.writeFileSync(forged, page2);
  const fails = run('verify-case', forged);
  assert.equal(fails.code, 1);
  assert.match(fails.text, /does not hold/);
  assert.match(fails.text, /not the text that was recorded/);
});

test('without texts there are numbers and places', async () => {
  const bare = path.join(folder, 'bare.html');
  run('scan', classroom(), '--base', template, '--no-text', '-o', bare);
  assert.match(fs.readFileSync(bare, 'utf8'), /id="cento-texts">\n*</);
  const numbers = await open(bare, { hash: '#/pair/1' });
  await soon(async () => assert.match(await numbers.textContent('.view.pair .message'), /texts were left out/));
  await soon(async () => assert.match(await numbers.textContent('.passages'), /bytes [\d,]+ to [\d,]+/));
  await soon(async () => assert.deepEqual(await texts(numbers, '.big'), ['91 %', '93 %']));
  numbers.quiet();
});

test('where a registry keeps digests only, the new text shows what is shared, beside whose it is', async () => {
  const folder = temporary();
  const registry = path.join(folder, 'registry');
  const words = (name, count) => Array.from({ length: count }, (_, number) => `${name}${number}`).join(' ');
  const write = (name, text) => {
    fs.writeFileSync(path.join(folder, name), `${text}\n`);
    return path.join(folder, name);
  };
  run('registry', 'init', '--registry', registry);
  run('register', write('source.txt', words('source', 200)), '--registry', registry, '--submitter', 'anna', '--set', 'theses 2026', '--date', '2026-03-01');
  const file = path.join(folder, 'verified.html');
  run('verify', write('new.txt', `${words('source', 100)} ${words('new', 100)}`), '--registry', registry, '-o', file);
  const verified = await open(file, { hash: '#/' });
  const seen = () => verified.locator('main').innerText();
  assert.match(await seen(), /source\.txt\s*theses 2026, anna, 2026-03-01/);
  const cells = (await texts(verified, 'tbody td')).join('; ');
  assert.doesNotMatch(cells, /\bold\b|\b0 %|\b0\b/);
  await go(verified, '#/pair/0');
  await verified.waitForSelector('.pane-text mark');
  const marked = (await texts(verified, '.pane-text mark')).join(' ');
  assert.equal(marked, words('source', 100));
  const beside = await verified.locator('.known').innerText();
  for (const fact of ['theses 2026', 'anna', '2026-03-01']) assert.ok(beside.includes(fact), beside);
  await soon(async () => assert.deepEqual(await texts(verified, '.share-card .big'), ['50 %', '49 %']));
  await verified.locator('.share-card summary').first().click();
  const sums = await verified.locator('.sums').first().innerText();
  assert.match(sums, /100 ÷ 200 = 50 %/);
  assert.doesNotMatch(await seen(), /\b0 ÷ 0/);
  verified.quiet();
  await verified.context().close();
});

test('text that everybody has is said first, and one switch leaves it out of everything', async () => {
  const folder = temporary();
  const words = (name, count) => Array.from({ length: count }, (_, number) => `${name}${number}`).join(' ');
  const sheet = words('sheet', 60);
  for (let number = 0; number < 12; number += 1) {
    const own = number === 3 ? `${words('text2x', 100)} ${words('other', 100)}` : words(`text${number}x`, 200);
    fs.writeFileSync(path.join(folder, `essay${number}.txt`), `${sheet} ${own}\n`);
  }
  const out = temporary();
  const made = (name, ...flags) => {
    const file = path.join(out, name);
    const done = run('scan', folder, '-o', file, ...flags);
    assert.equal(done.code, 0, done.error);
    return file;
  };
  const [whole, without] = [await open(made('whole.html')), await open(made('without.html', '--base-from', 'common'))];
  const table = (one, caption) => one.$$eval(`[aria-label="${caption}"] tbody tr[data-index]`, (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
  await soon(async () => assert.equal(await whole.locator('h1:visible').innerText(), '66 pairs share 10 % or more, or a passage of 12 words'));
  await soon(async () => assert.match(await whole.locator('.notice').innerText(), /12 of 12 documents have the same 60 words\. Without such text 1 pair shares 10 % or more, or a passage of 12 words; with it 66\./));
  await soon(async () => assert.equal(await without.locator('.notice').count(), 0));
  await whole.locator('#leave-out-common').check();
  await soon(async () => assert.equal(await whole.locator('h1:visible').innerText(), '1 pair shares 10 % or more, or a passage of 12 words'));
  for (const caption of ['Pairs', 'Documents']) assert.deepEqual(await table(whole, caption), await table(without, caption), caption);
  await soon(async () => assert.deepEqual(await texts(whole, '.tiles dd'), await texts(without, '.tiles dd')));
  // The pair, too: its shares, its sums, and what is grey.
  const pair = async (one) => {
    await one.locator('[aria-label="Pairs"] tbody tr[data-index] a').first().click();
    await one.waitForSelector('.panes');
    return [await texts(one, '.share-card'), await texts(one, '.passages tbody tr'), await texts(one, '.pane-text mark.left-out'), await texts(one, '.place')];
  };
  const [switched, run2] = [await pair(whole), await pair(without)];
  assert.deepEqual(switched, run2);
  assert.ok(switched[2].join(' ').includes('sheet0'));
  await go(whole, '#/');
  await whole.locator('#leave-out-common').uncheck();
  await soon(async () => assert.equal(await whole.locator('h1:visible').innerText(), '66 pairs share 10 % or more, or a passage of 12 words'));
  // Grey is what does not count: now the sheet does.
  const counted = await pair(whole);
  assert.deepEqual(counted[2], []);
  whole.quiet();
  without.quiet();
  await whole.context().close();
  await without.context().close();
});

test('without names there are codes, in the texts too', async () => {
  const anonymous = path.join(folder, 'anonymous.html');
  const made = run('scan', classroom(), '--base', template, '--anonymize', '-o', anonymous);
  assert.equal(made.code, 0, made.error);
  const key = fs.readFileSync(path.join(folder, 'anonymous.key.csv'), 'utf8');
  assert.match(key, /^code,id,label\nD01,/);
  const code = key.split('\n').find((line) => line.includes('brandt')).split(',')[0];
  const masked = await open(anonymous, { hash: '#/pair/1' });
  await masked.waitForSelector('.panes');
  const all = await masked.evaluate(async () => {
    const texts = await Promise.all(Cento.report.documents.filter((document) => document.packed).map(async (document) => new TextDecoder().decode(await Cento.data.text(document))));
    return [document.body.innerText, JSON.stringify(Cento.report, (key, value) => (key === 'shell' ? undefined : value)), ...texts].join('\n').toLowerCase();
  }).catch((error) => String(error));
  for (const name of ['brandt', 'dvorak', 'abara', 'jansen', 'lukas']) assert.ok(!all.includes(name), name);
  await soon(async () => assert.match(await masked.textContent('.pane-text'), new RegExp(`\\[${code}\\]|\\[D\\d\\d\\]`)));
  await soon(async () => assert.match(await masked.textContent('.view.pair .run'), /other names.*may remain/));
  // The marks still stand where they should.
  const marked = await texts(masked, '.pane-text mark:not(.left-out)');
  assert.ok(marked.some((text) => /^Arguments about Harrowmere/.test(text)), marked[0]);
  masked.quiet();
});

test('styles have neighbours instead of shares, and pairs may lack passages', async () => {
  const style = path.join(folder, 'style.html');
  assert.equal(run('scan', classroom(), '--recipe', 'style', '-o', style).code, 0);
  const neighbours = await open(style);
  await soon(async () => assert.match(await neighbours.textContent('h1'), /nearest by style/));
  await soon(async () => assert.equal(await neighbours.locator('.histogram').count(), 0));
  await neighbours.locator('[aria-label="Pairs"] tbody tr').first().click();
  await neighbours.waitForSelector('.view.pair');
  await soon(async () => assert.match(await neighbours.textContent('.view.pair .facts'), /By style they are/));
  neighbours.quiet();
  const plain = path.join(folder, 'plain.html');
  assert.equal(run('scan', classroom(), '--aligner', 'none', '-o', plain).code, 0);
  const estimates = await open(plain, { hash: '#/pair/0' });
  await estimates.waitForSelector('.panes');
  await soon(async () => assert.match(await estimates.textContent('.sums'), /estimate/));
  estimates.quiet();
});

test('a registry of few bits has exact scores beside its own', async () => {
  const registry = path.join(folder, 'registry');
  const documents = path.join(folder, 'registered');
  fs.mkdirSync(documents);
  const words = (seed, count) => Array.from({ length: count }, (_, at) => `w${(((seed * 100003 + at) * 2654435761) >>> 0).toString(36)}`).join(' ');
  const page300 = words(1, 12000).split(' ').slice(0, 300).join(' ');
  [1, 2, 3].forEach((seed) => fs.writeFileSync(path.join(documents, `${seed}.txt`), words(seed, 12000)));
  const query = path.join(folder, 'query.txt');
  fs.writeFileSync(query, `${page300} ${words(9, 12000)}`);
  const made = (...args) => assert.equal(run(...args).code, 0, args.join(' '));
  // Which digests are equal by chance depends on the key.
  const key = path.join(folder, 'key');
  fs.writeFileSync(key, '000102030405060708090a0b0c0d0e0f\n', { mode: 0o600 });
  made('registry', 'init', '--registry', registry, '--recipe', 'masaryk-24', '--retain', 'text', '--stretches', 'none', '--key-file', key);
  made('register', documents, '--registry', registry, '--key-file', key);
  const verified = path.join(folder, 'verified.html');
  made('verify', query, '--registry', registry, '--key-file', key, '--threshold', '0.0002', '-o', verified);
  const other = await open(verified);
  const heads = await texts(other, '[aria-label="Pairs"] thead th');
  assert.deepEqual(heads.slice(0, 4).map((head) => head.replace(/\W/g, '')), ['Score', 'Exact', 'Left', 'Right']);
  await soon(async () => assert.match(await other.textContent('.distribution .note'), /score 0\.02 % or more\. Pairs under 0\.02 % are not listed/));
  // Names have the room that numbers do not need.
  const widths = await other.$$eval('[aria-label="Pairs"] thead th', (all) => all.map((cell) => cell.getBoundingClientRect().width));
  assert.ok(widths[2] > widths[1] && widths[3] > widths[1], widths.join());
  const exact = await other.$$eval('[aria-label="Pairs"] tbody tr[data-index]', (all) => all.map((row) => row.cells[1].textContent.trim()));
  assert.equal(exact.length, 3);
  assert.ok(exact.includes('2 %') && exact.includes('0 %'), exact.join());
  await other.locator('[aria-label="Pairs"] tbody tr[data-index] a').last().click();
  await other.waitForSelector('.panes');
  await soon(async () => assert.match(await other.textContent('.view.pair'), /No long run of words is the same in both\. Score 0\.00\d \(containment\).*Without digests that are equal by chance it is 0\.000: the texts share 0 chunks, the digests \d+\./s));
  await shot(other, 'exact');
  await other.context().close();
});
