import type { CallToolResult, GetPromptResult, InputRequest } from '@modelcontextprotocol/server';

/* Content that the conformance suite asks tools, prompts and resources for. */

export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

export const text = (words: string) => ({ type: 'text' as const, text: words });
export const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
export const audio = { type: 'audio' as const, data: WAV, mimeType: 'audio/wav' };
export const resource = (uri: string, mimeType = 'text/plain', words = 'Embedded') => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
});

export const result = (...content: CallToolResult['content']): CallToolResult => ({ content });

/** Asks the user for one field. */
export const form = (message: string, field: string, type: 'string' | 'boolean' = 'string'): InputRequest =>
  ({
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message,
      requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
    },
  }) as InputRequest;

/** Asks the client's model. */
export const sampling = (words: string): InputRequest =>
  ({
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: text(words) }], maxTokens: 100 },
  }) as InputRequest;

export const roots = { method: 'roots/list', params: {} } as InputRequest;

type PromptMessage = GetPromptResult['messages'][number];

export const prompt = (...content: PromptMessage['content'][]): GetPromptResult => ({
  messages: content.map((one) => ({ role: 'user', content: one })),
});
