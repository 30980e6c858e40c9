// Prints the start bundle (everything fetched before the first surface is drawn) and fails above the budget.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** Bytes, from the design: 350 kB raw, 110 kB compressed. */
const RAW_MAX = 350_000;
const GZIP_MAX = 110_000;

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const files = new Set();

function take(key) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`the build has no ${key}: what a start loads is not known`);
  if (files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const css of chunk.css ?? []) files.add(css);
  for (const next of chunk.imports ?? []) take(next);
}

take('index.html');
// The first surface is the conversation; vite.config.ts names its file.
take(manifest['index.html'].dynamicImports.find((key) => manifest[key].name === 'chat'));

let raw = 0;
let gzip = 0;
for (const file of files) {
  const body = readFileSync(join(dist, file));
  raw += body.length;
  gzip += gzipSync(body).length;
}
console.log(
  `start bundle: ${files.size} files, ${(raw / 1000).toFixed(0)} kB, ${(gzip / 1000).toFixed(0)} kB compressed`,
);
if (raw > RAW_MAX || gzip > GZIP_MAX) {
  console.error(`above the budget of ${RAW_MAX / 1000} kB / ${GZIP_MAX / 1000} kB`);
  process.exit(1);
}
