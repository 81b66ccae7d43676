import { Injectable } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type {
  CallToolRequest,
  CallToolResult,
  GetPromptResult,
  InputRequiredResult,
  ListResourcesResult,
  ReadResourceResult,
  Server,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
import { McpModule } from '../../mcp.module.js';
import { McpEndpoint } from '../../protocol/mcp-endpoint.js';
import type { McpCaller } from '../../protocol/mcp-caller.js';
import type { Sdk } from '../../protocol/sdk.js';
import { Resources } from '../../resources/resources.js';
import type { RestAnswer } from '@tieline/platform/http';
import { ApprovalTasks } from '../../tasks/approval-tasks.js';
import { ToolCalls } from '../../tools/tool-calls.js';
import { form, image, PNG, prompt, resource, text } from './content.js';
import { DiagnosticTasks, TASK_TOOLS } from './diagnostic-tasks.js';
import { DIAGNOSTIC_SCHEMAS, DIAGNOSTIC_TOOLS } from './diagnostic-tools.js';

/** Adds what the conformance suite expects of every server to the tools of Tieline. */
@Injectable()
class DiagnosticEndpoint extends McpEndpoint {
  declare protected readonly tasks: DiagnosticTasks;

  protected override serverFor(sdk: Sdk, caller: McpCaller, era: 'legacy' | 'modern'): Server {
    const server = super.serverFor(sdk, caller, era);
    server.registerCapabilities({ prompts: {}, completions: {}, logging: {} });
    server.setRequestHandler('prompts/list', () => ({
      prompts: Object.entries(PROMPT_ARGUMENTS).map(([name, given]) => ({
        name,
        description: 'for the conformance suite',
        arguments: given.map((one) => ({ name: one, required: true })),
      })),
    }));
    server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }, context) => {
      const shown = promptOf(sdk, name, given, context);
      if (!shown) throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
      return shown;
    });
    server.setRequestHandler('completion/complete', () => ({
      completion: { values: [], total: 0, hasMore: false },
    }));
    return server;
  }

  protected override async callTool(
    sdk: Sdk,
    caller: McpCaller,
    params: CallToolRequest['params'],
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const call = { sdk, given: params.arguments ?? {}, context };
    const found = await this.tasks.callTool(params.name, call);
    const result = found ?? (await DIAGNOSTIC_TOOLS[params.name]?.(call));
    return (result as CallToolResult | undefined) ?? super.callTool(sdk, caller, params, context);
  }
}

const PROMPT_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  test_simple_prompt: [],
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
  test_prompt_with_image: [],
  test_input_required_result_prompt: [],
};

function promptOf(
  sdk: Sdk,
  name: string,
  given: Record<string, string>,
  { mcpReq }: ServerContext,
): GetPromptResult | ReturnType<Sdk['inputRequired']> | undefined {
  switch (name) {
    case 'test_simple_prompt':
      return prompt(text('This is a simple prompt for testing.'));
    case 'test_prompt_with_arguments':
      return prompt(text(`Prompt with arguments: arg1='${given.arg1}', arg2='${given.arg2}'`));
    case 'test_prompt_with_embedded_resource':
      return prompt(resource(given.resourceUri ?? ''), text('Please process the embedded resource above.'));
    case 'test_prompt_with_image':
      return prompt(image, text('Please analyze the image above.'));
    case 'test_input_required_result_prompt':
      return mcpReq.inputResponses?.user_context
        ? prompt(text('with context'))
        : sdk.inputRequired({ inputRequests: { user_context: form('Which context?', 'context') } });
    default:
      return undefined;
  }
}

/** Lists the diagnostic tools after those of Tieline. */
@Injectable()
class DiagnosticToolCalls extends ToolCalls {
  override async list(kind: McpCaller['kind']): Promise<Tool[]> {
    const names = [...Object.keys(DIAGNOSTIC_TOOLS), ...TASK_TOOLS];
    const own = names.map((name) => ({
      name,
      description: 'for the conformance suite',
      inputSchema: DIAGNOSTIC_SCHEMAS[name] ?? { type: 'object' as const },
    }));
    return [...(await super.list(kind)), ...own];
  }
}

const STATIC: Readonly<
  Record<string, { mimeType: string; text: string } | { mimeType: string; blob: string }>
> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: PNG },
};

/** Adds the suite's resources to the conversations. */
@Injectable()
class DiagnosticResources extends Resources {
  override async list(
    caller: McpCaller,
    cursor: string | undefined,
  ): Promise<ListResourcesResult | RestAnswer> {
    const page = await super.list(caller, cursor);
    if (!('resources' in page)) return page;
    const own = Object.keys(STATIC).map((uri) => ({ uri, name: uri }));
    return { ...page, resources: [...own, ...page.resources] };
  }

  override async read(caller: McpCaller, uri: string): Promise<ReadResourceResult | RestAnswer | undefined> {
    const content = STATIC[uri];
    if (content) return { contents: [{ uri, ...content }] };
    const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
    if (id === undefined) return super.read(caller, uri);
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text: data }] };
  }
}

/** Returns the MCP module with everything that the suite calls. No program contains it. */
export const diagnosticMcpModule = (): DynamicModule => ({
  module: McpModule,
  providers: [
    { provide: McpEndpoint, useClass: DiagnosticEndpoint },
    { provide: Resources, useClass: DiagnosticResources },
    { provide: ApprovalTasks, useClass: DiagnosticTasks },
    { provide: ToolCalls, useClass: DiagnosticToolCalls },
  ],
});
