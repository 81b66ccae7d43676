import { Injectable } from '@nestjs/common';
import { CreateMessage, EditMessage } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import { InteractiveSettings } from '../interactive.settings.js';
import type { InteractionContext } from '../interactions/interaction-context.js';
import { answerNeedsModal, editRefused, originalMissing, postRefused } from '../interactive.errors.js';
import type { EphemeralMessage } from '../ephemeral/ephemeral-message.js';
import { createEphemeral } from '../ephemeral/create-ephemeral.js';
import { updateEphemeral } from '../ephemeral/ephemeral.queries.js';
import type { ModalEffect } from '../modals/modal-event.js';
import { ModalTokens } from '../modals/modal-tokens.js';
import { pushModal, replaceModal } from '../modals/stack/change-modal.js';
import type { ModalDefinition } from '../modals/validated/modal-definition.js';
import { insertModal } from '../modals/modals.queries.js';
import type { OpenedModal } from '../modals/modals.queries.js';
import { ComponentSigner } from '../schema/signing/component-signer.js';
import type { BotAnswer, ChangeAnswer, SendAnswer, UpdateAnswer } from './bot-answer.js';

/** The interaction that an answer belongs to, and its position in a chain of modals. */
export interface AnsweredInteraction {
  context: InteractionContext;
  /** The click's id; undefined for a submitted modal. */
  clickId: string | undefined;
  /** Id of the submitted modal; undefined for a click. */
  modalId: string | undefined;
  /** Number of earlier modals in the chain. */
  chainDepth: number;
  /** `granted`: the bot may post in the conversation without being a member. */
  access?: 'granted' | undefined;
}

/**
 * The outcome of an answer. `shown` is a changed ephemeral message to send to the person's streams
 * after the commit.
 */
export type Effect =
  | { result: 'update_message' | 'send_message'; messageId: string; shown?: EphemeralMessage }
  /** `message` is set if the answer has metadata. It is then a separate ephemeral message. */
  | { result: 'ephemeral'; ephemeralText: string; message?: EphemeralMessage }
  | ModalEffect
  | { result: 'noop' };

/** Applies bots' answers to interactions. */
@Injectable()
export class AnswerApplier {
  constructor(
    private readonly signer: ComponentSigner,
    private readonly tokens: ModalTokens,
    private readonly settings: InteractiveSettings,
    private readonly createMessage: CreateMessage,
    private readonly editMessage: EditMessage,
  ) {}

  /**
   * Applies one answer in the caller's transaction. The bot acts as itself: it can edit its own
   * message anywhere, and posts only where it is a member.
   * @throws 400 if interactive blocks could not be delivered back to the bot, or if the answer is
   *   only valid for a submitted modal. 403 not a member or archived. 409 placeholder of an agent
   *   run. 410 deleted.
   */
  async apply(tx: Tx, answered: AnsweredInteraction, answer: BotAnswer): Promise<Effect> {
    switch (answer.kind) {
      case 'update_message':
        return this.update(tx, answered.context, answer);
      case 'send_message':
        return this.send(tx, answered, answer);
      case 'ephemeral':
        return this.sendEphemeral(tx, answered.context, answer);
      case 'open_modal':
        return { result: 'open_modal', ...(await this.openModal(tx, answered, answer.definition)) };
      case 'update_modal':
      case 'push_modal':
        return this.changeModal(tx, answered, answer);
      case 'errors': {
        const modalToken = this.tokens.tokenOf(answered.context.spaceId, submittedModal(answered, 'errors'));
        return { result: 'errors', errors: answer.errors, modalToken };
      }
      case 'noop':
        return { result: 'noop' };
    }
  }

  private async sendEphemeral(
    tx: Tx,
    context: InteractionContext,
    { text, metadata, sourceJson, hasElements }: Extract<BotAnswer, { kind: 'ephemeral' }>,
  ): Promise<Effect> {
    const effect = { result: 'ephemeral', ephemeralText: text } as const;
    if (!metadata && sourceJson === undefined) return effect;
    const answer = { ...context, text, metadata, sourceJson, hasElements };
    return { ...effect, message: await createEphemeral(tx, this.signer, answer) };
  }

  private async update(
    tx: Tx,
    context: InteractionContext,
    { text, metadata, textDerived, sourceJson }: UpdateAnswer,
  ): Promise<Effect> {
    const { spaceId, botId, messageId } = context;
    if (messageId === null) throw originalMissing();
    const metadataJson = metadata == null ? metadata : await this.signer.sign(tx, context, metadata);
    const renew = metadata === undefined ? await this.signer.renewal(tx, context) : undefined;
    const edited = await this.editMessage.in(tx, {
      spaceId,
      messageId,
      editor: { id: botId, type: 'bot' },
      text,
      metadataJson,
      ...(textDerived && { textDerived }),
      ...(sourceJson !== undefined && { sourceJson }),
      renew,
      access: 'answer',
    });
    if (!('refused' in edited)) return { result: 'update_message', messageId };
    const change = { text, metadataJson, sourceJson, renew };
    const shown =
      edited.refused === 'unknown_message'
        ? await updateEphemeral(tx, { spaceId, botId, id: messageId }, change, this.settings.tokenTtlSeconds)
        : undefined;
    if (!shown) throw editRefused(edited.refused);
    return { result: 'update_message', messageId, shown };
  }

  /** Posts next to the clicked message, in its thread if it has one. */
  private async send(
    tx: Tx,
    { context, access }: AnsweredInteraction,
    { text, metadata, textDerived, sourceJson }: SendAnswer,
  ): Promise<Effect> {
    const { spaceId, botId, conversationId, threadId, triggerId } = context;
    // A slash command lets the bot answer in the conversation where it was invoked.
    const isGranted = access === 'granted' || triggerId !== null;
    const metadataJson = metadata && (await this.signer.sign(tx, context, metadata));
    const created = await this.createMessage.in(tx, {
      spaceId,
      conversationId,
      author: { id: botId, type: 'bot' },
      text,
      metadataJson,
      ...(textDerived && { textDerived }),
      ...(sourceJson !== undefined && { sourceJson }),
      parentMessageId: threadId ?? undefined,
      ...(isGranted && { access: 'granted' }),
    });
    if ('refused' in created) throw postRefused(created.refused);
    return { result: 'send_message', messageId: created.messageId };
  }

  private openModal(
    tx: Tx,
    { context, clickId, chainDepth }: AnsweredInteraction,
    definition: ModalDefinition,
  ): Promise<OpenedModal> {
    const ttlSeconds = this.settings.modalTokenTtlSeconds;
    const modal = { context, definition, chainDepth: chainDepth + 1, clickId, ttlSeconds };
    return insertModal(tx, this.tokens, modal);
  }

  private async changeModal(
    tx: Tx,
    answered: AnsweredInteraction,
    { kind, definition }: ChangeAnswer,
  ): Promise<Effect> {
    const { context, chainDepth } = answered;
    const modalId = submittedModal(answered, kind);
    const ttlSeconds = this.settings.modalTokenTtlSeconds;
    const apply = kind === 'update_modal' ? replaceModal : pushModal;
    const change = { context, modalId, chainDepth, definition, ttlSeconds };
    return { result: kind, ...(await apply(tx, this.tokens, change)) };
  }
}

function submittedModal({ modalId }: AnsweredInteraction, kind: string): string {
  if (modalId === undefined) throw answerNeedsModal(kind);
  return modalId;
}
