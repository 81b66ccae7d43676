import type { Tool } from './tool.js';

const REQUEST_FIELDS = [
  'conversation_id',
  'title',
  'text',
  'tool',
  'arguments',
  'options',
  'form',
  'approvers',
  'requested_by',
  'expires_in_seconds',
  'on_expiry',
  'external_id',
  'parent_message_id',
  'agent_run_id',
  'execution_task_id',
  'urgent',
];

/** Tools with which a bot asks people before it acts. */
export const APPROVAL_TOOLS: readonly Tool[] = [
  {
    name: 'request_approval',
    title: 'Request an approval',
    description:
      'Asks people in a conversation to approve, deny or answer, and returns immediately with the approval. Learn the decision with get_approval. Act only if its `state` is `approved`, and only on what the approval shows. Repeating the call with the same `external_id` returns the same approval.',
    effect: 'adds',
    required: ['conversation_id', 'title'],
    calls: {
      bot: {
        operation: 'createApproval',
        fields: Object.fromEntries(REQUEST_FIELDS.map((field) => [field, field])),
      },
    },
  },
  {
    name: 'get_approval',
    title: 'Get an approval',
    description:
      'Returns an approval: its `state`, the `decisions` and the `result`. With `wait`, it returns as soon as the approval is decided, at the latest after that many seconds. Repeat it while the `state` is `pending`.',
    effect: 'reads',
    required: ['id'],
    calls: {
      bot: { operation: 'getApproval', fields: { id: 'id', wait: 'wait' } },
      user: { operation: 'getApprovalAsPerson', fields: { id: 'id' } },
    },
    wait: { argument: 'wait', maxSeconds: 50, stepSeconds: 25 },
  },
];
