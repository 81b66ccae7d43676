import { resolveReply, sendingAccess } from '@tieline/conversations';
import type { Conversation, CreateMessage, SendingRefusal } from '@tieline/conversations';
import { runRepeatable } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { ApiError, BotPrincipal } from '@tieline/platform/http';
import { fingerprint } from '@tieline/idempotency';
import { hashToken, newToken } from '@tieline/signing';
import { v7 as uuidv7 } from 'uuid';
import { CAPABILITY_PREFIX } from './capabilities/capability-token.js';
import { findTaskByKey } from './execution-task.queries.js';
import type { ExecutionTask } from './execution-task.entity.js';
import { INSERT_TASK } from './execution-tasks.statements.js';
import type { TaskAction } from './states/execution-task.states.js';
import {
  activeTaskExists,
  botNotInConversation,
  conversationIsArchived,
  keyReused,
  parentNotFound,
} from './execution-tasks.errors.js';
import { appendTaskUpdated } from './events/task-events.js';
import type { TaskRuns } from './runs/task-runs.js';

/** A task to create. */
export interface NewTask {
  idempotencyKey: string;
  conversationId: string;
  /** If absent, the bot posts an anchor message, and the task belongs to its thread. */
  parentMessageId: string | undefined;
  agentRunId: string | undefined;
  title: string;
  description: string;
  allowedActions: TaskAction[];
}

/** The task, and the capability's token if this call created the task. */
export interface CreatedTask {
  task: ExecutionTask;
  token: string | undefined;
}

/** Dependencies of task creation. */
export interface TaskDependencies {
  createMessage: CreateMessage;
  runs: TaskRuns;
}

/** Long enough to distinguish tokens, too short to guess one. */
const PREFIX_LENGTH = 12;

const REFUSALS: Readonly<Record<SendingRefusal, () => ApiError>> = {
  unknown_conversation: botNotInConversation,
  not_member: botNotInConversation,
  archived: conversationIsArchived,
};

/**
 * Creates a task in one of its three forms, or returns the one created under this key:
 * docs/execution-tasks.md#create-a-task.
 *
 * @throws 400 no such parent; 403 not a member, archived; 404 and 409 a run that cannot be linked;
 * 409 the key was used for another request, or the thread has an active task
 */
export async function createExecutionTask(
  db: Db,
  tools: TaskDependencies,
  bot: BotPrincipal,
  request: NewTask,
): Promise<CreatedTask> {
  const made: TaskDraft = { widgetId: uuidv7(), token: newToken(CAPABILITY_PREFIX) };
  return runRepeatable(
    db,
    async (tx) => {
      const repeat = await findRepeat(tx, bot, request);
      if (!repeat) return create(tx, tools, bot, request, made);
      // Created by an earlier attempt whose COMMIT was not confirmed, so no one has seen its token.
      return repeat.task.widgetId === made.widgetId ? { ...repeat, token: made.token } : repeat;
    },
    { spaceId: bot.spaceId, place: request.parentMessageId ?? request.conversationId },
  );
}

/** Values of a new task that stay the same over all attempts. */
interface TaskDraft {
  widgetId: string;
  token: string;
}

/**
 * Returns the task created by the same request before.
 *
 * @throws 409 if the key was used for another request
 */
export async function findRepeat(
  db: Db | Tx,
  bot: BotPrincipal,
  request: NewTask,
): Promise<CreatedTask | undefined> {
  const task = await findTaskByKey(db, bot.spaceId, bot.botId, request.idempotencyKey);
  if (!task) return undefined;
  if (!task.fingerprint.equals(fingerprint(request))) throw keyReused();
  return { task, token: undefined };
}

async function create(
  tx: Tx,
  { runs, createMessage }: TaskDependencies,
  bot: BotPrincipal,
  request: NewTask,
  made: TaskDraft,
): Promise<CreatedTask> {
  const { conversationId } = request;
  const access = await sendingAccess(tx, { spaceId: bot.spaceId, conversationId, author: { id: bot.botId } });
  if (access.refused !== undefined) throw REFUSALS[access.refused]();
  const place = await placeOf(tx, access.conversation, request.parentMessageId);
  const { channelId } = access.conversation;
  const task = await insert(tx, bot, request, { ...place, ...made, channelId });
  if (!task) {
    // Another request was faster: with this key, or with a task in this thread.
    const repeat = await findRepeat(tx, bot, request);
    if (!repeat) throw activeTaskExists();
    return repeat;
  }
  if (request.agentRunId !== undefined)
    await runs.link(tx, bot, {
      widgetId: task.widgetId,
      runId: request.agentRunId,
      channelId: task.channelId,
    });
  if (place.anchorId !== undefined) await postAnchor(tx, createMessage, bot, request, place.anchorId);
  await appendTaskUpdated(tx, task);
  return { task, token: made.token };
}

/**
 * The thread of a task, identified by its root message. `anchorId` is set if that message is still
 * to be posted.
 */
interface Place {
  rootMessageId: string;
  anchorId?: string;
}

async function placeOf(
  tx: Tx,
  conversation: Conversation,
  parentMessageId: string | undefined,
): Promise<Place> {
  if (parentMessageId === undefined) {
    const anchorId = uuidv7();
    // Threads have no threads, so an anchor in a thread represents the thread itself.
    return { rootMessageId: conversation.rootMessageId ?? anchorId, anchorId };
  }
  const reply = await resolveReply(tx, conversation.spaceId, conversation, parentMessageId);
  if (!reply) throw parentNotFound();
  return { rootMessageId: reply.rootMessageId };
}

/**
 * Returns undefined if the key is taken or the thread has an active task. Waits for a concurrent
 * transaction that creates one.
 */
async function insert(
  tx: Tx,
  bot: BotPrincipal,
  request: NewTask,
  { rootMessageId, channelId, widgetId, token }: Place & TaskDraft & { channelId: string },
): Promise<ExecutionTask | undefined> {
  const [task] = await tx.query(INSERT_TASK, [
    bot.spaceId,
    widgetId,
    bot.botId,
    request.idempotencyKey,
    fingerprint(request),
    request.conversationId,
    channelId,
    rootMessageId,
    request.agentRunId ?? null,
    request.title,
    request.description,
    request.allowedActions,
    hashToken(token),
    token.slice(0, PREFIX_LENGTH),
  ]);
  return task;
}

async function postAnchor(
  tx: Tx,
  createMessage: CreateMessage,
  { spaceId, botId }: BotPrincipal,
  { conversationId, title }: NewTask,
  messageId: string,
): Promise<void> {
  const posted = await createMessage.in(tx, {
    spaceId,
    conversationId,
    author: { id: botId, type: 'bot' },
    text: title,
    messageId,
  });
  if ('refused' in posted)
    throw posted.refused === 'unknown_parent' ? parentNotFound() : REFUSALS[posted.refused]();
}
