import type { Tool } from './tool.js';

const SEQUENCE = 'Take `sequence` from the last result and add 1.';

/** Tools for what a bot is working on: its status, runs and tasks. */
export const RUN_TOOLS: readonly Tool[] = [
  {
    name: 'set_status',
    title: 'Show a status',
    description:
      'Shows the members of a conversation or thread what you are doing, until your next message there, at most two minutes.',
    effect: 'adds',
    isIdempotent: true,
    required: ['conversation_id', 'text'],
    calls: {
      bot: {
        operation: 'setStatus',
        fields: {
          conversation_id: 'id',
          text: 'text',
          thread_id: 'thread_id',
          loading_messages: 'loading_messages',
        },
      },
    },
  },
  {
    name: 'start_run',
    title: 'Start a run',
    description:
      "Starts a run: a long answer to a person's message, whose progress people see in a placeholder message. End it with finish_run. Repeating the call with the same `idempotency_key` returns the same run.",
    effect: 'adds',
    isIdempotent: true,
    required: ['conversation_id', 'trigger_message_id', 'idempotency_key'],
    calls: {
      bot: {
        operation: 'createAgentRun',
        fields: {
          conversation_id: 'conversation_id',
          trigger_message_id: 'trigger_message_id',
          idempotency_key: 'idempotency_key',
          parent_message_id: 'parent_message_id',
          widget_id: 'widget_id',
          content: 'content',
        },
      },
    },
  },
  {
    name: 'append_run',
    title: 'Add text to a run',
    description: `Adds text to the visible answer of a run, and sets its status. ${SEQUENCE}`,
    effect: 'changes',
    required: ['run_id', 'sequence', 'status', 'append'],
    calls: {
      bot: {
        operation: 'updateAgentRun',
        fields: { run_id: 'run_id', sequence: 'sequence', status: 'status', append: 'append' },
      },
    },
    values: {
      status: ['queued', 'gathering_context', 'using_tool', 'waiting_tool', 'waiting_user', 'finalizing'],
    },
  },
  {
    name: 'finish_run',
    title: 'Finish a run',
    description: `Ends a run. \`public_text\` replaces the visible answer; without it, the text so far stays. ${SEQUENCE}`,
    effect: 'changes',
    isIdempotent: true,
    required: ['run_id', 'sequence', 'status'],
    calls: {
      bot: {
        operation: 'updateAgentRun',
        fields: {
          run_id: 'run_id',
          sequence: 'sequence',
          status: 'status',
          public_text: 'public_text',
          error_code: 'error_code',
        },
      },
    },
    values: { status: ['completed', 'failed', 'cancelled'] },
  },
  {
    name: 'update_task',
    title: 'Update a task',
    description:
      'Changes the status or text of an execution task. `sequence` is the current one of the task. With `idempotency_key`, repeating the call changes nothing twice.',
    effect: 'changes',
    required: ['widget_id', 'sequence'],
    calls: {
      bot: {
        operation: 'updateExecutionTask',
        fields: {
          widget_id: 'widget_id',
          sequence: 'sequence',
          action: 'action',
          status: 'status',
          title: 'title',
          description: 'description',
          public_text: 'public_text',
          idempotency_key: 'idempotency_key',
        },
      },
    },
  },
];
