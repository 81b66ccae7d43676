import type { Json } from '../mcp-clients.js';

export type Kind = 'bot' | 'user';
export type Rest = [method: string, path: string, body?: object];

/** What a call acts on. Two calls get twins: different targets of the same kind. */
export interface Target {
  conversation: string;
  message: string;
  file: string;
  /** Of the bot: what the tool needs, with its id. */
  id: string;
  sequence: number;
}

/** A tool, and the request to the REST API that a call of it stands for. */
export interface CheckedTool {
  given(target: Target, kind: Kind): Json;
  rest(target: Target, kind: Kind): Rest;
  /** What of the bot's must exist before the call. */
  needs?: 'run' | 'task' | 'approval';
  /** Reads one value that changes if and only if the call is not refused. */
  effect?: { sql: string; of?: 'message' | 'id' };
}

/** Texts of messages that only some callers may see. */
export const SECRET = 'only for those who may read it';

const own = (kind: Kind): string => (kind === 'bot' ? 'bot' : 'client');
const edited = (kind: Kind): object => (kind === 'bot' ? { content: 'new' } : { text: 'new' });
const counted = (table: string): CheckedTool['effect'] => ({
  sql: `SELECT count(*)::text AS value FROM ${table}`,
});
const sequenceOf = (table: string, key: string): CheckedTool['effect'] => ({
  sql: `SELECT sequence::text AS value FROM ${table} WHERE ${key} = $1`,
  of: 'id',
});
const history = ({ conversation }: Target): Rest => ['GET', `channels/${conversation}/messages`];
const MESSAGE = {
  sql: `SELECT concat(text, deleted_at) AS value FROM messages WHERE id = $1`,
  of: 'message',
} as const;
const approvalState = { sql: 'SELECT state AS value FROM approvals WHERE id = $1', of: 'id' } as const;

