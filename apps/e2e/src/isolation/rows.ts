import { createECDH } from 'node:crypto';
import type { Row } from './row.js';
import { APPROVAL_ADMIN_ROWS, APPROVAL_CLIENT_ROWS, APPROVAL_ROWS } from './rows-approvals.js';
import { APP_ADMIN_ROWS, APP_CLIENT_ROWS, APP_OPERATOR_ROWS } from './rows-apps.js';
import { COMMAND_CLIENT_ROWS, COMMAND_ROWS } from './rows-commands.js';
import { CLIENT_MESSAGE_ROWS, MESSAGE_ROWS } from './rows-messages.js';
import { BOT_MODAL_ROWS, MODAL_ROWS } from './rows-modals.js';
import { INVITE_ROWS, OPERATOR_SESSION_ROWS, PEOPLE_ROWS, SESSION_ROWS, SPACE_ROWS } from './rows-people.js';

/** Returns a browser's device. */
const PUSH_KEYS = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'A'.repeat(22) };
export const deviceAt = (place: string): object => ({
  endpoint: `https://push.example/${place}`,
  keys: PUSH_KEYS,
});
export const BUTTON = JSON.stringify({
  version: 1,
  blocks: [{ type: 'actions', elements: [{ type: 'button', action_id: 'go', text: 'Go' }] }],
});
export const NOBODY = '0192f0c5-7e07-7cc3-b98a-3f1e2a5c0d11';

