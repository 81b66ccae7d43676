import { Inject, Injectable } from '@nestjs/common';
import type {
  AuthInfo,
  CallToolRequest,
  CallToolResult,
  InputRequiredResult,
  McpHttpHandler,
  McpRequestContext,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server';
import { VERSION } from '@tieline/platform/config';
import { LOGGER } from '@tieline/platform/observability';
import type { Logger } from 'pino';
import { askForm } from '../forms/ask-form.js';
import { errorOf } from '@tieline/platform/http';
import type { RestAnswer } from '@tieline/platform/http';
import { RESOURCE_KINDS } from '../resources/resource-kinds.js';
import { Resources } from '../resources/resources.js';
import { ApprovalTasks } from '../tasks/approval-tasks.js';
import { serveTasks, understandsTasks } from '../tasks/serve-tasks.js';
import { TASKS_EXTENSION } from '../tasks/task.js';
import { ToolCalls } from '../tools/tool-calls.js';
import type { McpCaller } from './mcp-caller.js';
import type { Sdk } from './sdk.js';
import { listens, refuseToListen } from './subscriptions.js';
import { serverClassOf } from './tieline-server.js';

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
    protected readonly tasks: ApprovalTasks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Answers one request. `message` is its body. */
  async answer(request: Request, message: unknown, caller: McpCaller): Promise<Response> {
    const { sdk, modern } = await (this.loading ??= this.load());
    if (await sdk.isLegacyRequest(request, message)) return this.answerLegacy(sdk, request, message, caller);
    const response = await modern.fetch(request, { parsedBody: message, authInfo: asAuthInfo(caller) });
    return listens(message) ? refuseToListen(sdk, message, response) : response;
  }

  private async load(): Promise<Loaded> {
    const library = await import('@modelcontextprotocol/server');
    const sdk = { ...library, Server: serverClassOf(library) };
    const modern = sdk.createMcpHandler(({ authInfo, era }) => this.serverFor(sdk, callerIn(authInfo), era), {
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
    const server = this.serverFor(sdk, caller, 'legacy');
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: message });
    } finally {
      await server.close();
    }
  }

  /** Returns a server for one request. */
  protected serverFor(sdk: Sdk, caller: McpCaller, era: McpRequestContext['era']): Server {
    const server = new sdk.Server(
      { name: 'tieline', title: 'Tieline', version: VERSION },
      {
        capabilities: {
          tools: {},
          resources: {},
          ...(era === 'modern' && { extensions: { [TASKS_EXTENSION]: {} } }),
        },
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
    server.setRequestHandler('tools/call', ({ params }, context) =>
      this.callTool(sdk, caller, params, context),
    );
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
    if (era === 'modern') serveTasks(sdk, server, caller, this.tasks, refused);
    return server;
  }

  /** Calls a tool. The result is a task or a question if the client understands them. */
  protected async callTool(
    sdk: Sdk,
    caller: McpCaller,
    { name, arguments: given = {} }: CallToolRequest['params'],
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const form = caller.kind === 'bot' ? askForm(sdk, name, given, context) : { go: given };
    if (!('go' in form)) return 'ask' in form ? form.ask : form.end;
    const result = await this.tools.call(caller, name, form.go);
    if (!result) throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    const task = understandsTasks(context) ? this.tasks.ofResult(name, result) : undefined;
    // The types of the library don't know results of extensions.
    return task ? ({ ...task, resultType: 'task' } as unknown as CallToolResult) : result;
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
