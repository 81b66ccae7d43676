import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { InteractiveMetrics } from '../interactive.metrics.js';
import { InteractionAsker } from '../interactions/interaction-asker.js';
import type { InteractionResult } from '../interactions/interaction-asker.js';
import { ModalTokens } from '../modals/modal-tokens.js';
import { findModalOfClick } from '../modals/modals.queries.js';
import { BuiltinClicks } from './builtin-clicks.js';
import type { BuiltinClickResult } from './builtin-clicks.js';
import { findFeedback } from '../feedback/feedback.queries.js';
import type { FeedbackPress } from '../feedback/feedback.queries.js';
import { claimClick, clickFingerprint } from './component-clicks.queries.js';
import { ClickValidator } from './click-validator.js';
import type { ValidClick } from './click-validator.js';

type Fields = Readonly<Record<string, unknown>>;

/** Handles clicks on buttons and choices in selects. */
@Injectable()
export class ClickHandler {
  constructor(
    private readonly db: Db,
    private readonly validator: ClickValidator,
    private readonly builtinClicks: BuiltinClicks,
    private readonly asker: InteractionAsker,
    private readonly modalTokens: ModalTokens,
    private readonly metrics: InteractiveMetrics,
  ) {}

  /**
   * Handles a click on a button or a choice of a select. The same click within 60 seconds of an
   * accepted one, or while one is in flight, is a `duplicate`. If the earlier click opened a modal
   * that has not been submitted, that modal is opened again. On feedback buttons a click is a
   * duplicate as long as the person's choice is the same. Clicks on links are not sent to the bot.
   * @throws whatever {@link ClickValidator.validate} throws; 503 if the bot gave no usable answer
   */
  async click(user: UserPrincipal, messageId: string, body: Fields): Promise<InteractionResult> {
    const click = await this.validator.validate(user, messageId, body);
    if (click.isLink) return this.openLink(click);
    if (click.isBuiltin) return this.clickBuiltin(click);
    const press = pressOf(click);
    return press ? this.judge(click, press) : this.send(click, clickFingerprint(click.context, click.event));
  }

  private async judge(click: ValidClick, press: FeedbackPress): Promise<InteractionResult> {
    const { context, event } = click;
    const { choice, changes } = await findFeedback(this.db, context.spaceId, press);
    if (choice === press.choice) return this.duplicate(event.type);
    return this.send(click, clickFingerprint(context, event, changes), press);
  }

  private async send(
    { context, event }: ValidClick,
    fingerprint: Buffer,
    press?: FeedbackPress,
  ): Promise<InteractionResult> {
    const { spaceId } = context;
    const claimed = await claimClick(this.db, spaceId, fingerprint, this.asker.leaseMs);
    if (!claimed) return this.repeat(spaceId, fingerprint, event.type);
    const claim = { ...claimed, ...(press && { press }) };
    const { clickId } = claim;
    return this.asker.ask({ context, event, claim, clickId, modalId: undefined, chainDepth: 0 });
  }

  private openLink({ event }: ValidClick): InteractionResult {
    this.metrics.interaction(event.type, 'link');
    return { result: 'noop' };
  }

  private async clickBuiltin({ context, event }: ValidClick): Promise<BuiltinClickResult> {
    const { spaceId, userId, conversationId, messageId, actionId } = context;
    const done = await this.builtinClicks.click({
      spaceId,
      userId,
      conversationId,
      messageId,
      actionId,
      data: event.data,
      ...(event.type === 'select.submit' && { selectedValue: event.selectedValues[0] }),
    });
    this.metrics.interaction(event.type, 'builtin');
    return done;
  }

  private async repeat(spaceId: string, fingerprint: Buffer, eventType: string): Promise<InteractionResult> {
    const duplicate = this.duplicate(eventType);
    const opened = await findModalOfClick(this.db, this.modalTokens, spaceId, fingerprint);
    return opened ? { result: 'open_modal', ...opened } : duplicate;
  }

  private duplicate(eventType: string): InteractionResult {
    this.metrics.interaction(eventType, 'duplicate');
    return { result: 'duplicate' };
  }
}

/** Returns what the click says about the message, if it is on a feedback button. */
function pressOf({ context, event }: ValidClick): FeedbackPress | undefined {
  if (event.type !== 'button.click' || event.feedback === undefined) return undefined;
  return { messageId: context.messageId, userId: context.userId, choice: event.feedback };
}
