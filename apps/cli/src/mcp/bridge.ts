type Json = Record<string, unknown>;

/** A message of JSON-RPC 2.0. */
interface Message extends Json {
  id?: string | number;
  method?: string;
  params?: Json;
  result?: Json;
}

/** Settings of {@link McpBridge}. */
export interface BridgeSettings {
  /** Address of the MCP endpoint. */
  readonly url: string;
  readonly token: string;
  /** Writes one message to the client. */
  readonly send: (message: Json) => void;
  /** Reports what the client does not wait for. */
  readonly warn: (text: string) => void;
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;
/** Methods whose name, URI or task the protocol repeats in a header. */
const NAMED = new Set([
  'tools/call',
  'resources/read',
  'prompts/get',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
]);

/**
 * Passes the messages of an MCP client on stdin to the MCP endpoint of a server, and its answers
 * back. The endpoint has no sessions, so each message is a separate request.
 */
export class McpBridge {
  private readonly running = new Map<unknown, AbortController>();
  /** The revision that `initialize` agreed on, for clients of 2025. */
  private agreed: string | undefined;

  constructor(private readonly settings: BridgeSettings) {}

  /** Answers every line. @returns when the lines have ended and all answers are written */
  async run(lines: AsyncIterable<string>): Promise<void> {
    const answering = new Set<Promise<void>>();
    for await (const line of lines) {
      if (line.trim() === '') continue;
      const answer = this.answer(line).finally(() => answering.delete(answer));
      answering.add(answer);
    }
    await Promise.all(answering);
  }

  private async answer(line: string): Promise<void> {
    const message = parsed(line);
    if (message === undefined) return this.refuse(null, PARSE_ERROR, 'invalid JSON');
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      return this.refuse(null, INVALID_REQUEST, 'a message must be one object: batches are not supported');
    const { id, method, params } = message as Message;
    // An answer: the endpoint asks nothing.
    if (typeof method !== 'string') return;
    if (method === 'notifications/cancelled') return this.running.get(params?.requestId)?.abort();
    const stop = new AbortController();
    if (id !== undefined) this.running.set(id, stop);
    try {
      await this.pass(message as Message, line, stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) this.fail(id, `Tieline is unreachable: ${reasonOf(error)}`);
    } finally {
      this.running.delete(id);
    }
  }

  private async pass(message: Message, body: string, signal: AbortSignal): Promise<void> {
    const { id, method } = message;
    const { url, token, send } = this.settings;
    const headers = { authorization: `Bearer ${token}`, ...this.headersFor(message) };
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    const answer = parsed(await response.text()) as Message | undefined;
    if (response.status === 202) return;
    if (answer?.jsonrpc !== '2.0') return this.fail(id, `${url} answered ${response.status}`);
    if (id === undefined) return this.settings.warn(JSON.stringify(answer));
    if (method === 'initialize' && typeof answer.result?.protocolVersion === 'string')
      this.agreed = answer.result.protocolVersion;
    send({ ...answer, id });
  }

  /** The protocol repeats parts of the message in headers. */
  private headersFor({ method = '', params = {} }: Message): Record<string, string> {
    const meta = params._meta as Json | undefined;
    const version = meta?.[VERSION] ?? this.agreed;
    const name = params.name ?? params.uri ?? params.taskId;
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(typeof version === 'string' && { 'mcp-protocol-version': headerText(version) }),
      'mcp-method': headerText(method),
      ...(NAMED.has(method) && typeof name === 'string' && { 'mcp-name': headerText(name) }),
    };
  }

  private fail(id: Message['id'], text: string): void {
    if (id === undefined) this.settings.warn(text);
    else this.refuse(id, INTERNAL_ERROR, text);
  }

  private refuse(id: string | number | null, code: number, message: string): void {
    this.settings.send({ jsonrpc: '2.0', id, error: { code, message } });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

/** Encodes text that a header cannot contain unchanged, by the rule of the protocol. */
export function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
