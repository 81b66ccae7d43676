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

export const SPACE_ROWS: Record<string, Row> = {
  'GET /api/v1/admin/space': {},
  'PATCH /api/v1/admin/space': { body: () => ({ bots_see_emails: false }) },
};
