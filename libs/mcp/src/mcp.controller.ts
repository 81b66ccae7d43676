import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { PlatformSettings } from '@tieline/platform/config';
import {
  Answers,
  BotOrClientApi,
  Caller,
  documentErrorsIn,
  ErrorShape,
  HasOwnRate,
  RequiresScope,
} from '@tieline/platform/http';
import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AddressGuard } from './address.guard.js';
import { McpAnswer } from './mcp.view.js';
import { MCP_PATH } from './paths.js';
import { McpEndpoint } from './protocol/mcp-endpoint.js';

/** The Model Context Protocol (docs/mcp.md). */
@Controller()
@BotOrClientApi()
@RequiresScope('none')
@UseGuards(AddressGuard)
@HasOwnRate()
@ErrorShape('rpc')
@ApiTags('bot: mcp')
export class McpController {
  constructor(
    private readonly endpoint: McpEndpoint,
    private readonly settings: PlatformSettings,
  ) {}

  /**
   * Answers one request of the Model Context Protocol over Streamable HTTP: revision 2026-07-28 and
   * clients of 2025, without sessions. Tools and resources act as the caller of the token, by the
   * rights and rates of the endpoints that they stand for. A refusal of such an endpoint is a
   * result with `isError`.
   */
  @Post(MCP_PATH)
  @HttpCode(200)
  @ApiOperation({ operationId: 'callMcp', summary: 'Answers a request or notification of an MCP client' })
  @ApiBody({
    description: 'a request or notification of JSON-RPC 2.0',
    schema: { type: 'object', additionalProperties: true },
    examples: {
      'a tool': {
        value: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_conversations' } },
      },
    },
  })
  @Answers(McpAnswer)
  @ApiResponse({ status: 202, description: 'the body was a notification' })
  @documentErrorsIn('rpc', 400, 401, 403, 404, 406, 413, 415, 429, 500, 503)
  async create(
    @Caller() principal: BotPrincipal | UserPrincipal,
    @Body() message: Record<string, unknown> | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    const { signal } = left;
    const response = await this.endpoint.answer(this.webRequest(request, signal), message ?? {}, {
      kind: principal.kind,
      request,
      signal,
    });
    void reply.status(response.status);
    response.headers.forEach((value, name) => void reply.header(name, value));
    await reply.send(response.status === 202 ? undefined : await response.text());
  }

  private webRequest({ raw }: FastifyRequest, signal: AbortSignal): Request {
    const headers = new Headers();
    for (const [name, value] of Object.entries(raw.headers))
      if (typeof value === 'string') headers.set(name, value);
    // Answers are always JSON, whatever else the client would read.
    headers.set('accept', 'application/json, text/event-stream');
    return new Request(`${this.settings.publicUrl}${MCP_PATH}`, { method: 'POST', headers, signal });
  }
}
