import type { Row } from './isolation-rows.js';

/** What bots do with single messages. */
export const MESSAGE_ROWS: Record<string, Row> = {
  'GET /api/v1/bot/messages/{message_id}': { ids: ['message'], near: 403, far: 404 },
  'DELETE /api/v1/bot/messages/{message_id}': { ids: ['message'], near: 403, far: 404 },
  'PUT /api/v1/bot/messages/{message_id}/reactions/{emoji}': {
    ids: ['message', 'member'],
    near: 403,
    far: 404,
  },
  'DELETE /api/v1/bot/messages/{message_id}/reactions/{emoji}': {
    ids: ['message', 'member'],
    near: 403,
    far: 404,
  },
};
