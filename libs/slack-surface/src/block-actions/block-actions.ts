import { Injectable } from '@nestjs/common';
import type { FeedbackChoice } from '@tieline/conversations';
import {
  botAnswerUnreadable,
  clickRules,
  countInteraction,
  storeFeedback,
  suggestionRules,
} from '@tieline/interactive';
import { Db, runInTx } from '@tieline/platform/database';
import { invalidField } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { RateLimiter } from '@tieline/rate-limit';
import { actionOf } from '../blocks/actions.js';
import { readValue } from '../blocks/element-values.js';
import type { ElementValue } from '../blocks/element-values.js';
import { resolveReferences } from '../blocks/references.js';
import { readState } from '../blocks/state.js';
import type { Json } from '../blocks/rules.js';
import { readSuggestions } from '../blocks/suggestions.js';
import { AskApp } from '../interactions/ask-app.js';
import { tsNow } from '../ts/ts.js';
import { ActedMessages, requireElement } from './acted-message.js';
import type { BlockOptionsAnswer } from './block-options.view.js';
import type { BlockActionDto, BlockOptionsDto } from './dto/block-action.dto.js';

/** What people do with elements of messages of Slack apps (docs/slack-apps.md#interactions). */
@Injectable()
export class BlockActions {
  constructor(
    private readonly db: Db,
    private readonly limiter: RateLimiter,
    private readonly messages: ActedMessages,
    private readonly app: AskApp,
  ) {}

  /**
   * Sends `block_actions` to the app. The element and its options are those of the current
   * message. A choice on feedback buttons is stored when the app has it, and its withdrawal is only
   * stored.
   * @throws what {@link ActedMessages.require}, {@link requireElement} and {@link AskApp.ask}
   *   throw. 400 a value that the element does not offer. 429
   */
  async act(user: UserPrincipal, messageId: string, action: BlockActionDto): Promise<void> {
    const acted = await this.messages.require(user, messageId);
    const { botId, source } = acted;
    await countInteraction(this.limiter, clickRules(user.userId, messageId, botId));
    const found = requireElement(acted, user, action);
    const sent = {
      value: readValue(found.element, action.value, 'value'),
      state: readState(source.blocks ?? [], action.state),
    };
    const { value, state } = await resolveReferences(this.db, user, sent);
    const choice = choiceOn(found.element, value);
    if (choice !== 'none')
      await this.app.ask(
        { spaceId: user.spaceId, botId, userId: user.userId },
        {
          type: 'block_actions',
          ...(await this.messages.fields(user, acted)),
          state: { values: state },
          actions: [actionOf(found, value, tsNow())],
        },
      );
    if (choice !== undefined) await this.remember(user, messageId, choice);
  }

  private remember({ spaceId, userId }: UserPrincipal, messageId: string, choice: FeedbackChoice) {
    return runInTx(this.db, (tx) => storeFeedback(tx, spaceId, { messageId, userId, choice }), {
      spaceId,
      place: messageId,
    });
  }

  /**
   * Asks the app for options of an external select.
   * @throws as {@link act}. 503 also for options that are not valid
   */
  async suggest(
    user: UserPrincipal,
    messageId: string,
    { query, ...named }: BlockOptionsDto,
  ): Promise<Omit<BlockOptionsAnswer, 'ok'>> {
    const acted = await this.messages.require(user, messageId);
    const { spaceId, userId } = user;
    const { botId } = acted;
    await countInteraction(this.limiter, suggestionRules({ userId, botId }));
    const { block, element } = requireElement(acted, user, named);
    if (!/^(?:multi_)?external_select$/.test(String(element['type'])))
      throw invalidField('action_id', 'action_id must be that of an external select');
    const answer = await this.app.ask(
      { spaceId, botId, userId },
      {
        type: 'block_suggestion',
        ...(await this.messages.fields(user, acted)),
        block_id: block['block_id'],
        action_id: element['action_id'],
        value: query,
      },
    );
    const suggestions = readSuggestions(answer);
    if (!suggestions) throw botAnswerUnreadable('');
    return suggestions;
  }
}

/** Returns what a person thinks of a message, if the element is feedback buttons. */
function choiceOn(element: Json, { value }: ElementValue): FeedbackChoice | undefined {
  if (element['type'] !== 'feedback_buttons') return undefined;
  if (value === null) return 'none';
  return value === (element['positive_button'] as Json)['value'] ? 'positive' : 'negative';
}