export const BOT_ROWS: Record<string, Row> = {
  ...MESSAGE_ROWS,
  ...PEOPLE_ROWS,
  ...APPROVAL_ROWS,
  'GET /api/v1/bot/me': {},
  'PATCH /api/v1/bot/me': { body: () => ({ display_name: 'mine' }) },
  'POST /api/v1/bot/webhook/rotate_secret': {},
  'GET /api/v1/bot/events': {},
  'GET /api/v1/bot/stream': {},
  // Without a WebSocket handshake.
  'GET /api/v1/bot/socket': { near: 426, far: 426 },
  'POST /api/v1/bot/dm': { body: ({ member }) => ({ user_id: member }), far: 400 },
  'POST /api/v1/bot/conversations/{id}/join': { ids: ['channel'], near: 403, far: 400 },
  'GET /api/v1/channels/{conversation_id}/messages': { ids: ['channel'], near: 403, far: 404 },
  'POST /api/v1/bot/messages': {
    body: ({ channel }) => ({ conversation_id: channel, content: 'forged' }),
    near: 403,
    far: 403,
  },
  'PATCH /api/v1/bot/messages/{message_id}': {
    ids: ['message'],
    body: () => ({ content: 'forged' }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/bot/files/upload_sessions': {
    body: ({ channel }) => ({
      conversation_id: channel,
      file_name: 'a.txt',
      file_size: 1,
      mime_type: 'text/plain',
    }),
    near: 403,
    far: 403,
  },
  'POST /api/v1/bot/files/{file_id}/confirm': {
    ids: ['file'],
    body: ({ channel }) => ({ conversation_id: channel }),
    near: 404,
    far: 404,
  },
  'GET /api/v1/bot/files/{file_id}/download_url': {
    ids: ['file'],
    query: 'conversation_id={channel}',
    near: 404,
    far: 404,
  },
  'POST /api/v1/bot/agent_runs': {
    body: ({ channel, freeTrigger }) => ({
      idempotency_key: 'theirs',
      conversation_id: channel,
      trigger_message_id: freeTrigger,
    }),
    near: 403,
    far: 403,
  },
  'GET /api/v1/bot/agent_runs/{run_id}': { ids: ['run'], near: 404, far: 404 },
  'PATCH /api/v1/bot/agent_runs/{run_id}': {
    ids: ['run'],
    body: () => ({ status: 'queued', sequence: 50 }),
    near: 404,
    far: 404,
  },
  'POST /api/v1/bot/agent_runs/{run_id}/cancel': { ids: ['run'], near: 404, far: 404 },
  'POST /api/v1/bot/execution_tasks': {
    body: ({ channel }) => ({ idempotency_key: 'theirs', conversation_id: channel }),
    near: 403,
    far: 403,
  },
  'GET /api/v1/bot/execution_tasks/{widget_id}': { ids: ['task'], near: 403, far: 404 },
  'PATCH /api/v1/bot/execution_tasks/{widget_id}': {
    ids: ['task'],
    body: () => ({ action: 'complete', sequence: 1 }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/bot/execution_tasks/{widget_id}/cancel': { ids: ['task'], near: 403, far: 404 },
  'GET /api/v1/bot/interactive_config': {},
  'PATCH /api/v1/bot/interactive_config': { body: () => ({ callback_url: 'https://receiver.example/' }) },
  'POST /api/v1/bot/interactive_config/rotate_secret': {},
  'DELETE /api/v1/bot/interactive_config': {},
  'GET /api/v1/bot/shortcuts': {},
  'PUT /api/v1/bot/shortcuts': { body: () => ({ shortcuts: [] }) },
  'PUT /api/v1/bot/homes/{user_id}': { ids: ['member'], body: () => ({ blocks: [] }), far: 404 },
  'POST /api/v1/bot/interactions/{interaction_id}/respond': {
    ids: ['interaction'],
    body: () => ({ noop: true }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/bots/{bot_id}/commands': {
    ids: ['bot'],
    body: () => ({ name: 'theirs' }),
    near: 403,
    far: 403,
  },
  'GET /api/v1/bots/{bot_id}/commands': { ids: ['bot'], near: 403, far: 403 },
  ...BOT_MODAL_ROWS,
  ...COMMAND_ROWS,
};

export const CLIENT_ROWS: Record<string, Row> = {
  ...CLIENT_MESSAGE_ROWS,
  ...SESSION_ROWS,
  'GET /api/v1/client/me': {},
  'PATCH /api/v1/client/me': { body: () => ({ display_name: 'mine' }) },
  'GET /api/v1/client/conversations': {},
  'POST /api/v1/client/conversations': {
    body: ({ member }) => ({ name: 'theirs', is_public: false, member_ids: [member] }),
    far: 400,
  },
  'GET /api/v1/client/conversations/{id}': { ids: ['channel'], near: 403, far: 404 },
  'PATCH /api/v1/client/conversations/{id}': {
    ids: ['channel'],
    body: () => ({ topic: 'forged' }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/client/conversations/{id}/join': { ids: ['channel'], near: 403, far: 404 },
  'POST /api/v1/client/conversations/{id}/leave': { ids: ['channel'], far: 404 },
  'POST /api/v1/client/conversations/{id}/archive': { ids: ['channel'], near: 403, far: 404 },
  'POST /api/v1/client/conversations/{id}/unarchive': { ids: ['channel'], near: 403, far: 404 },
  'POST /api/v1/client/conversations/{id}/members': {
    ids: ['channel'],
    body: ({ bot }) => ({ member_id: bot }),
    near: 403,
    far: 404,
  },
  'DELETE /api/v1/client/conversations/{id}/members/{member_id}': {
    ids: ['channel', 'bot'],
    near: 403,
    far: 404,
  },
  'PUT /api/v1/client/conversations/{id}/mute': {
    ids: ['channel'],
    body: () => ({ muted: true }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/client/conversations/{id}/messages': {
    ids: ['channel'],
    body: () => ({ text: 'forged' }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/client/dm': { body: ({ member }) => ({ user_id: member }), far: 400 },
  'PATCH /api/v1/client/messages/{id}': {
    ids: ['message'],
    body: () => ({ text: 'forged' }),
    near: 403,
    far: 404,
  },
  'DELETE /api/v1/client/messages/{id}': { ids: ['message'], near: 403, far: 404 },
  'GET /api/v1/client/commands': {},
  ...COMMAND_CLIENT_ROWS,
  'POST /api/v1/client/conversations/{id}/commands': {
    ids: ['channel'],
    body: () => ({ text: '/deploy now' }),
    near: 403,
    far: 404,
  },
  'GET /api/v1/client/notifications': {},
  'GET /api/v1/client/push_key': {},
  'POST /api/v1/client/push_subscriptions': { body: () => deviceAt('1') },
  'GET /api/v1/client/push_subscriptions': {},
  'DELETE /api/v1/client/push_subscriptions/{id}': { ids: ['device'], near: 404, far: 404 },
  'POST /api/v1/client/messages/{id}/interactions': {
    ids: ['message'],
    body: ({ signedToken }) => ({ action_id: 'go', signed_token: signedToken }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/client/messages/{id}/block_actions': {
    ids: ['message'],
    body: () => ({ block_id: 'b', action_id: 'go' }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/client/messages/{id}/block_options': {
    ids: ['message'],
    body: () => ({ block_id: 'b', action_id: 'go', query: '' }),
    near: 403,
    far: 404,
  },
  ...MODAL_ROWS,
  'GET /api/v1/client/shortcuts': {},
  ...APPROVAL_CLIENT_ROWS,
  ...APP_CLIENT_ROWS,
  'GET /api/v1/client/stream': {},
  'PUT /api/v1/client/focus': { body: ({ channel }) => ({ conversation_id: channel }), near: 403, far: 404 },
  'GET /api/v1/client/files/{file_id}/download_url': { ids: ['file'], near: 403, far: 404 },
  'GET /api/v1/client/execution_tasks/{widget_id}': { ids: ['task'], near: 403, far: 404 },
  'POST /api/v1/client/execution_tasks/{widget_id}/review': {
    ids: ['task'],
    body: () => ({ decision: 'accepted' }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/client/execution_tasks/{widget_id}/close': { ids: ['task'], near: 403, far: 404 },
  'POST /api/v1/client/agent_runs/{run_id}/stop': { ids: ['run'], near: 403, far: 404 },
};

export const ADMIN_ROWS: Record<string, Row> = {
  ...SPACE_ROWS,
  ...INVITE_ROWS,
  ...APPROVAL_ADMIN_ROWS,
  ...APP_ADMIN_ROWS,
  'POST /api/v1/admin/users': { made: true, body: () => ({ display_name: 'mine', role: 'member' }) },
  'GET /api/v1/admin/users': {},
  'PATCH /api/v1/admin/users/{id}': { ids: ['member'], body: () => ({ role: 'guest' }), far: 404 },
  'POST /api/v1/admin/users/{id}/regenerate_token': { ids: ['member'], far: 404 },
  'POST /api/v1/admin/bots': {
    body: ({ channel }) => ({ display_name: 'mine', channel_ids: [channel] }),
    far: 400,
  },
  'GET /api/v1/admin/bots': {},
  'GET /api/v1/admin/bots/{id}': { ids: ['bot'], far: 404 },
  'PATCH /api/v1/admin/bots/{id}': { ids: ['bot'], body: () => ({ display_name: 'forged' }), far: 404 },
  'DELETE /api/v1/admin/bots/{id}': { ids: ['bot'], far: 404 },
  'POST /api/v1/admin/bots/{id}/regenerate_token': { ids: ['bot'], far: 404 },
  'GET /api/v1/admin/bots/{id}/deliveries': { ids: ['bot'], far: 404 },
  'GET /api/v1/admin/bots/{id}/commands': { ids: ['bot'], far: 404 },
  'DELETE /api/v1/admin/bots/{id}/commands': { ids: ['bot'], far: 404 },
  'DELETE /api/v1/admin/bots/{id}/commands/{command_id}': { ids: ['bot', 'commandId'], far: 404 },
  'GET /api/v1/admin/bots/{id}/shortcuts': { ids: ['bot'], far: 404 },
  'PUT /api/v1/admin/bots/{id}/shortcuts': { ids: ['bot'], body: () => ({ shortcuts: [] }), far: 404 },
  'GET /api/v1/admin/bots/{id}/interactive_config': { ids: ['bot'], far: 404 },
  'DELETE /api/v1/admin/bots/{id}/interactive_config': { ids: ['bot'], far: 404 },
  'PATCH /api/v1/admin/bots/{id}/interactive_config': {
    ids: ['bot'],
    body: () => ({ callback_url: 'https://receiver.example/' }),
    far: 404,
  },
  'POST /api/v1/admin/bots/{id}/interactive_config/rotate_secret': { ids: ['bot'], far: 404 },
  'POST /api/v1/admin/bots/{id}/test_click': { ids: ['bot'], far: 404 },
  'GET /api/v1/admin/bots/{id}/events': { ids: ['bot'], far: 404 },
  'GET /api/v1/admin/bots/{id}/callbacks': { ids: ['bot'], far: 404 },
  'POST /api/v1/admin/incoming_webhooks': {
    body: ({ channel }) => ({ name: 'mine', conversation_id: channel }),
    far: 400,
  },
  'GET /api/v1/admin/incoming_webhooks': {},
  'GET /api/v1/admin/incoming_webhooks/{id}': { ids: ['hook'], far: 404 },
  'PATCH /api/v1/admin/incoming_webhooks/{id}': { ids: ['hook'], body: () => ({ name: 'forged' }), far: 404 },
  'DELETE /api/v1/admin/incoming_webhooks/{id}': { ids: ['hook'], far: 404 },
  'POST /api/v1/admin/incoming_webhooks/{id}/regenerate_token': { ids: ['hook'], far: 404 },
  'POST /api/v1/admin/incoming_webhooks/{id}/rotate_secret': { ids: ['hook'], far: 404 },
  'GET /api/v1/admin/incoming_webhooks/{id}/requests': { ids: ['hook'], far: 404 },
  'GET /api/v1/admin/notices': {},
  'POST /api/v1/admin/notices/{id}/dismiss': { ids: ['notice'], far: 404 },
  'GET /api/v1/admin/audit_log': {},
  'GET /api/v1/admin/delivery_stats': {},
  'GET /api/v1/admin/failures': {},
};

export const OPERATOR_ROWS: Record<string, Row> = {
  ...OPERATOR_SESSION_ROWS,
  ...APP_OPERATOR_ROWS,
  'POST /api/v1/operator/spaces': { made: true, body: () => ({ name: 'mine' }) },
  'GET /api/v1/operator/spaces': {},
  'PATCH /api/v1/operator/spaces/{id}': { ids: ['owner'], body: () => ({ name: 'forged' }) },
  'GET /api/v1/operator/spaces/{id}/limits': { ids: ['owner'] },
  'GET /api/v1/operator/spaces/{space_id}/users': { ids: ['owner'] },
  'POST /api/v1/operator/spaces/{space_id}/users/{id}/regenerate_token': { ids: ['owner', 'owner'] },
};
