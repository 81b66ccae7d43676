import { Injectable } from '@nestjs/common';
import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server';
import { ApiError, errorOf, RestApi } from '@tieline/platform/http';
import { Operations } from '../rest/operations.js';
import type { RestAnswer, RestCaller, RestError, RestRequest } from '@tieline/platform/http';
import type { Call, CallerKind, Tool } from './tool.js';
import { TOOLS, toolsOf } from './tool-list.js';
import { toolRequest } from './tool-request.js';
import { listedTool } from './tool-schemas.js';
import { sendInSteps } from './tool-wait.js';

type Arguments = Readonly<Record<string, unknown>>;

/** Lists tools and calls them (docs/mcp.md#tools). */
@Injectable()
export class ToolCalls {
  constructor(
    private readonly rest: RestApi,
    private readonly operations: Operations,
  ) {}

  /** Returns the tools for callers of this kind. */
  async list(kind: CallerKind): Promise<ListedTool[]> {
    const tools = toolsOf(kind);
    return Promise.all(
      tools.map(async (tool) => {
        const call = callOf(tool, kind);
        return listedTool(tool, call, await this.operations.get(call.operation));
      }),
    );
  }

  /**
   * Calls a tool. A refusal is a result with `isError` and the code of the API, which also refuses
   * tools for another kind of caller.
   * @returns undefined if there is no tool of this name
   */
  async call(
    caller: RestCaller & { kind: CallerKind },
    name: string,
    given: Arguments,
  ): Promise<CallToolResult | undefined> {
    const tool = TOOLS.find((one) => one.name === name);
    if (!tool) return undefined;
    const call = callOf(tool, caller.kind, given);
    const operation = await this.operations.get(call.operation);
    try {
      const request = toolRequest(tool, call, operation, given);
      const send = (one: RestRequest): Promise<RestAnswer> => this.rest.call(caller, one);
      const answer = tool.wait ? await sendInSteps(send, request, tool.wait) : await send(request);
      return resultOf(tool, call, answer);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return refused({
        error: error.text,
        code: error.code,
        ...(error.field !== undefined && { field: error.field }),
      });
    }
  }
}

function callOf({ calls, option }: Tool, kind: CallerKind, given: Arguments = {}): Call {
  const call = (calls[kind] ?? calls.bot) as Call;
  const other = option && given[option.name] === true ? option.operations[kind] : undefined;
  return other === undefined ? call : { ...call, operation: other };
}

function resultOf({ result }: Tool, { fields }: Call, answer: RestAnswer): CallToolResult {
  if (answer.status >= 400) return refused(inArguments(errorOf(answer), fields));
  return toolResult(result?.of(answer.body) ?? answer.body);
}

/** Returns the result of a call that succeeded. */
export const toolResult = (shown: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(shown) }],
  structuredContent: shown,
});

/** Names the argument that filled the faulty field. */
function inArguments({ field, ...error }: RestError, fields: Call['fields']): RestError {
  if (field === undefined) return error;
  const argument = Object.entries(fields).find(([, filled]) => filled === field)?.[0];
  return { ...error, field: argument ?? field };
}

/** Returns the result of a refused call. */
export const refused = (error: RestError): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: JSON.stringify(error) }],
  structuredContent: { ...error },
});
