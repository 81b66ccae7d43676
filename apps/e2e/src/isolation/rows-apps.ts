import type { Row } from './row.js';

/** An id that names nothing of this kind, not even for the victim. */
const UNKNOWN = { ids: ['approval'], near: 404, far: 404 } satisfies Row;

export const APP_CLIENT_ROWS: Record<string, Row> = {
  'GET /api/v1/client/apps': {},
  'GET /api/v1/client/authorizations': {},
  'DELETE /api/v1/client/authorizations/{id}': UNKNOWN,
  'GET /api/v1/client/oauth/interactions/{uid}': { ids: ['interactionOfApp'], far: 403 },
  'POST /api/v1/client/oauth/interactions/{uid}/approve': UNKNOWN,
  'POST /api/v1/client/oauth/interactions/{uid}/deny': UNKNOWN,
};

export const APP_ADMIN_ROWS: Record<string, Row> = {
  'POST /api/v1/admin/apps': {
    made: true,
    body: () => ({ name: 'mine', redirect_uris: ['https://app.example/'] }),
  },
  'GET /api/v1/admin/apps': {},
  'POST /api/v1/admin/apps/manifest': { body: () => ({ manifest: { name: 'mine' } }), made: true },
  'GET /api/v1/admin/apps/{id}/manifest': { ids: ['app'], far: 404 },
  'PUT /api/v1/admin/apps/{id}/manifest': {
    ids: ['app'],
    body: () => ({ manifest: { name: 'forged' } }),
    far: 404,
  },
  'GET /api/v1/admin/apps/{id}': { ids: ['app'], far: 404 },
  'PATCH /api/v1/admin/apps/{id}': { ids: ['app'], body: () => ({ name: 'forged' }), far: 404 },
  'DELETE /api/v1/admin/apps/{id}': { ids: ['app'], far: 404 },
  'GET /api/v1/admin/apps/{id}/deliveries': { ids: ['app'], far: 404 },
  'POST /api/v1/admin/apps/{id}/rotate_client_secret': { ids: ['app'], far: 404 },
  'GET /api/v1/admin/installations': {},
  'DELETE /api/v1/admin/installations/{id}': { ids: ['approval'], far: 404 },
  'GET /api/v1/admin/app_requests': {},
  'POST /api/v1/admin/app_requests/{id}/approve': { ids: ['appRequest'], far: 404 },
  'POST /api/v1/admin/app_requests/{id}/deny': { ids: ['appRequest'], far: 404 },
};

export const APP_OPERATOR_ROWS: Record<string, Row> = {
  'GET /api/v1/operator/apps': {},
  'PATCH /api/v1/operator/apps/{id}': { ids: ['app'], body: () => ({ listed: true }) },
};
