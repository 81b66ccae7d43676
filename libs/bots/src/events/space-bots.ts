import type { ChatEvent } from '@tieline/conversations';
import type { BotPlan } from './bot-plan.js';

interface Compiled {
  plan: BotPlan;
  channels: ReadonlySet<string>;
}

/** The active bots of one space, indexed by event type. Immutable: a batch whose transaction fails leaves no trace. */
export class SpaceBots {
  private constructor(
    private readonly byId: ReadonlyMap<string, Compiled>,
    private readonly byEventType: ReadonlyMap<string, readonly Compiled[]>,
  ) {}

  static of(plans: readonly BotPlan[]): SpaceBots {
    return SpaceBots.indexed(
      new Map(plans.map((plan) => [plan.id, { plan, channels: new Set(plan.channelIds) }])),
    );
  }

  private static indexed(byId: Map<string, Compiled>): SpaceBots {
    const byEventType = new Map<string, Compiled[]>();
    for (const compiled of byId.values()) {
      if (compiled.plan.mode === 'none') continue;
      for (const type of compiled.plan.eventTypes) {
        const list = byEventType.get(type);
        if (list) list.push(compiled);
        else byEventType.set(type, [compiled]);
      }
    }
    return new SpaceBots(byId, byEventType);
  }

  /** The bots with one of them replaced, or gone when `plan` is null. */
  with(id: string, plan: BotPlan | null): SpaceBots {
    const byId = new Map(this.byId);
    byId.delete(id);
    if (plan !== null) byId.set(id, { plan, channels: new Set(plan.channelIds) });
    return SpaceBots.indexed(byId);
  }

  find(id: string): BotPlan | undefined {
    return this.byId.get(id)?.plan;
  }

  /**
   * The bots that get an event (decisions, section 3): they want its type, are members where the channel is not public, and are not
   * narrowed to other channels. None hears of its own messages and reactions.
   */
  matching(event: ChatEvent): BotPlan[] {
    const { conversation, event_type: type } = event;
    const isDirect = isDirectConversation(event);
    if (type.startsWith('CONVERSATION_') && (isDirect || conversation.type === 'thread')) return [];
    return (this.byEventType.get(type) ?? [])
      .filter(({ plan }) => reaches(event, plan.id) && !causedBy(event, plan.id))
      .filter(({ channels }) => isDirect || channels.size === 0 || channels.has(event.channel_id))
      .map(({ plan }) => plan);
  }

  /** The bots whose DM stream carries a message, whatever their mode and event types (contract, `GET /bot/stream`). */
  streaming(event: ChatEvent): string[] {
    if (event.event_type !== 'MESSAGE_CREATED' || !isDirectConversation(event)) return [];
    return event.bot_ids.filter((id) => this.byId.has(id) && !causedBy(event, id));
  }
}

function isDirectConversation({ conversation }: ChatEvent): boolean {
  return conversation.is_direct || conversation.scope === 'dm';
}

function reaches({ conversation, bot_ids: members }: ChatEvent, botId: string): boolean {
  return conversation.scope === 'public' || members.includes(botId);
}

function causedBy(
  { event_type: type, actor_type: actorType, actor_id: actorId }: ChatEvent,
  botId: string,
): boolean {
  return actorType === 'bot' && actorId === botId && /^(MESSAGE|REACTION)_/.test(type);
}
