import { Injectable } from '@nestjs/common';
import { BotAsker } from '@tieline/ask-bot';
import { appendDirectEvent } from '@tieline/bots';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { uuidv7 } from 'uuidv7';
import { holdClickedBot } from '../../config/interactive-config.queries.js';
import { InteractionRequests } from '../../interactions/interaction-requests.js';
import { modalGone } from '../../interactive.errors.js';
import { InteractiveMetrics } from '../../interactive.metrics.js';
import { validatedModalOf, ModalAccess } from '../modal-access.js';
import { closeModal } from '../modals.queries.js';
import type { Modal } from '../modals.queries.js';

const EVENT = 'modal.closed';

/** Closes modals and notifies bots that asked for it. */
@Injectable()
export class ModalCloser {
  constructor(
    private readonly db: Db,
    private readonly access: ModalAccess,
    private readonly requests: InteractionRequests,
    private readonly bots: BotAsker,
    private readonly metrics: InteractiveMetrics,
  ) {}

  /**
   * Closes a modal without submitting it, whatever the bot answers. The modal below it becomes
   * usable again.
   * @throws whatever {@link ModalAccess.requireCloseable} throws
   */
  async close(user: UserPrincipal, modalToken: string): Promise<void> {
    const modal = await this.access.requireCloseable(user, modalToken);
    const payload = await runInTx(this.db, (tx) => this.closeIn(tx, modal), {
      spaceId: modal.spaceId,
      place: modal.id,
    });
    if (payload) await this.notifyBot(modal, payload);
  }

  /** @returns the payload to send to the bot's callback, if any */
  private async closeIn(tx: Tx, modal: Modal): Promise<string | undefined> {
    const { spaceId, botId } = modal;
    const validated = validatedModalOf(modal);
    const bot = validated?.notifyOnClose ? await holdClickedBot(tx, spaceId, botId) : undefined;
    const occurredAt = await closeModal(tx, modal);
    if (occurredAt === undefined) throw modalGone();
    if (!bot?.isActive) return undefined;
    const event = { type: EVENT, modalId: modal.id, privateMetadata: validated?.privateMetadata } as const;
    const payload = this.requests.payload(modal, event, occurredAt);
    if (bot.mode !== 'poll') return payload;
    await appendDirectEvent(tx, { spaceId, botId, eventId: uuidv7(), eventType: EVENT, payload });
    this.metrics.interaction(EVENT, 'queued');
    return undefined;
  }

  private async notifyBot(modal: Modal, payload: string): Promise<void> {
    const callback = await this.requests.callbackFor(modal, EVENT, payload);
    if (!callback) return;
    const sent = { kind: 'callback', botName: '', callback } as const;
    const { kind } = await this.bots.outcome(sent, async () => ({ kind: 'later' }));
    this.metrics.interaction(EVENT, kind === 'failed' ? 'failed' : 'noop');
  }
}
