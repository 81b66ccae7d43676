import { Injectable } from '@nestjs/common';
import type { ListResourcesResult, ReadResourceResult } from '@modelcontextprotocol/server';
import { RestApi } from '@tieline/platform/http';
import type { RestAnswer, RestCaller } from '@tieline/platform/http';
import type { CallerKind } from '../tools/tool.js';
import { requestFor } from './resource-kinds.js';

type Caller = RestCaller & { kind: CallerKind };
interface ListedConversation {
  id: string;
  name: string;
  type: string;
}

const JSON_TYPE = 'application/json';

/** Lists and reads resources (docs/mcp.md#resources). */
@Injectable()
export class Resources {
  constructor(private readonly rest: RestApi) {}

  /**
   * Returns a page of the conversations that the caller can read.
   * @returns the answer of the API if it refuses the cursor
   */
  async list(caller: Caller, cursor: string | undefined): Promise<ListResourcesResult | RestAnswer> {
    const answer = await this.rest.call(caller, {
      method: 'GET',
      path: `/api/v1/${caller.kind === 'bot' ? 'bot' : 'client'}/conversations`,
      query: { ...(cursor !== undefined && { cursor }) },
    });
    if (answer.status >= 400) return answer;
    const { conversations, next_cursor: next } = answer.body as {
      conversations: ListedConversation[];
      next_cursor: string;
    };
    return {
      resources: conversations.map(({ id, name, type }) => ({
        uri: `tieline://conversations/${id}`,
        name: name || id,
        description: type,
        mimeType: JSON_TYPE,
      })),
      ...(next !== '' && { nextCursor: next }),
    };
  }

  /**
   * Returns the resource of a URI.
   * @returns the answer of the API if it refuses; undefined if there are no such URIs
   */
  async read(caller: Caller, uri: string): Promise<ReadResourceResult | RestAnswer | undefined> {
    const request = requestFor(uri, caller.kind);
    if (!request) return undefined;
    const answer = await this.rest.call(caller, request);
    if (answer.status >= 400) return answer;
    return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(answer.body) }] };
  }
}
