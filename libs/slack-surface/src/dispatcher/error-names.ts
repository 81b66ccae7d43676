import { SlackError } from './slack-error.js';

/** An error of the REST API or of a service. */
export interface OwnError {
  readonly status: number;
  readonly code: string;
  readonly text: string;
  readonly field?: string | undefined;
  readonly retryAfter?: number | undefined;
}

/**
 * Slack's names of errors, by the code here (docs/errors.md#codes). The `errors` of a
 * method hold names that differ from these.
 */
const NAMES: Readonly<Record<string, string>> = {
  bot_inactive: 'account_inactive',
  bot_not_in_conversation: 'not_in_channel',
  body_too_large: 'request_too_large',
  channel_not_found: 'channel_not_found',
  conversation_archived: 'is_archived',
  conversation_not_found: 'channel_not_found',
  conversation_private: 'method_not_supported_for_channel_type',
  file_already_attached: 'file_already_shared',
  file_not_available: 'file_not_found',
  file_not_found: 'file_not_found',
  file_not_ready: 'file_not_ready',
  forbidden: 'not_allowed',
  insufficient_scope: 'missing_scope',
  internal_error: 'internal_error',
  invalid_authorization: 'invalid_auth',
  invalid_field: 'invalid_arguments',
  invalid_json: 'invalid_json',
  invalid_token: 'invalid_auth',
  join_forbidden: 'method_not_supported_for_channel_type',
  join_impossible: 'channel_not_found',
  limit_reached: 'limit_exceeded',
  member_not_found: 'user_not_found',
  message_deleted: 'message_not_found',
  message_not_found: 'message_not_found',
  message_of_another_author: 'not_allowed',
  message_of_unfinished_run: 'streaming_state_conflict',
  missing_authorization: 'not_authed',
  not_a_member: 'not_in_channel',
  not_allowed: 'restricted_action',
  not_found: 'not_found',
  not_readable: 'channel_not_found',
  nul_character: 'invalid_arguments',
  parent_not_found: 'thread_not_found',
  run_finished: 'message_not_in_streaming_state',
  run_is_terminal: 'message_not_in_streaming_state',
  run_not_found: 'message_not_found',
  thread_not_found: 'thread_not_found',
  token_of_a_person: 'not_allowed_token_type',
  too_many_reactions: 'too_many_emoji',
  trigger_message_not_found: 'thread_not_found',
  unavailable: 'service_unavailable',
  unsupported_conversation_type: 'method_not_supported_for_channel_type',
  user_inactive: 'user_disabled',
  user_not_found: 'user_not_found',
  user_not_member: 'user_not_in_channel',
};

/** Returns an error in Slack's words. The text here is a message for developers. */
export function slackErrorOf(
  { status, code, text, field, retryAfter }: OwnError,
  names: Readonly<Record<string, string>> = {},
): SlackError {
  if (status === 429) return new SlackError('ratelimited', { retryAfter: retryAfter ?? 1 });
  const error = names[code] ?? NAMES[code] ?? (status >= 500 ? 'internal_error' : 'invalid_arguments');
  const where = field === undefined ? '' : ` (${field})`;
  return new SlackError(error, status >= 500 ? {} : { messages: [`[ERROR] ${text}${where}`] });
}
