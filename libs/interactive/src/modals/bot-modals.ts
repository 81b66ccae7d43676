import { Injectable } from '@nestjs/common';
import { LiveEvents } from '@tieline/live-stream';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { uuidv7 } from 'uuidv7';
import { requireBotAccess, requirePersonMembership } from '../answers/late-access.js';
import type { InteractionContext } from '../interactions/interaction-context.js';
import {
  modalAwaitsAnswer,
  modalCovered,
  modalGone,
  modalNotFound,
  triggerNotFound,
} from '../interactive.errors.js';
import { InteractiveSettings } from '../interactive.settings.js';
import { ReadTriggers } from '../triggers/read-trigger.js';
import type { UsableTrigger } from '../triggers/read-trigger.js';
import { modalEvent } from './modal-event.js';
import type { ModalEffect } from './modal-event.js';
import { ModalTokens } from './modal-tokens.js';
import { insertModal, lockModalOfBot } from './modals.queries.js';
import type { Modal } from './modals.queries.js';
import { pushModal, replaceModal } from './stack/change-modal.js';
import { ModalDefinition } from './validated/modal-definition.js';

type Fields = Readonly<Record<string, unknown>>;

/** Opens and changes modals for bots, at any time (docs/modals.md#open-a-modal-later). */
@Injectable()
export class BotModals {
  constructor(
    private readonly db: Db,
    private readonly triggers: ReadTriggers,
    private readonly tokens: ModalTokens,
    private readonly settings: InteractiveSettings,
    private readonly live: LiveEvents,
  ) {}

  /**
   * Opens a modal for the person of the trigger. Of concurrent calls with one trigger one succeeds.
   * @returns the modal's id
   * @throws 400 invalid modal. 404 unknown trigger. 403 another bot's, or the bot or the person
   *   left the conversation. 410 the trigger expired or has opened a modal.
   */
  async open(bot: BotPrincipal, triggerId: string, given: Fields): Promise<string> {
    const definition = ModalDefinition.read(given, 'modal');
    const trigger = await this.triggers.require(bot, triggerId);
    const context = contextOf(bot.spaceId, trigger);
    const id = uuidv7();
    const modal = { id, context, definition, chainDepth: 1, clickId: undefined, openedBy: trigger.id };
    await this.write(bot.spaceId, context.conversationId, async (tx) => {
      await requireAccess(tx, context);
      const opened = await insertModal(tx, this.tokens, { ...modal, ttlSeconds: this.ttlSeconds });
      return { context, effect: { result: 'open_modal', ...opened } };
    });
    return id;
  }

  /**
   * Opens a modal on top of another one. @returns its id @throws 400 invalid modal, or three are
   * open. 409 another one is on top. Also what {@link update} throws.
   */
  async push(bot: BotPrincipal, modalId: string, given: Fields): Promise<string> {
    const definition = ModalDefinition.read(given, 'modal');
    const newId = uuidv7();
    await this.change(bot, modalId, async (tx, context) => {
      if (context.isCovered) throw modalCovered();
      const { chainDepth } = context;
      const change = { context, modalId, chainDepth, definition, newId, ttlSeconds: this.ttlSeconds };
      return { result: 'push_modal', ...(await pushModal(tx, this.tokens, change)) };
    });
    return newId;
  }

  /**
   * Replaces a modal. @returns its id @throws 400 invalid modal. 404 not a modal of this bot. 409
   * the bot has to answer a submission. 410 submitted, closed or expired. 403 the bot or the person
   * left the conversation.
   */
  async update(bot: BotPrincipal, modalId: string, given: Fields): Promise<string> {
    const definition = ModalDefinition.read(given, 'modal');
    await this.change(bot, modalId, async (tx, context) => {
      const { chainDepth } = context;
      const change = { context, modalId, chainDepth, definition, ttlSeconds: this.ttlSeconds };
      return { result: 'update_modal', ...(await replaceModal(tx, this.tokens, change)) };
    });
    return modalId;
  }

  private get ttlSeconds(): number {
    return this.settings.modalTokenTtlSeconds;
  }

  private change(
    bot: BotPrincipal,
    id: string,
    work: (tx: Tx, modal: Modal) => Promise<ModalEffect>,
  ): Promise<void> {
    return this.write(bot.spaceId, id, async (tx) => {
      const modal = await lockModalOfBot(tx, bot, id);
      if (!modal) throw modalNotFound();
      if (modal.isAwaiting) throw modalAwaitsAnswer();
      if (modal.isGone) throw modalGone();
      await requireAccess(tx, modal);
      return { context: modal, effect: await work(tx, modal) };
    });
  }

  /** Shows the effect on the person's streams after the commit. */
  private async write(
    spaceId: string,
    place: string,
    work: (tx: Tx) => Promise<{ context: InteractionContext; effect: ModalEffect }>,
  ): Promise<void> {
    const { context, effect } = await runInTx(this.db, work, { spaceId, place });
    this.live.toPerson(spaceId, context.userId, modalEvent(context, effect));
  }
}

/** @throws 404 for what a person did outside of a conversation, in a view of a Slack app */
function contextOf(spaceId: string, trigger: UsableTrigger): InteractionContext {
  const { id, botId, userId, conversationId, threadId, messageId, actionId, commandId } = trigger;
  if (conversationId === null) throw triggerNotFound();
  return {
    ...{ spaceId, botId, userId, conversationId, threadId, messageId, actionId },
    triggerId: commandId === undefined ? null : id,
    commandId: commandId ?? null,
  };
}

/** A command lets the bot answer in a conversation that it is not a member of. */
async function requireAccess(tx: Tx, context: InteractionContext): Promise<void> {
  await requireBotAccess(tx, context, context.commandId !== null);
  await requirePersonMembership(tx, context);
}
