import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ClientOptions } from '@modelcontextprotocol/client';

export type Json = Record<string, any>;

export const VERSION = '2026-07-28';
export const TASKS = 'io.modelcontextprotocol/tasks';
const META = 'io.modelcontextprotocol';

/** The answer to a request that a test wrote itself. */
export interface McpResponse {
  status: number;
  headers: Headers;
  body: Json;
}

/** Returns a request of the revision without a handshake, with its headers. */
export function modern(
  method: string,
  params: Json = {},
  clientCapabilities: Json = {},
): { body: Json; headers: Record<string, string> } {
  const _meta = { [`${META}/protocolVersion`]: VERSION, [`${META}/clientCapabilities`]: clientCapabilities };
  const name = (params.name ?? params.uri ?? params.taskId) as string | undefined;
  return {
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    headers: {
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    },
  };
}

/** Posts a body to the endpoint. A text is sent unchanged. */
export async function sendMcp(
  api: { url: string },
  token: string,
  { body, headers = {} }: { body: unknown; headers?: Record<string, string> },
): Promise<McpResponse> {
  const response = await fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text ? (JSON.parse(text) as Json) : {},
  };
}

/** Connects the stock client. */
export async function connectTo(
  api: { url: string },
  token: string,
  options: ClientOptions = {},
  prepare: (client: Client) => void = () => undefined,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  prepare(client);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), { requestInit }));
  return client;
}

/** Calls a tool. The client compares the result with the tool's schema. */
export async function useTool(client: Client, name: string, given: Json = {}): Promise<Json> {
  const { structuredContent, isError } = await client.callTool({ name, arguments: given });
  return { ...(structuredContent as Json), ...(isError === true && { isError }) };
}
