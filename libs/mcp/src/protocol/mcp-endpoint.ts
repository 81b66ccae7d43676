import { Inject, Injectable } from '@nestjs/common';
import type { AuthInfo, McpHttpHandler, Server } from '@modelcontextprotocol/server';
import { VERSION } from '@tieline/platform/config';
import { LOGGER } from '@tieline/platform/observability';
import type { Logger } from 'pino';
import { errorOf } from '../rest/rest-api.js';
import type { RestAnswer, RestCaller } from '../rest/rest-api.js';
import { RESOURCE_KINDS } from '../resources/resource-kinds.js';
import { Resources } from '../resources/resources.js';
import type { CallerKind } from '../tools/tool.js';
import { ToolCalls } from '../tools/tool-calls.js';

/** The caller of an MCP request. */
export interface McpCaller extends RestCaller {
  readonly kind: CallerKind;
}

/** The protocol library: 8 MB of heap, loaded with the first request. */
type Sdk = typeof import('@modelcontextprotocol/server');
interface Loaded {
  sdk: Sdk;
  modern: McpHttpHandler;
}

const INSTRUCTIONS =
  'Tieline is the team chat of a company. You act with the rights of one bot or person. Ids are uuids; find them with list_conversations and in messages. Texts are Markdown; mention people with <@uuid>. A result with isError has the `code` of the error; after `rate_limited` wait `retry_after_seconds`.';
/** Lists of tools and templates change only with an upgrade. */
const UNCHANGING = { ttlMs: 300_000, cacheScope: 'private' } as const;

/**
 * Answers MCP requests: revision 2026-07-28, and clients of 2025 without a session. Nothing is
 * remembered between requests, so every api process can answer each of them.
 */
@Injectable()
export class McpEndpoint {
  private loading: Promise<Loaded> | undefined;

  constructor(
    private readonly tools: ToolCalls,
    private readonly resources: Resources,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Answers one request. `message` is its body. */
  async answer(request: Request, message: unknown, caller: McpCaller): Promise<Response> {
    const { sdk, modern } = await (this.loading ??= this.load());
    if (await sdk.isLegacyRequest(request, message)) return this.answerLegacy(sdk, request, message, caller);
    return modern.fetch(request, { parsedBody: message, authInfo: asAuthInfo(caller) });
  }

  private async load(): Promise<Loaded> {
    const sdk = await import('@modelcontextprotocol/server');
    const modern = sdk.createMcpHandler(({ authInfo }) => this.serverFor(sdk, callerIn(authInfo)), {
      legacy: 'reject',
      // No list or resource announces changes.
      maxSubscriptions: 0,
      onerror: (error) => this.logger.debug({ reason: error.message }, 'mcp request refused'),
    });
    return { sdk, modern };
  }

  /** Answers as one JSON body, which clients of 2025 accept instead of a stream. */
  private async answerLegacy(
    sdk: Sdk,
    request: Request,
    message: unknown,
    caller: McpCaller,
  ): Promise<Response> {
    const server = this.serverFor(sdk, caller);
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: message });
    } finally {
      await server.close();
    }
  }

  private serverFor(sdk: Sdk, caller: McpCaller): Server {
    const server = new sdk.Server(
      { name: 'tieline', title: 'Tieline', version: VERSION },
      {
        capabilities: { tools: {}, resources: {} },
        instructions: INSTRUCTIONS,
        cacheHints: { 'tools/list': UNCHANGING, 'resources/templates/list': UNCHANGING },
      },
    );
    const { InvalidParams, InternalError } = sdk.ProtocolErrorCode;
    const refused = (answer: RestAnswer): Error => {
      const error = errorOf(answer);
      return new sdk.ProtocolError(answer.status >= 500 ? InternalError : InvalidParams, error.error, error);
    };
    server.setRequestHandler('tools/list', async () => ({ tools: await this.tools.list(caller.kind) }));
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }) => {
      const result = await this.tools.call(caller, name, given);
      if (!result) throw new sdk.ProtocolError(InvalidParams, `Unknown tool: ${name}`);
      return result;
    });
    server.setRequestHandler('resources/list', async ({ params }) => {
      const listed = await this.resources.list(caller, params?.cursor);
      if ('status' in listed) throw refused(listed as RestAnswer);
      return listed;
    });
    server.setRequestHandler('resources/templates/list', () => ({
      resourceTemplates: RESOURCE_KINDS.map(({ request: _, ...kind }) => ({
        ...kind,
        mimeType: 'application/json',
      })),
    }));
    server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
      const read = await this.resources.read(caller, uri);
      if (!read) throw new sdk.ResourceNotFoundError(uri);
      if ('status' in read) throw refused(read as RestAnswer);
      return read;
    });
    return server;
  }
}

/** The library passes this through to the factory and reads nothing of it. */
const asAuthInfo = (caller: McpCaller): AuthInfo => ({
  token: '',
  clientId: '',
  scopes: [],
  extra: { caller },
});
const callerIn = (authInfo: AuthInfo | undefined): McpCaller => authInfo?.extra?.caller as McpCaller;
