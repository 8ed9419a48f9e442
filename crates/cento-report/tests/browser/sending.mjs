// Files for a page to send: dropped on it, alone or in a zip.
import fs from 'node:fs';
import path from 'node:path';

/* Drops files on the first place that takes some. */
export const drop = async (page, files) => {
  const data = files.map(([name, bytes]) => [name, bytes.toString('base64')]);
  const transfer = await page.evaluateHandle((all) => {
    const made = new DataTransfer();
    for (const [name, text] of all) made.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    return made;
  }, data);
  await page.dispatchEvent('.drop', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('.drop', 'drop', { dataTransfer: transfer });
};

/* A zip of some files, stored as they are. */
export const zip = (files) => {
  const table = Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });
  const crc = (bytes) => (bytes.reduce((sum, byte) => table[(sum ^ byte) & 255] ^ (sum >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;
  const parts = [];
  const entries = [];
  let at = 0;
  for (const [name, bytes] of files) {
    const label = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc(bytes), 10);
    fields.writeUInt32LE(bytes.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(label.length, 22);
    parts.push(Buffer.from('PK\x03\x04'), fields, label, bytes);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    entries.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, place, label);
    at += 30 + label.length + bytes.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, directory, Buffer.from('PK\x05\x06'), end]);
};

/* A zip of the files in a folder. */
export const zipOf = (folder) => zip(fs.readdirSync(folder).sort().map((name) => [name, fs.readFileSync(path.join(folder, name))]));
