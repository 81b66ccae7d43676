import type { Row } from './row.js';

const FORM = { title: 'theirs' };

/** Opens and changes modals of another bot. */
export const BOT_MODAL_ROWS: Record<string, Row> = {
  'POST /api/v1/bot/modals': {
    body: ({ trigger }) => ({ trigger_id: trigger, modal: FORM }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/bot/modals/{modal_id}/push': {
    ids: ['modal'],
    body: () => ({ modal: FORM }),
    near: 404,
    far: 404,
  },
  'PATCH /api/v1/bot/modals/{modal_id}': {
    ids: ['modal'],
    body: () => ({ modal: FORM }),
    near: 404,
    far: 404,
  },
};

/** Actions on another person's modal, and files for it. */
export const MODAL_ROWS: Record<string, Row> = {
  'POST /api/v1/client/modals/{modal_token}/submit': {
    ids: ['notice'],
    body: () => ({ values: {} }),
    near: 404,
    far: 404,
  },
  'POST /api/v1/client/modals/{modal_token}/close': { ids: ['notice'], near: 404, far: 404 },
  'POST /api/v1/client/modals/{modal_token}/options': {
    ids: ['notice'],
    body: () => ({ field: 'version', typed: '' }),
    near: 404,
    far: 404,
  },
  'GET /api/v1/client/bots/{bot_id}/home': { ids: ['bot'], near: 200, far: 404 },
  'POST /api/v1/client/shortcuts/{id}': {
    ids: ['shortcut'],
    body: ({ message }) => ({ message_id: message }),
    near: 403,
    far: 404,
  },
  'GET /api/v1/client/views/{id}': { ids: ['notice'], near: 404, far: 404 },
  'POST /api/v1/client/views/{id}/block_actions': {
    ids: ['notice'],
    body: () => ({ block_id: 'x', action_id: 'x' }),
    near: 404,
    far: 404,
  },
  'POST /api/v1/client/views/{id}/block_options': {
    ids: ['notice'],
    body: () => ({ block_id: 'x', action_id: 'x', query: '' }),
    near: 404,
    far: 404,
  },
  'POST /api/v1/client/views/{id}/submit': { ids: ['notice'], body: () => ({}), near: 404, far: 404 },
  'POST /api/v1/client/views/{id}/close': { ids: ['notice'], body: () => ({}), near: 404, far: 404 },
  'POST /api/v1/client/files/upload_sessions': {
    body: ({ channel }) => ({
      conversation_id: channel,
      file_name: 'a.txt',
      file_size: 1,
      mime_type: 'text/plain',
    }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/client/files/{file_id}/confirm': {
    ids: ['file'],
    body: ({ channel }) => ({ conversation_id: channel }),
    near: 404,
    far: 404,
  },
};
