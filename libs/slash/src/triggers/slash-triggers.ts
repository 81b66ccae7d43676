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

/** A bot's command as a person gave it. */
export interface Invocation {
  spaceId: string;
  userId: string;
  /** As the caller named it. */
  conversationId: string;
  /** Root message, when given in a thread. */
  threadId: string | undefined;
  commandId: string;
  line: CommandLine;
  /** Absent for a command without options. */
  options?: OptionValues;
}

/** What the bot is told (contract, "Slash invocation payload"). */
export interface InvocationPayload {
  trigger_id: string;
  command: string;
  command_id: string;
  space_id: string;
  conversation_id: string;
  user_id: string;
  text: string;
  raw_text: string;
  /** Typed values; only of a command with options. */
  options?: OptionValues;
  /** RFC 3339, UTC, nine fractional digits. */
  invoked_at: string;
  thread_id?: string;
  /** Answers it late (decisions, section 11.4). */
  response_token: string;
  response_url: string;
}

/** An invocation on record: from now on its trigger can be used. */
export interface IssuedTrigger {
  command: InvokedCommand;
  payload: InvocationPayload;
  /** In mode `poll`: a socket of the bot is open, whose acknowledgement may carry the answer. */
  isAwaited: boolean;
}

/** What puts invocations on record. */
export interface TriggerParts {
  db: Db;
  responses: ResponseTokens;
  waits: AnswerWaits;
  ttlSeconds: number;
}

/**
 * Puts an invocation on record, and into the bot's queue when its mode is `poll`: the mode is
 * judged as of the commit.
 * @throws 404 when the command is gone or its bot disabled
 */
export async function issueTrigger(
  { db, responses, waits, ttlSeconds }: TriggerParts,
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
      if (!row) throw new Error('the row that was just made is gone');
      const place = { botId: command.botId, userId, conversationId, threadId, messageId: null };
      const late = responses.issue(spaceId, { ...place, kind: 'command', id: triggerId });
      const payload = { ...payloadOf(invocation, triggerId, row.invokedAt), ...late };
      const isAwaited = command.mode === 'poll' && (await queue(tx, waits, command.botId, payload));
      return { command, payload, isAwaited };
    },
    { spaceId, place: conversationId },
  );
}

/** @returns whether an answer may come with an acknowledgement */
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

/** Where the answer to an invocation goes, and whether it may still come. */
export type Trigger = RowOf<typeof LOCK_TRIGGER>;

/** A trigger, locked until the end of the transaction: of several answers one comes first. */
export async function lockTrigger(tx: Tx, spaceId: string, triggerId: string): Promise<Trigger | undefined> {
  const [row] = await tx.query(LOCK_TRIGGER, [spaceId, triggerId]);
  return row;
}

/** Uses a trigger up. The caller holds its lock. */
export async function markUsed(tx: Tx, spaceId: string, triggerId: string): Promise<void> {
  await tx.query(MARK_TRIGGER_USED, [spaceId, triggerId]);
}
