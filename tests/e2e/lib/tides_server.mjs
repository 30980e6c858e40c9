// An MCP server as a third party writes one, with the protocol's own library. It returns the time of high tide, and
// logs the calls it receives to the file TIDES_ASKED.

import { appendFileSync } from 'node:fs';
import { McpServer } from '../../mcp/node_modules/@modelcontextprotocol/sdk/dist/esm/server/mcp.js';
import { StdioServerTransport } from '../../mcp/node_modules/@modelcontextprotocol/sdk/dist/esm/server/stdio.js';
import { z } from '../../mcp/node_modules/zod/index.js';

const HIGH = { dover: '11:42', calais: '11:58' };

const server = new McpServer({ name: 'tides', version: '1.0.0' });
server.registerTool(
  'high_tide',
  {
    title: 'High tide',
    description: 'When the tide is high in a port today.',
    inputSchema: { port: z.string() },
    annotations: { readOnlyHint: true },
  },
  ({ port }) => {
    if (process.env.TIDES_ASKED) appendFileSync(process.env.TIDES_ASKED, `${port}\n`);
    const at = HIGH[port.toLowerCase()];
    return { content: [{ type: 'text', text: at ? `High tide in ${port} is at ${at}.` : `No tables for ${port}.` }] };
  },
);
await server.connect(new StdioServerTransport());
