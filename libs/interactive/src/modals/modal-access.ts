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

/** Who may do something with a modal, and when (decisions, sections 5 and 11.6). */
@Injectable()
export class ModalAccess {
  constructor(
    private readonly db: Db,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * The caller's modal, to be submitted or filled in.
   * @throws 404 unknown; 403 another person's, not a member; 429; 409 the bot has not answered a
   * submission of a validated modal, or another form lies on top; 410 used, expired, being submitted,
   * message deleted; 403 archived
   */
  async requireOpen(user: UserPrincipal, modalToken: string): Promise<Modal> {
    const modal = await this.requireOwn(user, modalToken);
    const requireLive = await this.requireModalPlace(user, modal);
    const { messageId, id, botId, isValidated } = modal;
    // A validated form may be sent again and again until it fits.
    if (!isValidated) await countInteraction(this.limiter, clickRules(user.userId, messageId ?? id, botId));
    requireUsable(modal);
    requireLive();
    return modal;
  }

  /** The same for one that is being filled in, which does not count as a click. */
  async requireFillable(user: UserPrincipal, modalToken: string): Promise<Modal> {
    const modal = await this.requireOwn(user, modalToken);
    const requireLive = await this.requireModalPlace(user, modal);
    requireUsable(modal);
    requireLive();
    return modal;
  }

  /** The same for one that is to be closed, whatever became of the place where it was opened. */
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
}

/** What the bot asked to be held to; undefined where the modal was passed on as it is. */
export function validatedModalOf({ modal, isValidated }: Modal): ValidatedModal | undefined {
  return isValidated ? ModalDefinition.stored(modal, true).validated : undefined;
}

/**
 * A modal as in the contract is used up by its submission, also while the bot may still give it
 * back.
 */
function requireUsable({ isValidated, isAwaiting, isGone, isCovered }: Modal): void {
  if (isValidated && isAwaiting) throw modalAwaitsAnswer();
  if (isGone) throw modalGone();
  if (isCovered) throw modalCovered();
}
