import type { Row } from './row.js';

/** Where a bot is, and who else. */
export const PEOPLE_ROWS: Record<string, Row> = {
  'GET /api/v1/bot/conversations': {},
  'GET /api/v1/bot/conversations/{id}': { ids: ['channel'], near: 403, far: 404 },
  'GET /api/v1/bot/conversations/{id}/members': { ids: ['channel'], near: 403, far: 404 },
  'GET /api/v1/bot/users': {},
  'GET /api/v1/bot/users/lookup': { query: 'email=nobody@example.com', near: 404, far: 404 },
  'GET /api/v1/bot/users/{id}': { ids: ['member'], far: 404 },
};

/** One's own sessions: who comes with a token has none. */
export const SESSION_ROWS: Record<string, Row> = {
  'GET /api/v1/client/session': { near: 404, far: 404 },
  'DELETE /api/v1/client/session': { near: 404, far: 404 },
  'GET /api/v1/client/sessions': {},
  'DELETE /api/v1/client/sessions/{id}': { ids: ['session'], near: 404, far: 404 },
};

export const INVITE_ROWS: Record<string, Row> = {
  'POST /api/v1/admin/users/{id}/invite': { ids: ['member'], far: 404 },
  'GET /api/v1/admin/users/{id}/invite': { ids: ['member'], far: 404 },
  'DELETE /api/v1/admin/users/{id}/invite': { ids: ['member'], far: 404 },
};

/** Where whoever has a secret signs in; tokens in a header play no part. */
export const SIGN_IN_ROWS: Record<string, Row> = {
  'POST /api/v1/client/session': { body: () => ({ token: 'tlu_made-up' }) },
  'POST /api/v1/client/session/invite': { body: () => ({ invite: 'tli_made-up' }) },
  'POST /api/v1/operator/session': { body: () => ({ token: 'made-up' }) },
};

export const OPERATOR_SESSION_ROWS: Record<string, Row> = {
  'GET /api/v1/operator/sessions': {},
  'DELETE /api/v1/operator/sessions/{id}': { ids: ['session'], near: 404, far: 404 },
  'GET /api/v1/operator/session': {},
  'DELETE /api/v1/operator/session': {},
};

export const SPACE_ROWS: Record<string, Row> = {
  'GET /api/v1/admin/space': {},
  'PATCH /api/v1/admin/space': { body: () => ({ bots_see_emails: false, notices_conversation_id: null }) },
};
