import type { ChatEvent } from '@tieline/conversations';
import { Interests } from '@tieline/delivery';
import type { BotPlan } from './bot-plan.js';

/**
 * The active bots of one space. Immutable, so that a batch whose transaction fails leaves no trace.
 */
export class SpaceBots {
  private readonly interests = new Interests<BotPlan>();

  private constructor(private readonly byId: ReadonlyMap<string, BotPlan>) {
    for (const plan of byId.values()) if (plan.mode !== 'none') this.interests.add(plan, plan);
  }

  static of(plans: readonly BotPlan[]): SpaceBots {
    return new SpaceBots(new Map(plans.map((plan) => [plan.id, plan])));
  }

  /** Returns a copy with one bot replaced, or removed if `plan` is null. */
  with(id: string, plan: BotPlan | null): SpaceBots {
    const byId = new Map(this.byId);
    byId.delete(id);
    if (plan !== null) byId.set(id, plan);
    return new SpaceBots(byId);
  }

  find(id: string): BotPlan | undefined {
    return this.byId.get(id);
  }

  /** Returns the bots with a type in their `event_types`, whatever their channels are. */
  selecting(type: string): BotPlan[] {
    return [...this.byId.values()].filter(
      ({ mode, eventTypes }) => mode !== 'none' && eventTypes.includes(type),
    );
  }

  /**
   * Returns the bots that receive an event: they subscribe to its type, are members if the channel
   * is not public, and are not limited to other channels. A bot never receives events of
   * what it sent itself (docs/polling.md#which-events-a-bot-receives).
   */
  matching(event: ChatEvent): BotPlan[] {
    const { conversation, event_type: type } = event;
    const isDirect = isDirectConversation(event);
    if (type.startsWith('CONVERSATION_') && (isDirect || conversation.type === 'thread')) return [];
    const candidates =
      conversation.scope === 'public'
        ? this.interests.in(event.channel_id, type)
        : this.members(event, isDirect);
    return candidates.filter(({ id }) => !causedBy(event, id));
  }

  private members(
    { bot_ids: ids, channel_id: channelId, event_type: type }: ChatEvent,
    isDirect: boolean,
  ): BotPlan[] {
    return ids
      .flatMap((id) => this.byId.get(id) ?? [])
      .filter(({ mode, eventTypes }) => mode !== 'none' && eventTypes.includes(type))
      .filter(({ channelIds }) => isDirect || channelIds.length === 0 || channelIds.includes(channelId));
  }

  /** Returns the bots whose DM stream carries a message, in every mode and with any event types. */
  streaming(event: ChatEvent): string[] {
    if (event.event_type !== 'MESSAGE_CREATED' || !isDirectConversation(event)) return [];
    return event.bot_ids.filter((id) => this.byId.has(id) && !causedBy(event, id));
  }
}

function isDirectConversation({ conversation }: ChatEvent): boolean {
  return conversation.is_direct || conversation.scope === 'dm';
}

function causedBy(
  { event_type: type, actor_type: actorType, actor_id: actorId }: ChatEvent,
  botId: string,
): boolean {
  return actorType === 'bot' && actorId === botId && /^(MESSAGE|REACTION)_/.test(type);
}
