import type { Row } from './row.js';

const PIN: Row = { ids: ['message'], near: 403, far: 404 };
const OF_CHANNEL: Row = { ids: ['channel'], near: 403, far: 404 };

/** Bots' actions on single messages. */
export const MESSAGE_ROWS: Record<string, Row> = {
  'POST /api/v1/bot/messages/ephemeral': {
    body: ({ channel, member }) => ({ conversation_id: channel, user_id: member, content: 'forged' }),
    near: 403,
    far: 403,
  },
  'GET /api/v1/bot/messages/{message_id}': { ids: ['message'], near: 403, far: 404 },
  'DELETE /api/v1/bot/messages/{message_id}': { ids: ['message'], near: 403, far: 404 },
  'PUT /api/v1/bot/messages/{message_id}/reactions/{emoji}': {
    ids: ['message'],
    near: 403,
    far: 404,
  },
  'DELETE /api/v1/bot/messages/{message_id}/reactions/{emoji}': {
    ids: ['message'],
    near: 403,
    far: 404,
  },
  'PUT /api/v1/bot/messages/{message_id}/pin': PIN,
  'DELETE /api/v1/bot/messages/{message_id}/pin': PIN,
  'POST /api/v1/bot/scheduled_messages': {
    body: ({ channel }) => ({
      conversation_id: channel,
      content: 'forged',
      post_at: new Date(Date.now() + 3_600_000).toISOString(),
    }),
    near: 403,
    far: 403,
  },
  'GET /api/v1/bot/scheduled_messages': {},
  'DELETE /api/v1/bot/scheduled_messages/{id}': { ids: ['message'], near: 404, far: 404 },
  'GET /api/v1/bot/conversations/{id}/pins': OF_CHANNEL,
  'GET /api/v1/bot/search/messages': { query: 'q=search' },
  'PATCH /api/v1/bot/threads/{root_message_id}': {
    ids: ['message'],
    body: () => ({ title: 'forged' }),
    near: 403,
    far: 404,
  },
  'PUT /api/v1/bot/conversations/{id}/status': {
    ids: ['channel'],
    body: () => ({ text: 'forged' }),
    near: 403,
    far: 403,
  },
  'DELETE /api/v1/bot/conversations/{id}/status': { ids: ['channel'], near: 403, far: 403 },
  'PUT /api/v1/bot/conversations/{id}/prompts': {
    ids: ['channel'],
    body: () => ({ prompts: [{ title: 'forged', message: 'forged' }] }),
    near: 403,
    far: 403,
  },
};

export const CLIENT_MESSAGE_ROWS: Record<string, Row> = {
  'PUT /api/v1/client/messages/{id}/reactions/{emoji}': { ids: ['message'], near: 403, far: 404 },
  'DELETE /api/v1/client/messages/{id}/reactions/{emoji}': {
    ids: ['message'],
    near: 403,
    far: 404,
  },
  'GET /api/v1/client/messages/{id}': { ids: ['message'], near: 403, far: 404 },
  'PUT /api/v1/client/messages/{id}/pin': PIN,
  'DELETE /api/v1/client/messages/{id}/pin': PIN,
  'GET /api/v1/client/conversations/{id}/pins': OF_CHANNEL,
  'GET /api/v1/client/conversations/{id}/prompts': OF_CHANNEL,
  'GET /api/v1/client/conversations/{id}/members': OF_CHANNEL,
  'GET /api/v1/client/conversations/{id}/execution_tasks': OF_CHANNEL,
  'GET /api/v1/client/members': {},
  'GET /api/v1/client/search/messages': { query: 'q=search' },
  'GET /api/v1/client/search/people': { query: 'q=search' },
  'GET /api/v1/client/search/conversations': { query: 'q=search' },
};
