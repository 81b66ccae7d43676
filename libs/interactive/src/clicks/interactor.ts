import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { Metrics } from '@tieline/platform/observability';
import { RateLimiter } from '@tieline/platform/rate-limit';
import { SecretBox } from '@tieline/platform/signing';
import { AnswerToolbox } from '../answers/answer-toolbox.js';
import type { BuiltinClickResult } from './builtin-clicks.js';
import { clickRules } from './click-rates.js';
import { acceptClick, claimClick, clickFingerprint, releaseClick } from './component-clicks.queries.js';
import type { ClickClaim } from './component-clicks.queries.js';
import { InteractionDeliverer } from './interaction-deliverer.js';
import type { Claim, InteractionResult } from './interaction-deliverer.js';
import { modalGone, modalNotFound, modalOfAnotherPerson } from '../interactive.errors.js';
import { judgeClick } from './judge-click.js';
import type { JudgedClick } from './judge-click.js';
import { countInteraction, requireLivePlace, requirePlace } from './message-place.js';
import { requireValues } from '../modals/modal-values.js';
import { claimModal, findModal, findModalOfClick, releaseModal, useModal } from '../modals/modals.queries.js';
import type { ModalClaim } from '../modals/modals.queries.js';

type Fields = Readonly<Record<string, unknown>>;

/** Carries out what people do with buttons, selects and modals (contract, Interactive; decisions, sections 5 and 8). */
@Injectable()
export class Interactor {
  constructor(
    private readonly db: Db,
    private readonly limiter: RateLimiter,
    private readonly box: SecretBox,
    private readonly deliverer: InteractionDeliverer,
    private readonly toolbox: AnswerToolbox,
    private readonly metrics: Metrics,
  ) {}

  /**
   * A click on a button or a choice of a select. The same one again within 60 seconds of an accepted one, or beside one in
   * flight, is a `duplicate`; when a modal was opened that nobody has submitted, it is opened again.
   * @throws what {@link judgeClick} throws; 503 when the bot gave no usable answer
   */
  async click(user: UserPrincipal, messageId: string, body: Fields): Promise<InteractionResult> {
    const { db, limiter, box } = this;
    const click = await judgeClick({ db, limiter, box }, user, messageId, body);
    if (click.builtin) return this.clickBuiltin(click, click.builtin);
    const { context, event } = click;
    const fingerprint = clickFingerprint(context, event);
    const claimed = await claimClick(db, context.spaceId, fingerprint, this.deliverer.leaseMs);
    if (!claimed) return this.repeat(context.spaceId, fingerprint, event.type);
    return this.deliverer.deliver(
      { context, event, clickId: claimed.clickId, chainDepth: 0 },
      this.clickClaim(claimed),
    );
  }

  /**
   * The one submission of a modal; `values` may be left out.
   * @throws 404 unknown; 403 another person's, no member; 429; 410 used, expired, being submitted, message deleted; 403 archived;
   *   400 values; 503 when the bot gave no usable answer: the token is then as good as before
   */
  async submit(user: UserPrincipal, modalToken: string, body: Fields): Promise<InteractionResult> {
    const modal = await findModal(this.db, user.spaceId, modalToken);
    if (!modal) throw modalNotFound();
    if (modal.userId !== user.userId) throw modalOfAnotherPerson();
    const place = await requirePlace(this.db, user, modal.messageId);
    await countInteraction(this.limiter, clickRules(user.userId, modal.messageId, modal.botId));
    if (modal.isGone) throw modalGone();
    requireLivePlace(place);
    const values = requireValues(body.values);
    const claimed = await claimModal(this.db, modal, this.deliverer.leaseMs);
    if (!claimed) throw modalGone();
    const { chainDepth } = modal;
    return this.deliverer.deliver(
      { context: modal, event: { type: 'modal.submit', values }, clickId: undefined, chainDepth },
      this.modalClaim(claimed),
    );
  }

  private async clickBuiltin(
    { context, event }: JudgedClick,
    builtin: NonNullable<JudgedClick['builtin']>,
  ): Promise<BuiltinClickResult> {
    const { spaceId, userId, conversationId, messageId, actionId } = context;
    const selected = event.type === 'select.submit' && { selectedValue: event.selectedValue };
    const done = await builtin.click(this.db, {
      spaceId,
      userId,
      conversationId,
      messageId,
      actionId,
      data: event.data,
      ...selected,
    });
    this.metrics.interaction(event.type, 'builtin');
    return done;
  }

  private async repeat(spaceId: string, fingerprint: Buffer, eventType: string): Promise<InteractionResult> {
    this.metrics.interaction(eventType, 'duplicate');
    const opened = await findModalOfClick(this.db, this.toolbox.tools.tokens, spaceId, fingerprint);
    return opened ? { result: 'open_modal', ...opened } : { result: 'duplicate' };
  }

  private clickClaim(claimed: ClickClaim): Claim {
    return {
      occurredAt: claimed.occurredAt,
      accept: (tx) => acceptClick(tx, claimed),
      release: () => releaseClick(this.db, claimed),
    };
  }

  private modalClaim(claimed: ModalClaim): Claim {
    return {
      occurredAt: claimed.occurredAt,
      accept: async (tx) => {
        if (!(await useModal(tx, claimed))) throw modalGone();
      },
      release: () => releaseModal(this.db, claimed),
    };
  }
}
