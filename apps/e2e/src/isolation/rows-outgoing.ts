import type { Row } from './row.js';

/** Admins' endpoints for outgoing webhooks, deliveries and recoveries. */
export const OUTGOING_ROWS: Record<string, Row> = {
  'POST /api/v1/admin/outgoing_webhooks': {
    body: ({ channel }) => ({
      name: 'mine',
      url: 'https://receiver.example/',
      event_types: ['MESSAGE_CREATED'],
      channel_ids: [channel],
    }),
    far: 400,
  },
  'GET /api/v1/admin/outgoing_webhooks': {},
  'GET /api/v1/admin/outgoing_webhooks/{id}': { ids: ['subscription'], far: 404 },
  'PATCH /api/v1/admin/outgoing_webhooks/{id}': {
    ids: ['subscription'],
    body: () => ({ name: 'forged' }),
    far: 404,
  },
  'DELETE /api/v1/admin/outgoing_webhooks/{id}': { ids: ['subscription'], far: 404 },
  'POST /api/v1/admin/outgoing_webhooks/{id}/test': { ids: ['subscription'], far: 404 },
  'POST /api/v1/admin/outgoing_webhooks/{id}/rotate_secret': { ids: ['subscription'], far: 404 },
  'GET /api/v1/admin/outgoing_webhooks/{id}/deliveries': { ids: ['subscription'], far: 404 },
  'POST /api/v1/admin/outgoing_webhooks/{id}/portal_link': { ids: ['subscription'], far: 404 },
  'POST /api/v1/admin/outgoing_webhooks/{id}/recover': {
    ids: ['subscription'],
    body: () => ({ since: '2026-01-01T00:00:00Z', only: 'all' }),
    far: 404,
  },
  'GET /api/v1/admin/outgoing_webhooks/{id}/recoveries': { ids: ['subscription'], far: 404 },
  'GET /api/v1/admin/recoveries/{id}': { ids: ['recovery'], far: 404 },
  'DELETE /api/v1/admin/recoveries/{id}': { ids: ['recovery'], far: 404 },
  'GET /api/v1/admin/deliveries/{id}': { ids: ['delivery'], far: 404 },
  'POST /api/v1/admin/deliveries/{id}/redeliver': { ids: ['delivery'], far: 404 },
};
