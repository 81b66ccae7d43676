import { Injectable } from '@nestjs/common';
import type { AnswerWaits } from '@tieline/bots';
import { CreateMessage, findMessage } from '@tieline/conversations';
import { CommandModals, ComponentSigner, createEphemeral, noteOriginal } from '@tieline/interactive';
import { Db, runInTx, runRepeatable } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { conversationRefused } from '../../slash.errors.js';
import { lockTrigger, markUsed } from '../../triggers/slash-triggers.js';
import type { InvocationPayload, Trigger } from '../../triggers/slash-triggers.js';
import type { CommandAnswer } from './callback-answer.js';
import type { CommandResult } from './invocation-result.js';

/** A command that was sent to a bot. */
export interface AskedCommand {
  botId: string;
  payload: InvocationPayload;
}

/**
 * The outcome of an answer: `later` if it comes later or the bot had already used the trigger,
 * `gone` if the bot has been disabled.
 */
export type AppliedAnswer =
  /** `isWaiterNotified`: a waiting request returns the result to the person. */
  | { kind: 'answered'; result: CommandResult; isWaiterNotified: boolean }
  | { kind: 'later' }
  | { kind: 'gone' };

type Text = Extract<CommandAnswer, { kind: 'text' }>;
type Modal = Extract<CommandAnswer, { kind: 'modal' }>;

/** Applies bots' immediate answers to commands, from callbacks and from acknowledgements. */
@Injectable()
export class CommandAnswers {
  constructor(
    private readonly db: Db,
    private readonly createMessage: CreateMessage,
    private readonly signer: ComponentSigner,
    private readonly modals: CommandModals,
  ) {}

  /**
   * Applies an answer. A text uses the trigger, also an expired one, because the wait for the
   * answer has its own timeout. An `in_channel` text is posted as the bot in the conversation of
   * the command, whether or not the bot is a member. A modal leaves the trigger unused, so that the
   * bot can still answer with it.
   * @param waits set for an acknowledgement: the person's request may wait for it
   * @throws 400 for interactive blocks whose clicks could not be delivered to the bot, and for an
   *   invalid modal. 403 if the conversation has been archived. The trigger stays unused.
   */
  async apply(asked: AskedCommand, answer: CommandAnswer, waits?: AnswerWaits): Promise<AppliedAnswer> {
    switch (answer.kind) {
      case 'later':
        return answer;
      case 'modal':
        return this.openModal(asked, answer, waits);
      case 'text':
        return this.settle(asked, answer, waits);
    }
  }

  private openModal(
    { botId, payload }: AskedCommand,
    { modal }: Modal,
    waits: AnswerWaits | undefined,
  ): Promise<AppliedAnswer> {
    const { space_id: spaceId, user_id: userId, conversation_id: conversationId } = payload;
    const { trigger_id: triggerId, command_id: commandId, command: actionId } = payload;
    const place = { spaceId, botId, userId, conversationId, threadId: payload.thread_id ?? null, actionId };
    return runInTx(
      this.db,
      async (tx) => {
        const trigger = await lockTrigger(tx, spaceId, triggerId);
        if (!trigger?.botIsActive) return { kind: 'gone' };
        const opened = await this.modals.open(tx, { ...place, triggerId, commandId }, modal);
        return answered(tx, payload, { result: 'open_modal', opened }, waits);
      },
      { spaceId, place: triggerId },
    );
  }

  private settle(
    { payload }: AskedCommand,
    answer: Text,
    waits: AnswerWaits | undefined,
  ): Promise<AppliedAnswer> {
    const { space_id: spaceId, trigger_id: triggerId, user_id: userId } = payload;
    const ids = { spaceId, triggerId, userId, messageId: uuidv7() };
    let last: AppliedAnswer | undefined;
    return runRepeatable(
      this.db,
      async (tx, isRepeat) => {
        const trigger = await lockTrigger(tx, spaceId, triggerId);
        if (!trigger?.botIsActive) return { kind: 'gone' };
        if (trigger.isUsed)
          return isRepeat && last && (await isOurs(tx, ids, answer)) ? last : { kind: 'later' };
        await markUsed(tx, spaceId, triggerId);
        last = await answered(tx, payload, await this.show(tx, ids, trigger, answer), waits);
        return last;
      },
      { spaceId, place: triggerId },
    );
  }

  private async show(
    tx: Tx,
    ids: { spaceId: string; triggerId: string; userId: string; messageId: string },
    { botId, conversationId, threadId }: Trigger,
    { responseType: result, text, metadata, ...foreign }: Text,
  ): Promise<CommandResult> {
    const { spaceId, userId, messageId } = ids;
    if (result === 'ephemeral') {
      if (!metadata && foreign.sourceJson === undefined) return { result, text };
      const { sourceJson, hasElements } = foreign;
      const message = { spaceId, botId, userId, conversationId, text, metadata, sourceJson, hasElements };
      return { result, text, shown: await createEphemeral(tx, this.signer, message) };
    }
    await noteOriginal(tx, ids);
    const created = await this.createMessage.in(tx, {
      ...{ spaceId, conversationId, text, messageId },
      author: { id: botId, type: 'bot' },
      metadataJson: metadata && (await this.signer.sign(tx, { spaceId, botId }, metadata)),
      ...(foreign.textDerived && { textDerived: true }),
      ...(foreign.sourceJson !== undefined && { sourceJson: foreign.sourceJson }),
      parentMessageId: threadId ?? undefined,
      access: 'granted',
    });
    if ('refused' in created) throw conversationRefused(created.refused);
    return { result, text, messageId };
  }
}

/**
 * Returns whether this answer used the trigger, or at least can be shown, after our COMMIT may have
 * been lost: the bot may have used the trigger itself.
 */
async function isOurs(
  tx: Tx,
  { spaceId, messageId }: { spaceId: string; messageId: string },
  { responseType }: Text,
): Promise<boolean> {
  return responseType === 'ephemeral' || (await findMessage(tx, spaceId, messageId)) !== undefined;
}

/** Notifies the waiting request of the result. Call it as the last step of the transaction. */
async function answered(
  tx: Tx,
  { space_id: spaceId, trigger_id: id }: InvocationPayload,
  result: CommandResult,
  waits: AnswerWaits | undefined,
): Promise<AppliedAnswer> {
  const isWaiterNotified = (await waits?.settle(tx, { spaceId, id }, { kind: 'answered', result })) ?? false;
  return { kind: 'answered', result, isWaiterNotified };
}
