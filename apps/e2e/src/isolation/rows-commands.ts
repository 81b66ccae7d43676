import type { Row } from './row.js';

const OF_ANOTHER_BOT = { near: 403, far: 403 };

/** Requests for options of a command. */
export const COMMAND_CLIENT_ROWS: Record<string, Row> = {
  'POST /api/v1/client/conversations/{id}/commands/options': {
    ids: ['channel'],
    body: ({ command }) => ({ command, option: 'stage', typed: '' }),
    near: 403,
    far: 404,
  },
};

/** A bot's commands, and late answers. */
export const COMMAND_ROWS: Record<string, Row> = {
  'POST /api/v1/bot/responses/{response_token}': {
    ids: ['responseToken'],
    body: () => ({ send_message: { text: 'forged' } }),
    near: 403,
    far: 404,
  },
  'GET /api/v1/bots/{bot_id}/commands/{command_id}': { ids: ['bot', 'commandId'], ...OF_ANOTHER_BOT },
  'PATCH /api/v1/bots/{bot_id}/commands/{command_id}': {
    ids: ['bot', 'commandId'],
    body: () => ({ description: 'forged' }),
    ...OF_ANOTHER_BOT,
  },
  'DELETE /api/v1/bots/{bot_id}/commands/{command_id}': { ids: ['bot', 'command'], ...OF_ANOTHER_BOT },
  'POST /api/v1/bots/{bot_id}/commands/{command_id}/rotate_secret': {
    ids: ['bot', 'commandId'],
    ...OF_ANOTHER_BOT,
  },
};
