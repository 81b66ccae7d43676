import { Injectable } from '@nestjs/common';
import { chatAccess, chatErrors, CreateMessage, resolveReply } from '@tieline/conversations';
import type { Conversation } from '@tieline/conversations';
import { Db, runRepeatable } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { fingerprint } from '@tieline/idempotency';
import { hashToken, newToken } from '@tieline/signing';
import { uuidv7 } from 'uuidv7';
import { CAPABILITY_PREFIX } from './capabilities/capability-token.js';
import { findTaskByKey } from './execution-task.queries.js';
import type { ExecutionTask } from './execution-task.entity.js';
import { INSERT_TASK } from './execution-tasks.statements.js';
import type { TaskAction } from './states/execution-task.states.js';
import { activeTaskExists, keyReused } from './execution-tasks.errors.js';
import { appendTaskUpdated } from './events/task-events.js';
import { TaskRuns } from './runs/task-runs.js';

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

/** Long enough to distinguish tokens, too short to guess one. */
const PREFIX_LENGTH = 12;

/** Creates tasks. */
@Injectable()
export class CreateExecutionTask {
  constructor(
    private readonly db: Db,
    private readonly createMessage: CreateMessage,
    private readonly runs: TaskRuns,
  ) {}

  /**
   * Creates a task in one of its three forms, or returns the one created under this key:
   * docs/execution-tasks.md#create-a-task.
   *
   * @throws 400 no such parent. 403 not a member or archived. 404 and 409 a run that cannot be
   * linked. 409 the key was used for another request, or the thread has an active task.
   */
  async run(bot: BotPrincipal, request: NewTask): Promise<CreatedTask> {
    const draft: TaskDraft = { widgetId: uuidv7(), token: newToken(CAPABILITY_PREFIX) };
    return runRepeatable(
      this.db,
      async (tx) => {
        const repeat = await findRepeat(tx, bot, request);
        if (!repeat) return this.create(tx, bot, request, draft);
        // Created by an earlier attempt whose COMMIT was not confirmed, so no one has seen its
        // token.
        return repeat.task.widgetId === draft.widgetId ? { ...repeat, token: draft.token } : repeat;
      },
      { spaceId: bot.spaceId, place: request.parentMessageId ?? request.conversationId },
    );
  }

  private async create(tx: Tx, bot: BotPrincipal, request: NewTask, draft: TaskDraft): Promise<CreatedTask> {
    const { spaceId, botId } = bot;
    const { conversationId, agentRunId } = request;
    const access = await chatAccess.sending(tx, { spaceId, conversationId, author: { id: botId } });
    if (access.refused !== undefined) throw chatErrors.botRefused(access.refused);
    const place = await placeOf(tx, access.conversation, request.parentMessageId);
    const { channelId } = access.conversation;
    const task = await insert(tx, bot, request, { ...place, ...draft, channelId });
    if (!task) {
      // Another request was faster: with this key, or with a task in this thread.
      const repeat = await findRepeat(tx, bot, request);
      if (!repeat) throw activeTaskExists();
      return repeat;
    }
    const { widgetId } = task;
    if (agentRunId !== undefined) await this.runs.link(tx, bot, { widgetId, runId: agentRunId, channelId });
    if (place.anchorId !== undefined) await this.postAnchor(tx, bot, request, place.anchorId);
    await appendTaskUpdated(tx, task);
    return { task, token: draft.token };
  }

  private async postAnchor(
    tx: Tx,
    { spaceId, botId }: BotPrincipal,
    { conversationId, title }: NewTask,
    messageId: string,
  ): Promise<void> {
    const author = { id: botId, type: 'bot' } as const;
    const anchor = { spaceId, conversationId, author, text: title, messageId };
    const posted = await this.createMessage.in(tx, anchor);
    if ('refused' in posted) throw chatErrors.botRefused(posted.refused);
  }
}

/** Values of a new task that stay the same over all attempts. */
interface TaskDraft {
  widgetId: string;
  token: string;
}

/**
 * Returns the task created by the same request before.
 *
 * @throws 409 if the key was used for another request.
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
  if (!reply) throw chatErrors.botParentNotFound();
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
  const [task] = await tx.query(INSERT_TASK, {
    ...request,
    spaceId: bot.spaceId,
    widgetId,
    botId: bot.botId,
    fingerprint: fingerprint(request),
    channelId,
    rootMessageId,
    agentRunId: request.agentRunId ?? null,
    capabilityHash: hashToken(token),
    capabilityPrefix: token.slice(0, PREFIX_LENGTH),
  });
  return task;
}
