import { appendDirectEvent } from '@tieline/bots';
import type { AnswerWaits } from '@tieline/bots';
import { runInTx } from '@tieline/platform/database';
import type { Db, RowOf, Tx } from '@tieline/platform/database';
import type { ResponseFields, ResponseTokens } from '@tieline/interactive';
import type { CommandLine } from '../commands/invocations/command-line.js';
import type { OptionValues } from '../commands/options/command-option.js';
import { commandNotFound } from '../slash.errors.js';
import { holdCommand } from '../commands/slash-commands.queries.js';
import type { InvokedCommand } from '../commands/slash-commands.queries.js';
import { ISSUE_TRIGGER, LOCK_TRIGGER, MARK_TRIGGER_USED } from './slash-triggers.statements.js';

/** An invocation of a bot's command. */
export interface Invocation {
  spaceId: string;
  userId: string;
  /** The conversation from the request. */
  conversationId: string;
  /** Root message when invoked in a thread. */
  threadId: string | undefined;
  commandId: string;
  line: CommandLine;
  /** Absent for a command without options. */
  options?: OptionValues;
}

/** The payload for the bot. */
export interface InvocationPayload {
  trigger_id: string;
  command: string;
  command_id: string;
  space_id: string;
  conversation_id: string;
  user_id: string;
  text: string;
  raw_text: string;
  /** Typed values; only for a command with options. */
  options?: OptionValues;
  /** RFC 3339, UTC, nine fractional digits. */
  invoked_at: string;
  thread_id?: string;
  /** Token for a late answer. */
  response_token: string;
  response_url: string;
}

/** A stored invocation whose trigger can be used. */
export interface IssuedTrigger {
  command: InvokedCommand;
  payload: InvocationPayload;
  /**
   * In poll mode: whether a socket of the bot is open, whose acknowledgement may carry the answer.
   */
  isAwaited: boolean;
}

/** Dependencies for issuing triggers. */
export interface TriggerDependencies {
  db: Db;
  responses: ResponseTokens;
  waits: AnswerWaits;
  ttlSeconds: number;
}

/**
 * Stores an invocation and, if the bot's mode is `poll` at the commit, adds it to the bot's queue.
 * @throws 404 if the command was deleted or its bot disabled
 */
export async function issueTrigger(
  { db, responses, waits, ttlSeconds }: TriggerDependencies,
  invocation: Invocation,
  triggerId: string,
): Promise<IssuedTrigger> {
  const { spaceId, userId, conversationId, threadId = null, commandId } = invocation;
  return runInTx(
    db,
    async (tx) => {
      const command = await holdCommand(tx, spaceId, commandId);
      if (!command) throw commandNotFound();
      const [row] = await tx.query(ISSUE_TRIGGER, [
        spaceId,
        triggerId,
        command.botId,
        conversationId,
        threadId,
        ttlSeconds,
      ]);
      if (!row) throw new Error('the row that was just created is missing');
      const place = { botId: command.botId, userId, conversationId, threadId, messageId: null };
      const late = responses.issue(spaceId, { ...place, kind: 'command', id: triggerId });
      const payload = { ...payloadOf(invocation, triggerId, row.invokedAt), ...late };
      const isAwaited = command.mode === 'poll' && (await queue(tx, waits, command.botId, payload));
      return { command, payload, isAwaited };
    },
    { spaceId, place: conversationId },
  );
}

/** @returns whether the answer may come with an acknowledgement */
async function queue(
  tx: Tx,
  waits: AnswerWaits,
  botId: string,
  payload: InvocationPayload,
): Promise<boolean> {
  const { space_id: spaceId, trigger_id: id } = payload;
  await appendDirectEvent(tx, { spaceId, botId, eventId: id, eventType: 'slash.command', payload });
  return waits.begin(tx, { spaceId, id }, botId);
}

function payloadOf(
  { spaceId, userId, conversationId, threadId, commandId, line, options }: Invocation,
  triggerId: string,
  invokedAt: string,
): Omit<InvocationPayload, keyof ResponseFields> {
  return {
    trigger_id: triggerId,
    command: line.name,
    command_id: commandId,
    space_id: spaceId,
    conversation_id: conversationId,
    user_id: userId,
    text: line.text,
    raw_text: line.rawText,
    ...(options && { options }),
    invoked_at: invokedAt,
    ...(threadId !== undefined && { thread_id: threadId }),
  };
}

/** The conversation of an invocation, and whether its trigger can be used. */
export type Trigger = RowOf<typeof LOCK_TRIGGER>;

/**
 * Locks and returns a trigger until the end of the transaction. Concurrent answers are serialized.
 */
export async function lockTrigger(tx: Tx, spaceId: string, triggerId: string): Promise<Trigger | undefined> {
  const [row] = await tx.query(LOCK_TRIGGER, [spaceId, triggerId]);
  return row;
}

/** Marks a trigger as used. The caller holds its lock. */
export async function markUsed(tx: Tx, spaceId: string, triggerId: string): Promise<void> {
  await tx.query(MARK_TRIGGER_USED, [spaceId, triggerId]);
}
