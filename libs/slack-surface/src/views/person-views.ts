import { Injectable } from '@nestjs/common';
import {
  actionGone,
  botAnswerUnreadable,
  clickRules,
  countInteraction,
  DirectInteractions,
  findView,
  modalAwaitsAnswer,
  modalCovered,
  modalNotFound,
  suggestionRules,
  TriggerIds,
} from '@tieline/interactive';
import type { AppView } from '@tieline/interactive';
import { Db } from '@tieline/platform/database';
import { invalidField } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { RateLimiter } from '@tieline/rate-limit';
import type { BlockOptionsAnswer } from '../block-actions/block-options.view.js';
import type { BlockActionDto, BlockOptionsDto } from '../block-actions/dto/block-action.dto.js';
import { actionOf } from '../blocks/actions.js';
import { readValue } from '../blocks/element-values.js';
import { findElement } from '../blocks/find-element.js';
import type { BlockElement } from '../blocks/find-element.js';
import { resolveReferences } from '../blocks/references.js';
import type { SentValues } from '../blocks/references.js';
import type { Json } from '../blocks/rules.js';
import { readState } from '../blocks/state.js';
import type { StateValues } from '../blocks/state.js';
import { readSuggestions } from '../blocks/suggestions.js';
import { slackId } from '../ids/slack-ids.js';
import { AskApp } from '../interactions/ask-app.js';
import { tsOf } from '../ts/ts.js';
import { ShowViews } from './show-views.js';
import { blocksOf, hashOf, isNative } from './view-shapes.js';

/** What people do inside views (docs/slack-apps.md#views). */
@Injectable()
export class PersonViews {
  constructor(
    private readonly db: Db,
    private readonly limiter: RateLimiter,
    private readonly triggers: TriggerIds,
    private readonly app: AskApp,
    private readonly shown: ShowViews,
    private readonly direct: DirectInteractions,
  ) {}

  /**
   * Returns the caller's open view.
   * @throws 404 unknown, ended, another person's, or of a deleted bot
   */
  async require({ spaceId, userId }: UserPrincipal, viewId: string): Promise<AppView> {
    const view = await findView(this.db, spaceId, viewId);
    if (view?.userId !== userId) throw modalNotFound();
    return view;
  }

  /** Returns the caller's view if no other one covers it. @throws also 409 */
  async requireUsable(user: UserPrincipal, viewId: string): Promise<AppView> {
    const view = await this.require(user, viewId);
    if (view.isCovered) throw modalCovered();
    return view;
  }

  /**
   * Sends `block_actions` to the app, or `home.action` to a native bot. The element is that of the
   * current view.
   * @throws as {@link requireUsable} and {@link AskApp.ask}. 400 a value that the element does not
   *   offer. 410 the element is not there any more. 429
   */
  async act(user: UserPrincipal, viewId: string, action: BlockActionDto): Promise<void> {
    const view = await this.requireUsable(user, viewId);
    await countInteraction(this.limiter, clickRules(user.userId, viewId, view.botId));
    const found = requireElement(view, action);
    const { block, element } = found;
    if (block['type'] === 'input' && block['dispatch_action'] !== true) throw actionGone();
    const sent = {
      value: readValue(element, action.value, 'value'),
      state: readState(blocksOf(view), action.state),
    };
    if (isNative(view)) return this.actNative(user, view, found, sent);
    const { value, state } = await resolveReferences(this.db, user, sent);
    const actions = [actionOf(found, value, tsOf(new Date().toISOString().replace('Z', '000000Z')))];
    await this.app.ask(view, { type: 'block_actions', ...(await this.fields(view, state)), actions });
  }

  private async actNative(
    user: UserPrincipal,
    view: AppView,
    { block, element }: BlockElement,
    sent: Required<SentValues>,
  ): Promise<void> {
    const { value, state } = await resolveReferences(this.db, user, sent, 'native');
    const [blockId, actionId] = [String(block['block_id']), String(element['action_id'])];
    const own = element['value'];
    await this.direct.send({
      ...{ spaceId: view.spaceId, botId: view.botId, userId: view.userId },
      ...{ eventType: 'home.action', actionId },
      fields: {
        ...{ block_id: blockId, action_id: actionId, element_type: element['type'] },
        value: { ...(own !== undefined && { value: own }), ...value },
        ...{ state, hash: hashOf(view) },
      },
    });
  }

  /**
   * Asks the app for options of an external select.
   * @throws as {@link act}. 503 also for options that are not valid
   */
  async suggest(
    user: UserPrincipal,
    viewId: string,
    { query, ...named }: BlockOptionsDto,
  ): Promise<Omit<BlockOptionsAnswer, 'ok'>> {
    const view = await this.requireUsable(user, viewId);
    await countInteraction(this.limiter, suggestionRules(view));
    const { block, element } = requireElement(view, named);
    if (!/^(?:multi_)?external_select$/.test(String(element['type'])))
      throw invalidField('action_id', 'action_id must be that of an external select');
    const { trigger_id: _, ...fields } = await this.fields(view, {});
    const answer = await this.app.ask(view, {
      type: 'block_suggestion',
      ...fields,
      block_id: block['block_id'],
      action_id: element['action_id'],
      value: query,
    });
    const suggestions = readSuggestions(answer);
    if (!suggestions) throw botAnswerUnreadable('');
    return suggestions;
  }

  /** Returns what the person entered in a view. @throws 400 */
  async stateOf(user: UserPrincipal, view: AppView, given: unknown): Promise<StateValues> {
    const { state } = await resolveReferences(this.db, user, { state: readState(blocksOf(view), given) });
    return state;
  }

  /** Returns the id of a trigger for what the person does in a view. */
  triggerOf({ spaceId, botId, userId }: AppView): string {
    const outside = { conversationId: null, threadId: null, messageId: null, actionId: '' };
    return this.triggers.issue(spaceId, { botId, userId, ...outside });
  }

  private async fields(view: AppView, values: StateValues): Promise<Json> {
    return {
      trigger_id: this.triggerOf(view),
      container: { type: 'view', view_id: slackId('view', view.id) },
      view: await this.shown.forApp(view, values),
    };
  }
}

/** Refuses a view that is being submitted. */
export const requireClaim = <Claim>(claim: Claim | undefined): Claim => {
  if (claim === undefined) throw modalAwaitsAnswer();
  return claim;
};

function requireElement(
  view: AppView,
  { block_id: blockId, action_id: actionId }: Pick<BlockActionDto, 'block_id' | 'action_id'>,
): BlockElement {
  const found = findElement(blocksOf(view), blockId, actionId);
  if (!found) throw actionGone();
  return found;
}
