// run_dolos.mjs COLLECTIONS PAIRS OPTIONS: every pair of files of each folder of COLLECTIONS, scored by Dolos.
// OPTIONS are Dolos' own, as JSON. With "align": true the fragments of every pair are made too and counted,
// and a line has two more columns: how many there are, and how many fingerprints the longest one has.
import { createWriteStream, readdirSync } from "node:fs";
import { once } from "node:events";
import path from "node:path";
import { Dolos } from "@dodona/dolos-lib";

const [collections, pairs, given] = process.argv.slice(2);
const { align, ...options } = JSON.parse(given ?? "{}");
const out = createWriteStream(pairs);
for (const collection of readdirSync(collections).sort()) {
  const folder = path.join(collections, collection);
  const files = readdirSync(folder).sort().map((name) => path.join(folder, name));
  const report = await new Dolos(options).analyzePaths(files);
  const entries = report.entries().map((entry) => entry.file);
  for (let i = 0; i < entries.length; i += 1) {
    for (let j = 0; j < i; j += 1) {
      // One pair at a time, so that they need not all be in memory.
      const pair = report.getPair(entries[i], entries[j]);
      if (pair.similarity === 0) continue;
      const row = [collection, path.basename(entries[i].path), path.basename(entries[j].path), pair.similarity];
      if (align) row.push(pair.buildFragments().length, pair.longest);
      if (!out.write(row.join("\t") + "\n")) await once(out, "drain");
    }
  }
}
out.end();
await once(out, "finish");
