import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Tx } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { charged, RateLimiter } from '@tieline/rate-limit';
import { ChoiceAsker } from '../../choices/choice-asker.js';
import type { ChoiceQuestion, ChoiceTarget } from '../../choices/choice-asker.js';
import type { Choice } from '../../choices/choice.view.js';
import { MAX_CHOICES } from '../../choices/dto/choices.dto.js';
import { suggestionRules } from '../../clicks/click-rates.js';
import { holdClickedBot } from '../../config/interactive-config.queries.js';
import { InteractionRequests } from '../../interactions/interaction-requests.js';
import { actionGone, fieldWithoutOptions } from '../../interactive.errors.js';
import type { ValidatedModal } from '../validated/modal-definition.js';
import type { FieldOption } from '../validated/modal-field.js';
import { validatedModalOf, ModalAccess } from '../modal-access.js';
import type { Modal } from '../modals.queries.js';

const EVENT = 'modal.options';

/** A field and the text typed so far. */
export interface TypedField {
  field: string;
  typed: string;
}

/** Suggests options for a field of a modal while a person types. */
@Injectable()
export class ModalOptions {
  constructor(
    private readonly access: ModalAccess,
    private readonly limiter: RateLimiter,
    private readonly requests: InteractionRequests,
    private readonly asker: ChoiceAsker,
  ) {}

  /**
   * Returns matching options. For a field with `options_from: "bot"`, asks the bot and waits up to
   * three seconds.
   * @throws whatever {@link ModalAccess.requireFillable} throws; 400 if the field has no options;
   *   429
   */
  async suggest(user: UserPrincipal, modalToken: string, typed: TypedField): Promise<Choice[]> {
    const modal = await this.access.requireFillable(user, modalToken);
    const validated = validatedModalOf(modal);
    const field = validated?.fields.find(({ id }) => id === typed.field);
    if (field?.options) return matchingOptions(field.options, typed.typed);
    if (!validated || !field?.hasBotOptions) throw fieldWithoutOptions();
    return charged(this.limiter, suggestionRules(modal), () => this.askBot(modal, validated, typed));
  }

  private askBot(
    modal: Modal,
    { privateMetadata }: ValidatedModal,
    { field, typed }: TypedField,
  ): Promise<Choice[]> {
    const { spaceId, userId, conversationId, messageId, threadId, triggerId, actionId } = modal;
    const about = {
      ...{ action_id: actionId, field, typed },
      ...{ user_id: userId, conversation_id: conversationId, space_id: spaceId },
      ...(messageId !== null && { message_id: messageId }),
      ...(threadId !== null && { thread_id: threadId }),
      ...(triggerId !== null && { trigger_id: triggerId }),
      ...(privateMetadata !== undefined && { private_metadata: privateMetadata }),
    };
    const question: ChoiceQuestion = {
      ...{ spaceId, userId, conversationId, eventType: EVENT },
      fingerprint: createHash('sha256')
        .update(JSON.stringify([userId, modal.id, field, typed]))
        .digest(),
      payload: { event_type: EVENT, ...about },
    };
    return this.asker.ask(question, (tx) => this.hold(tx, modal));
  }

  private async hold(tx: Tx, modal: Modal): Promise<ChoiceTarget> {
    const { spaceId, botId } = modal;
    const bot = await holdClickedBot(tx, spaceId, botId);
    if (!bot) throw actionGone();
    if (!bot.isActive) return { botId, mode: 'none', address: undefined };
    const address = bot.mode === 'poll' ? undefined : await this.requests.addressFor(modal, tx);
    return { botId, mode: bot.mode, address };
  }
}

/** Returns the options that contain the typed text. */
function matchingOptions(options: readonly FieldOption[], typed: string): Choice[] {
  const wanted = typed.toLowerCase();
  return options
    .filter(({ label, value }) => `${label}\n${value}`.toLowerCase().includes(wanted))
    .slice(0, MAX_CHOICES)
    .map(({ label, value }) => ({ name: label, value }));
}
