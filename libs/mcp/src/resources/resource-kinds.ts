import { isUuid } from '@tieline/platform/http';
import type { RestRequest } from '@tieline/platform/http';
import type { CallerKind } from '../tools/tool.js';

/** A kind of resource: a URI template and the endpoint that answers. */
export interface ResourceKind {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Returns the request for the ids of a URI, in the order of the template. */
  readonly request: (kind: CallerKind, ...ids: string[]) => RestRequest;
}

const get = (path: string, query?: Record<string, string>): RestRequest => ({
  method: 'GET',
  path,
  ...(query && { query }),
});
const below = (kind: CallerKind): string => (kind === 'bot' ? '/api/v1/bot' : '/api/v1/client');

/** All kinds of resources. Each is the JSON of a REST answer. */
export const RESOURCE_KINDS: readonly ResourceKind[] = [
  {
    uriTemplate: 'tieline://conversations/{conversation_id}',
    name: 'conversation',
    title: 'Conversation',
    description: 'A channel, thread or direct conversation: name, type, scope.',
    request: (kind, id = '') => get(`${below(kind)}/conversations/${id}`),
  },
  {
    uriTemplate: 'tieline://conversations/{conversation_id}/messages',
    name: 'messages',
    title: 'Newest messages',
    description: 'The newest 50 messages of a conversation, in ascending order.',
    request: (_kind, id = '') => get(`/api/v1/channels/${id}/messages`),
  },
  {
    uriTemplate: 'tieline://messages/{message_id}',
    name: 'message',
    title: 'Message',
    description: 'A message with its files and reactions.',
    request: (kind, id = '') => get(`${below(kind)}/messages/${id}`),
  },
  {
    uriTemplate: 'tieline://conversations/{conversation_id}/files/{file_id}',
    name: 'file',
    title: 'File',
    description: 'A file of a message: a link to download it, which works for 5 minutes.',
    request: (kind, conversationId = '', id = '') =>
      get(`${below(kind)}/files/${id}/download_url`, { conversation_id: conversationId }),
  },
];

/** Returns the request for a URI; undefined if no kind has such URIs. */
export function requestFor(uri: string, caller: CallerKind): RestRequest | undefined {
  for (const { uriTemplate, request } of RESOURCE_KINDS) {
    const pattern = new RegExp(`^${uriTemplate.replace(/\{\w+\}/g, '([^/]+)')}$`);
    const [, ...ids] = pattern.exec(uri) ?? [];
    if (ids.length > 0 && ids.every(isUuid)) return request(caller, ...ids);
  }
  return undefined;
}
