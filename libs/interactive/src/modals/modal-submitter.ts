import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { RateLimiter } from '@tieline/rate-limit';
import { clickRules } from '../clicks/click-rates.js';
import {
  countInteraction,
  requireConversation,
  requireLivePlace,
  requirePlace,
  requireUnarchived,
} from '../clicks/message-place.js';
import { InteractionDeliverer } from '../delivery/interaction-deliverer.js';
import type { Claim, InteractionResult } from '../delivery/interaction-deliverer.js';
import { modalGone, modalNotFound, modalOfAnotherPerson } from '../interactive.errors.js';
import { requireValues } from './modal-values.js';
import { claimModal, findModal, isUsedModal, releaseModal, useModal } from './modals.queries.js';
import type { Modal, ModalClaim } from './modals.queries.js';

/** Carries out submissions of modals (contract, Interactive; decisions, sections 5 and 8). */
@Injectable()
export class ModalSubmitter {
  constructor(
    private readonly db: Db,
    private readonly limiter: RateLimiter,
    private readonly deliverer: InteractionDeliverer,
  ) {}

  /**
   * The one submission of a modal; `values` may be left out.
   * @throws 404 unknown; 403 another person's, not a member; 429; 410 used, expired, being submitted, message deleted;
   *   403 archived; 400 values; 503 when the bot gave no usable answer: the token may then be used again
   */
  async submit(user: UserPrincipal, modalToken: string, given: unknown): Promise<InteractionResult> {
    const modal = await this.requireOpenModal(user, modalToken);
    const values = requireValues(given);
    const claimed = await claimModal(this.db, modal, this.deliverer.leaseMs);
    if (!claimed) throw modalGone();
    const { chainDepth } = modal;
    return this.deliverer.deliver(
      { context: modal, event: { type: 'modal.submit', values }, clickId: undefined, chainDepth },
      this.claimOf(claimed),
    );
  }

  private async requireOpenModal(user: UserPrincipal, modalToken: string): Promise<Modal> {
    const modal = await findModal(this.db, user.spaceId, modalToken);
    if (!modal) throw modalNotFound();
    if (modal.userId !== user.userId) throw modalOfAnotherPerson();
    const requireLive = await this.requireModalPlace(user, modal);
    const counted = modal.messageId ?? modal.id;
    await countInteraction(this.limiter, clickRules(user.userId, counted, modal.botId));
    if (modal.isGone) throw modalGone();
    requireLive();
    return modal;
  }

  /** @returns throws where nothing can be done there any more */
  private async requireModalPlace(
    user: UserPrincipal,
    { messageId, conversationId }: Modal,
  ): Promise<() => void> {
    if (messageId === null) {
      const conversation = await requireConversation(this.db, user, conversationId);
      return () => requireUnarchived(conversation);
    }
    const place = await requirePlace(this.db, user, messageId);
    return () => requireLivePlace(place);
  }

  private claimOf(claimed: ModalClaim): Claim {
    return {
      occurredAt: claimed.occurredAt,
      accept: async (tx) => {
        if (!(await useModal(tx, claimed))) throw modalGone();
      },
      isAccepted: (tx) => isUsedModal(tx, claimed),
      release: () => releaseModal(this.db, claimed),
    };
  }
}