/** Every tool, and what else takes the place of a call of the API. */
export const CHECKED_TOOLS: Readonly<Record<string, CheckedTool>> = {
  list_conversations: { given: () => ({}), rest: (_, kind) => ['GET', `${own(kind)}/conversations`] },
  read_conversation: { given: ({ conversation }) => ({ conversation_id: conversation }), rest: history },
  read_thread: {
    given: ({ conversation, message }) => ({ conversation_id: conversation, thread_id: message }),
    rest: ({ conversation, message }) => ['GET', `channels/${conversation}/messages?thread_id=${message}`],
  },
  list_files: { given: ({ conversation }) => ({ conversation_id: conversation }), rest: history },
  get_file: {
    given: ({ conversation, file }, kind) => ({
      file_id: file,
      ...(kind === 'bot' && { conversation_id: conversation }),
    }),
    rest: ({ conversation, file }, kind) => [
      'GET',
      `${own(kind)}/files/${file}/download_url${kind === 'bot' ? `?conversation_id=${conversation}` : ''}`,
    ],
  },
  search_messages: {
    given: ({ conversation }) => ({ q: 'those', in: conversation }),
    rest: ({ conversation }, kind) => ['GET', `${own(kind)}/search/messages?q=those&in=${conversation}`],
  },
  search_people: {
    given: () => ({ q: 'm' }),
    rest: (_, kind) => ['GET', kind === 'bot' ? 'bot/users?q=m' : 'client/search/people?q=m'],
  },
  search_conversations: {
    given: () => ({ q: 'a' }),
    rest: (_, kind) => ['GET', kind === 'bot' ? 'bot/conversations?q=a' : 'client/search/conversations?q=a'],
  },
  read_resource: {
    given: ({ message }) => ({ uri: `tieline://messages/${message}` }),
    rest: ({ message }, kind) => ['GET', `${own(kind)}/messages/${message}`],
  },
  send_message: {
    given: ({ conversation }) => ({ conversation_id: conversation, text: 'new' }),
    rest: ({ conversation }, kind) =>
      kind === 'bot'
        ? ['POST', 'bot/messages', { conversation_id: conversation, ...edited(kind) }]
        : ['POST', `client/conversations/${conversation}/messages`, edited(kind)],
    effect: counted('messages'),
  },
  edit_message: {
    given: ({ message }) => ({ message_id: message, text: 'new' }),
    rest: ({ message }, kind) => ['PATCH', `${own(kind)}/messages/${message}`, edited(kind)],
    effect: MESSAGE,
  },
  delete_message: {
    given: ({ message }) => ({ message_id: message }),
    rest: ({ message }, kind) => ['DELETE', `${own(kind)}/messages/${message}`],
    effect: MESSAGE,
  },
  react: {
    given: ({ message }) => ({ message_id: message, emoji: '👍' }),
    rest: ({ message }, kind) => [
      'PUT',
      `${own(kind)}/messages/${message}/reactions/${encodeURIComponent('👍')}`,
    ],
    effect: counted('reactions'),
  },
  set_status: {
    given: ({ conversation }) => ({ conversation_id: conversation, text: 'is looking' }),
    rest: ({ conversation }) => ['PUT', `bot/conversations/${conversation}/status`, { text: 'is looking' }],
    effect: { sql: 'SELECT max(expires_at)::text AS value FROM bot_statuses' },
  },
  start_run: {
    given: runOf,
    rest: (target) => ['POST', 'bot/agent_runs', runOf(target)],
    effect: counted('agent_runs'),
  },
  append_run: {
    needs: 'run',
    given: ({ id, sequence }) => ({ run_id: id, sequence: sequence + 1, status: 'using_tool', append: 'x' }),
    rest: ({ id, sequence }) => [
      'PATCH',
      `bot/agent_runs/${id}`,
      { sequence: sequence + 1, status: 'using_tool', append: 'x' },
    ],
    effect: sequenceOf('agent_runs', 'id'),
  },
  finish_run: {
    needs: 'run',
    given: ({ id, sequence }) => ({ run_id: id, sequence: sequence + 1, status: 'completed' }),
    rest: ({ id, sequence }) => [
      'PATCH',
      `bot/agent_runs/${id}`,
      { sequence: sequence + 1, status: 'completed' },
    ],
    effect: sequenceOf('agent_runs', 'id'),
  },
  update_task: {
    needs: 'task',
    given: ({ id, sequence }) => ({ widget_id: id, sequence, status: 'in_progress' }),
    rest: ({ id, sequence }) => ['PATCH', `bot/execution_tasks/${id}`, { sequence, status: 'in_progress' }],
    effect: sequenceOf('execution_tasks', 'id'),
  },
  request_approval: {
    given: ({ conversation }) => ({ conversation_id: conversation, title: 'May I?' }),
    rest: ({ conversation }) => ['POST', 'bot/approvals', { conversation_id: conversation, title: 'May I?' }],
    effect: counted('approvals'),
  },
  get_approval: {
    needs: 'approval',
    given: ({ id }) => ({ id }),
    rest: ({ id }, kind) => ['GET', `${own(kind)}/approvals/${id}`],
  },
  'tasks/get': {
    needs: 'approval',
    given: ({ id }) => ({ taskId: id }),
    rest: ({ id }) => ['GET', `bot/approvals/${id}`],
  },
  'tasks/update': {
    needs: 'approval',
    given: ({ id }) => ({ taskId: id, inputResponses: { form: { action: 'accept', content: {} } } }),
    rest: ({ id }) => ['GET', `bot/approvals/${id}`],
  },
  'tasks/cancel': {
    needs: 'approval',
    given: ({ id }) => ({ taskId: id }),
    rest: ({ id }) => ['POST', `bot/approvals/${id}/cancel`],
    effect: approvalState,
  },
};

function runOf({ conversation, message }: Target): Json {
  return { conversation_id: conversation, trigger_message_id: message, idempotency_key: `run:${message}` };
}
