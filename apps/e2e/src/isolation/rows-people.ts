import type { Row } from './row.js';

/** Conversations, memberships and people, for bots. */
export const PEOPLE_ROWS: Record<string, Row> = {
  'GET /api/v1/bot/conversations': {},
  'GET /api/v1/bot/conversations/{id}': { ids: ['channel'], near: 403, far: 404 },
  'POST /api/v1/bot/conversations': {
    body: ({ member }) => ({ name: 'theirs', is_public: false, member_ids: [member] }),
    far: 400,
  },
  'PATCH /api/v1/bot/conversations/{id}': {
    ids: ['channel'],
    body: () => ({ topic: 'forged' }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/bot/conversations/{id}/archive': { ids: ['channel'], near: 403, far: 404 },
  'POST /api/v1/bot/conversations/{id}/unarchive': { ids: ['channel'], near: 403, far: 404 },
  'POST /api/v1/bot/conversations/{id}/leave': { ids: ['channel'], far: 404 },
  'POST /api/v1/bot/conversations/{id}/members': {
    ids: ['channel'],
    body: ({ bot }) => ({ member_id: bot }),
    near: 403,
    far: 404,
  },
  'DELETE /api/v1/bot/conversations/{id}/members/{member_id}': {
    ids: ['channel', 'bot'],
    near: 403,
    far: 404,
  },
  'GET /api/v1/bot/conversations/{id}/members': { ids: ['channel'], near: 403, far: 404 },
  'GET /api/v1/bot/users': {},
  'GET /api/v1/bot/users/lookup': { query: 'email=nobody@example.com', near: 404, far: 404 },
  'GET /api/v1/bot/users/{id}': { ids: ['member'], far: 404 },
};

/** A caller's own sessions; callers with a token have none. */
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

/** Sign-in endpoints, which ignore tokens in headers. */
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
