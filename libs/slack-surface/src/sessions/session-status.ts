import type { Place } from '@tieline/conversations';
import { invalidArgument } from '../dispatcher/slack-error.js';
import type { SlackCall } from '../dispatcher/slack-method.js';

/** What people see of a session in each state. Only work has a status here. */
const TEXTS = { active: undefined, processing: 'Working…', suspended: undefined, closed: undefined } as const;

/** A state of a session. */
export type SessionStatus = keyof typeof TEXTS;

/** A thread, or a conversation if there is no thread. */
export interface SessionPlace {
  readonly conversation: Place;
  readonly rootId: string | null | undefined;
}

/** Shows or removes the status of a session (docs/agents.md#status). */
export async function setSessionStatus(
  { rest }: SlackCall,
  { conversation, rootId }: SessionPlace,
  status: SessionStatus,
): Promise<void> {
  const path = `/api/v1/bot/conversations/${conversation.id}/status`;
  const thread: Record<string, string> = typeof rootId === 'string' ? { thread_id: rootId } : {};
  const text = TEXTS[status];
  if (text === undefined) await rest('DELETE', path, { query: thread });
  else await rest('PUT', path, { body: { text, ...thread } });
}

/** Reads the state of a session. @throws SlackError `invalid_arguments` for an unknown one */
export function sessionStatusOf(status: string): SessionStatus {
  if (Object.hasOwn(TEXTS, status)) return status as SessionStatus;
  throw invalidArgument(`status must be one of ${Object.keys(TEXTS).join(', ')}`);
}
