import type { ChatEvent } from '@tieline/conversations';
import { Interests } from '@tieline/delivery';
import { NOTICE_CREATED } from '@tieline/spaces';
import type { NoticeEvent } from './notice-event.js';
import { TRIGGERED_EVENT_TYPES } from './event-types.js';
import { keywordMatcher } from './keywords.js';
import type { SubscriptionConfig } from './subscription-config.js';

type Rule = (event: ChatEvent) => boolean;

interface CompiledSubscription {
  config: SubscriptionConfig;
  rules: Rule[];
}

/**
 * Matches events against the active subscriptions of a space. Immutable: a change returns a new
 * instance, so that a failed transaction leaves no trace.
 */
export class SpaceSubscriptions {
  private readonly byEvent = new Interests<CompiledSubscription>();
  /** Separate index, because notices belong to no channel. */
  private readonly byNotice = new Interests<CompiledSubscription>();

  private constructor(private readonly byId: ReadonlyMap<string, CompiledSubscription>) {
    for (const compiled of byId.values()) {
      const { eventTypes, channelIds } = compiled.config;
      this.byEvent.add(compiled, { eventTypes, channelIds });
      const noticeTypes = eventTypes.filter((type) => type === NOTICE_CREATED);
      this.byNotice.add(compiled, { eventTypes: noticeTypes, channelIds: [] });
    }
  }

  static of(configs: readonly SubscriptionConfig[]): SpaceSubscriptions {
    return new SpaceSubscriptions(new Map(configs.map((config) => [config.id, compile(config)])));
  }

  /** Returns a copy with one subscription replaced, or removed if `config` is null. */
  with(id: string, config: SubscriptionConfig | null): SpaceSubscriptions {
    const byId = new Map(this.byId);
    byId.delete(id);
    if (config !== null) byId.set(id, compile(config));
    return new SpaceSubscriptions(byId);
  }

  /**
   * Returns the subscriptions that receive an event, by its type, channel and trigger. Covers
   * channels and their threads, never direct messages. Threads count as their parent channel. A new
   * channel is in no subscription's list yet, so CONVERSATION_CREATED goes to subscriptions for all
   * channels.
   */
  matching(event: ChatEvent): SubscriptionConfig[] {
    if (!isCovered(event)) return [];
    const { event_type: type, channel_id: channelId } = event;
    const candidates =
      type === 'CONVERSATION_CREATED' ? this.byEvent.everywhere(type) : this.byEvent.in(channelId, type);
    return candidates.filter(({ rules }) => rules.every((rule) => rule(event))).map(({ config }) => config);
  }

  /**
   * Returns the subscriptions that receive a notice, regardless of their channels and trigger.
   * Excludes the subscription that the notice is about.
   */
  matchingNotice({ event_type: type, data }: NoticeEvent): SubscriptionConfig[] {
    const candidates = this.byNotice.everywhere(type);
    return candidates.map(({ config }) => config).filter(({ id }) => id !== data.object_id);
  }
}

/** Excludes direct messages, their threads, and the creation and archiving of threads. */
function isCovered({ event_type, conversation }: ChatEvent): boolean {
  if (conversation.is_direct || conversation.scope === 'dm') return false;
  return !(conversation.type === 'thread' && event_type.startsWith('CONVERSATION_'));
}

function compile(config: SubscriptionConfig): CompiledSubscription {
  return { config, rules: triggerRule(config) };
}

function triggerRule({ trigger, triggerConfig }: SubscriptionConfig): Rule[] {
  if (trigger === 'all') return [];
  const wanted =
    trigger === 'mention'
      ? mentionRule(triggerConfig.user_ids ?? [])
      : keywordRule(triggerConfig.keywords ?? []);
  return [(event) => !TRIGGERED_EVENT_TYPES.has(event.event_type) || (hasNewText(event) && wanted(event))];
}

/** Whether the event contains a new text. An update lists it in `changes`. */
function hasNewText(event: ChatEvent): boolean {
  if (event.event_type !== 'MESSAGE_UPDATED') return true;
  const changes: unknown = dataOf(event)['changes'];
  // Absent in events of earlier versions that may still be in the outbox.
  return changes === undefined || listOf(changes).includes('text');
}

/** Matches any mention, or a mention of one of the given people and bots. */
function mentionRule(userIds: readonly string[]): Rule {
  const wanted = new Set(userIds);
  return (event) => {
    const mentions = listOf(dataOf(event)['mentions']);
    return wanted.size === 0 ? mentions.length > 0 : mentions.some((id) => wanted.has(id));
  };
}

function keywordRule(keywords: readonly string[]): Rule {
  if (keywords.length === 0) return () => false;
  const matches = keywordMatcher(keywords);
  return (event) => matches(textOf(dataOf(event)['text']));
}

function dataOf(event: ChatEvent): Record<string, unknown> {
  return event.data as unknown as Record<string, unknown>;
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? (value as string[]) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
