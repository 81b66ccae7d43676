/** A server for `claude --permission-prompt-tool`: people decide in Tieline what may run. */
import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const { TIELINE_URL, TIELINE_TOKEN, CHANNEL } = process.env;
const tieline = new Client({ name: 'permission-prompt', version: '1.0.0' });
const requestInit = { headers: { authorization: `Bearer ${TIELINE_TOKEN}` } };
await tieline.connect(new StreamableHTTPClientTransport(new URL('/mcp', TIELINE_URL), { requestInit }));

const TOOL = {
  name: 'permission_prompt',
  description: 'Asks people whether a tool may run',
  inputSchema: {
    type: 'object',
    properties: {
      tool_name: { type: 'string' },
      input: { type: 'object' },
      tool_use_id: { type: 'string' },
    },
    required: ['tool_name', 'input'],
  },
};

/** Waits for people. Anything but an approval denies, also a request that Tieline refuses. */
async function decide({ tool_name: tool, input, tool_use_id: id = randomUUID() }) {
  const asked = {
    conversation_id: CHANNEL,
    title: `Allow ${tool}?`,
    tool,
    arguments: input,
    external_id: id,
  };
  let { structuredContent: answer } = await tieline.callTool({ name: 'request_approval', arguments: asked });
  while (answer.approval?.state === 'pending') {
    const waiting = { id: answer.approval.id, wait: 50 };
    ({ structuredContent: answer } = await tieline.callTool({ name: 'get_approval', arguments: waiting }));
  }
  const { state, result } = answer.approval ?? { state: answer.error };
  if (state === 'approved') return { behavior: 'allow', updatedInput: input };
  return { behavior: 'deny', message: result?.comment ?? `not approved: ${state}` };
}

serveStdio(() => {
  const server = new Server({ name: 'tieline', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [TOOL] }));
  server.setRequestHandler('tools/call', async ({ params }) => ({
    content: [{ type: 'text', text: JSON.stringify(await decide(params.arguments ?? {})) }],
  }));
  return server;
});
