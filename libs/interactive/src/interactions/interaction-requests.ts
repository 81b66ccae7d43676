import { Injectable } from '@nestjs/common';
import type { BotCallback } from '@tieline/ask-bot';
import { Db } from '@tieline/platform/database';
import type { Queryable } from '@tieline/platform/database';
import { SecretBox } from '@tieline/signing';
import { uuidv7 } from 'uuidv7';
import { findComponentState } from '../config/interactive-config.queries.js';
import { CommandCallbacks } from '../modals/command-callbacks.js';
import type { ResponseFields } from '../responses/response-tokens.js';
import { ResponseTokens } from '../responses/response-tokens.js';
import { writeExact } from '../schema/exact-json.js';
import { TriggerIds } from '../triggers/trigger-ids.js';
import { interactionPayload } from './interaction-context.js';
import type { InteractionContext, InteractionEvent } from './interaction-context.js';

type Address = NonNullable<Awaited<ReturnType<CommandCallbacks['find']>>>;

/** Builds the requests that send interactions to bots. */
@Injectable()
export class InteractionRequests {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly responses: ResponseTokens,
    private readonly triggers: TriggerIds,
    private readonly commands: CommandCallbacks,
  ) {}

  /**
   * Returns the payload as JSON text, with a new response token. Clicks have a new trigger id.
   * @param interactionId set if the bot answers with `respond`
   */
  payload(
    context: InteractionContext,
    event: InteractionEvent,
    occurredAt: string,
    interactionId?: string,
  ): string {
    const late = this.late(context, event);
    const isClick = !event.type.startsWith('modal.');
    const triggerId = isClick ? this.triggers.issue(context.spaceId, context) : context.triggerId;
    return writeExact(interactionPayload(context, event, occurredAt, late, triggerId, interactionId));
  }

  /** Returns the callback that sends an interaction, or undefined if the bot has no address. */
  async callbackFor(
    context: InteractionContext,
    event: InteractionEvent['type'],
    payload: string,
  ): Promise<BotCallback | undefined> {
    const { spaceId, botId } = context;
    const address = await this.addressFor(context);
    const kind = event.startsWith('modal.') ? 'submit' : 'click';
    return address && { ...address, spaceId, botId, kind, event, deliveryId: uuidv7(), payload };
  }

  /**
   * Returns the address for clicks. Without one, returns the address of the command that opened the
   * modal, if any.
   */
  async addressFor(
    { spaceId, botId, commandId }: Pick<InteractionContext, 'spaceId' | 'botId' | 'commandId'>,
    q: Queryable = this.db,
  ): Promise<Address | undefined> {
    const state = await findComponentState(q, this.box, spaceId, botId);
    if (state?.callback) {
      const { callbackUrl: url, signingSecret: secret, previousSecret } = state.callback;
      return { url, secret, ...(previousSecret !== undefined && { previousSecret }) };
    }
    return commandId === null ? undefined : this.commands.find(q, { spaceId, commandId });
  }

  private late(context: InteractionContext, event: InteractionEvent): ResponseFields {
    const submitted = context.triggerId === null ? 'submit' : 'command';
    const kind = event.type.startsWith('modal.') ? submitted : 'click';
    return this.responses.issue(context.spaceId, { ...context, kind, id: uuidv7() });
  }
}
