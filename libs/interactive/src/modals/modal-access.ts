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
import {
  modalAwaitsAnswer,
  modalCovered,
  modalGone,
  modalNotFound,
  modalOfAnotherPerson,
} from '../interactive.errors.js';
import { ModalDefinition } from './validated/modal-definition.js';
import type { ValidatedModal } from './validated/modal-definition.js';
import { findModal } from './modals.queries.js';
import type { Modal } from './modals.queries.js';

/** Checks whether a person may use a modal. */
@Injectable()
export class ModalAccess {
  constructor(
    private readonly db: Db,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Returns the caller's modal for a submission.
   * @throws 404 unknown. 403 another person's, or no member. 429. 409 the bot has not answered a
   *   submission of a validated modal, or another modal is on top. 410 used, expired, being
   *   submitted, or message deleted. 403 archived.
   */
  async requireOpen(user: UserPrincipal, modalToken: string): Promise<Modal> {
    const modal = await this.requireOwn(user, modalToken);
    const requireLive = await this.requireModalPlace(user, modal);
    const { messageId, id, botId, isValidated } = modal;
    // A validated form may be submitted repeatedly until its values are valid.
    if (!isValidated) await countInteraction(this.limiter, clickRules(user.userId, messageId ?? id, botId));
    requireUsable(modal);
    requireLive();
    return modal;
  }

  /** Returns the caller's modal for filling in a field. Does not count as a click. */
  async requireFillable(user: UserPrincipal, modalToken: string): Promise<Modal> {
    const modal = await this.requireOwn(user, modalToken);
    const requireLive = await this.requireModalPlace(user, modal);
    requireUsable(modal);
    requireLive();
    return modal;
  }

  /**
   * Returns the caller's modal for closing. Works even if the message or conversation is no longer
   * usable.
   */
  async requireCloseable(user: UserPrincipal, modalToken: string): Promise<Modal> {
    const modal = await this.requireOwn(user, modalToken);
    requireUsable(modal);
    return modal;
  }

  private async requireOwn(user: UserPrincipal, modalToken: string): Promise<Modal> {
    const modal = await findModal(this.db, user.spaceId, modalToken);
    if (!modal) throw modalNotFound();
    if (modal.userId !== user.userId) throw modalOfAnotherPerson();
    return modal;
  }

  /** @returns a function that throws if the message or conversation is no longer usable */
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
}

/**
 * Returns the definition of a validated modal; undefined for a modal that is passed on unchanged.
 */
export function validatedModalOf({ modal, isValidated }: Modal): ValidatedModal | undefined {
  return isValidated ? ModalDefinition.stored(modal, true).validated : undefined;
}

/**
 * Requires a modal that can be submitted or closed. A modal without validation is used up by its
 * first submission, even while the bot may still reopen it.
 */
function requireUsable({ isValidated, isAwaiting, isGone, isCovered }: Modal): void {
  if (isValidated && isAwaiting) throw modalAwaitsAnswer();
  if (isGone) throw modalGone();
  if (isCovered) throw modalCovered();
}
