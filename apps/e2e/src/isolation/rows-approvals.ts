import type { Row } from './row.js';

const ONE = { ids: ['approval'], near: 403, far: 404 } satisfies Row;

export const APPROVAL_ROWS: Record<string, Row> = {
  'POST /api/v1/bot/approvals': {
    body: ({ channel }) => ({ conversation_id: channel, title: 'forged' }),
    near: 403,
    far: 403,
  },
  'GET /api/v1/bot/approvals': {},
  'GET /api/v1/bot/approvals/{id}': ONE,
  'POST /api/v1/bot/approvals/{id}/cancel': ONE,
};

export const APPROVAL_CLIENT_ROWS: Record<string, Row> = {
  'GET /api/v1/client/approvals': {},
  'GET /api/v1/client/approvals/{id}': ONE,
  'POST /api/v1/client/approvals/{id}/decide': { ...ONE, body: () => ({ option_id: 'approve' }) },
};

export const APPROVAL_ADMIN_ROWS: Record<string, Row> = {
  'GET /api/v1/admin/approvals': {},
  'GET /api/v1/admin/approval_rules': {},
  'DELETE /api/v1/admin/approval_rules/{id}': { ids: ['approvalRule'], far: 404 },
};
