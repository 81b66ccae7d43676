import { Injectable } from '@nestjs/common';
import { chatAccess, chatErrors, CreateMessage, findMessage, resolveReply } from '@tieline/conversations';
import type { Conversation, ReplyTarget } from '@tieline/conversations';
import { linkRun } from '@tieline/execution-tasks';
import { Db, runRepeatable } from '@tieline/platform/database';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { uuidv7 } from 'uuidv7';
import { findRunByKey, toRun } from '../agent-run.queries.js';
import type { AgentRun } from '../agent-run.entity.js';
import { envelopeOf } from '../agent-run.view.js';
import { keyReused, triggerNotFound } from '../agent-runs.errors.js';
import { INSERT_RUN } from '../agent-runs.statements.js';
import { shownText } from '../placeholders/placeholder.js';

/** A run to create. */
export interface NewRun {
  idempotencyKey: string;
  conversationId: string;
  triggerMessageId: string;
  widgetId: string | undefined;
  parentMessageId: string | undefined;
  /** Empty if the status text is shown. */
  content: string;
}

/**
 * Returns the run the bot created under this key before.
 *
 * @throws 409 if it was for another conversation or trigger.
 */
export async function findRepeatedRun(
  q: Queryable,
  bot: BotPrincipal,
  request: NewRun,
): Promise<AgentRun | undefined> {
  const run = await findRunByKey(q, bot, request.idempotencyKey);
  if (
    run &&
    (run.conversationId !== request.conversationId || run.triggerMessageId !== request.triggerMessageId)
  )
    throw keyReused();
  return run;
}

/** Creates runs. */
@Injectable()
export class CreateAgentRun {
  constructor(
    private readonly db: Db,
    private readonly createMessage: CreateMessage,
  ) {}

  /**
   * Creates a run and its placeholder: docs/agent-runs.md#create-a-run. Returns the existing run if
   * another request created it under this key in the meantime.
   *
   * @throws 400 no such trigger or parent. 403 not a member, archived, or a task of another bot.
   * 404 no such task. 409 the key was used for another conversation or trigger, or the task is
   * finished or already has an unfinished run.
   */
  async run(bot: BotPrincipal, request: NewRun): Promise<AgentRun> {
    return runRepeatable(
      this.db,
      async (tx, isRepeat) => {
        const written = isRepeat ? await findRepeatedRun(tx, bot, request) : undefined;
        if (written) return written;
        const place = await placeOf(tx, bot, request);
        const run = await insert(tx, bot, request, place);
        if (!run) return existing(tx, bot, request);
        if (run.widgetId !== null)
          await linkRun(tx, bot, { widgetId: run.widgetId, runId: run.id, channelId: run.channelId });
        await this.postPlaceholder(tx, run);
        return run;
      },
      { spaceId: bot.spaceId, place: request.parentMessageId ?? request.conversationId },
    );
  }

  /** Posts an ordinary message of the bot. It counts against the rate of runs, not of messages. */
  private async postPlaceholder(tx: Tx, run: AgentRun): Promise<void> {
    const posted = await this.createMessage.in(tx, {
      spaceId: run.spaceId,
      conversationId: run.conversationId,
      author: { id: run.botId, type: 'bot' },
      text: shownText(run),
      metadataJson: envelopeOf(run),
      messageId: run.messageId,
      ...(run.parentMessageId !== null && { parentMessageId: run.parentMessageId }),
    });
    if ('refused' in posted) throw chatErrors.botRefused(posted.refused);
  }
}

/** Where a run's placeholder is posted. */
interface Place {
  channelId: string;
  /** Root of the thread, if the placeholder goes to a thread. */
  rootMessageId: string | null;
}

async function placeOf(
  tx: Tx,
  bot: BotPrincipal,
  { conversationId, parentMessageId, triggerMessageId }: NewRun,
): Promise<Place> {
  const access = await chatAccess.sending(tx, {
    spaceId: bot.spaceId,
    conversationId,
    author: { id: bot.botId },
  });
  if (access.refused !== undefined) throw chatErrors.botRefused(access.refused);
  const { conversation } = access;
  const reply = parentMessageId === undefined ? undefined : await replyOf(tx, conversation, parentMessageId);
  const trigger = await findMessage(tx, bot.spaceId, triggerMessageId);
  // The trigger can be in the thread or in its channel, whichever of the two the bot named.
  const isThere =
    trigger?.conversationId === conversation.id ||
    (reply !== undefined && trigger?.conversationId === reply.threadConversationId);
  if (!isThere || trigger?.authorType !== 'user') throw triggerNotFound();
  return { channelId: conversation.channelId, rootMessageId: reply?.rootMessageId ?? null };
}

async function replyOf(tx: Tx, conversation: Conversation, parentMessageId: string): Promise<ReplyTarget> {
  const reply = await resolveReply(tx, conversation.spaceId, conversation, parentMessageId);
  if (!reply) throw chatErrors.botParentNotFound();
  return reply;
}

/** Returns undefined if the key is taken. Waits for a concurrent transaction with the same key. */
async function insert(
  tx: Tx,
  bot: BotPrincipal,
  request: NewRun,
  { channelId, rootMessageId }: Place,
): Promise<AgentRun | undefined> {
  const [row] = await tx.query(INSERT_RUN, {
    ...request,
    spaceId: bot.spaceId,
    id: uuidv7(),
    botId: bot.botId,
    channelId,
    parentMessageId: rootMessageId,
    messageId: uuidv7(),
    widgetId: request.widgetId ?? null,
  });
  return row && toRun(row);
}

async function existing(tx: Tx, bot: BotPrincipal, request: NewRun): Promise<AgentRun> {
  const run = await findRepeatedRun(tx, bot, request);
  if (!run) throw new Error('a run created by another transaction is not visible');
  return run;
}
