// Runs the conformance suite of the Model Context Protocol against a server, and compares failures with the known ones.
//   node conformance.mjs ADDRESS REVISION     with the token in ADJUTANT_MCP_TOKEN
// The suite sends no token, so a relay adds it and changes nothing else: host and origin arrive unchanged.
import { spawn } from 'node:child_process';
import { createServer, request } from 'node:http';
import { fileURLToPath } from 'node:url';

const [address, revision] = process.argv.slice(2);
const token = process.env.ADJUTANT_MCP_TOKEN;
if (!address || !revision || !token) {
  console.error('conformance.mjs ADDRESS REVISION, with ADJUTANT_MCP_TOKEN');
  process.exit(2);
}
const to = new URL(address);

const relay = createServer((asked, answer) => {
  const headers = { ...asked.headers, authorization: `Bearer ${token}` };
  const passed = request({ host: to.hostname, port: to.port, path: asked.url, method: asked.method, headers }, (said) => {
    answer.writeHead(said.statusCode, said.headers);
    said.pipe(answer);
  });
  passed.on('error', () => answer.destroy());
  answer.on('close', () => passed.destroy());
  asked.pipe(passed);
});
await new Promise((listening) => relay.listen(0, '127.0.0.1', listening));

const suite = fileURLToPath(new URL('node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));
const known = fileURLToPath(new URL(`not-offered-${revision}.yml`, import.meta.url));
const url = `http://127.0.0.1:${relay.address().port}/mcp`;
const wanted = revision === '2026-07-28' ? ['--requirements', revision] : ['--suite', 'all', '--spec-version', revision];
const args = [suite, 'server', '--url', url, ...wanted, '--timeout', '20000', '--expected-failures', known];
const run = spawn(process.execPath, args, { stdio: 'inherit' });
run.on('exit', (code) => {
  relay.closeAllConnections();
  relay.close();
  process.exitCode = code ?? 1;
});
