import type { ChatEvent } from '@tieline/conversations';
import { Interests } from '@tieline/delivery';
import { NOTICE_CREATED } from '@tieline/spaces';
import type { NoticeEvent } from './notice-event.js';
import { TRIGGERED_EVENT_TYPES } from './event-types.js';
import { keywordMatcher } from './keywords.js';
import type { SubscriptionConfig } from './subscription-config.js';

type Rule = (event: ChatEvent) => boolean;

interface Compiled {
  config: SubscriptionConfig;
  rules: Rule[];
}

/**
 * The active subscriptions of one space, ready to be asked. Immutable: a change makes a new value,
 * so that a batch whose transaction fails leaves no trace.
 */
export class SpaceSubscriptions {
  private readonly byEvent = new Interests<Compiled>();
  /** Notices are of no channel. */
  private readonly byNotice = new Interests<Compiled>();

  private constructor(private readonly byId: ReadonlyMap<string, Compiled>) {
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

  /** The subscriptions with one of them replaced, or gone when `config` is null. */
  with(id: string, config: SubscriptionConfig | null): SpaceSubscriptions {
    const byId = new Map(this.byId);
    byId.delete(id);
    if (config !== null) byId.set(id, compile(config));
    return new SpaceSubscriptions(byId);
  }

  /**
   * Who gets an event: decisions, section 3 (channels and their threads, never DMs), the
   * subscription's event types, channels and trigger. Threads are judged by their parent; a channel
   * that was just created cannot be on any list yet.
   */
  matching(event: ChatEvent): SubscriptionConfig[] {
    if (!isCovered(event)) return [];
    const { event_type: type, channel_id: channelId } = event;
    const candidates =
      type === 'CONVERSATION_CREATED' ? this.byEvent.everywhere(type) : this.byEvent.in(channelId, type);
    return candidates.filter(({ rules }) => rules.every((rule) => rule(event))).map(({ config }) => config);
  }

  /**
   * Who gets a notice, whatever channels and trigger they have: never the subscription that it is
   * about (decisions, section 11.3).
   */
  noticed({ event_type: type, data }: NoticeEvent): SubscriptionConfig[] {
    const candidates = this.byNotice.everywhere(type);
    return candidates.map(({ config }) => config).filter(({ id }) => id !== data.object_id);
  }
}

/** DMs and their threads reach no subscription; creating or archiving a thread is no event. */
function isCovered({ event_type, conversation }: ChatEvent): boolean {
  if (conversation.is_direct || conversation.scope === 'dm') return false;
  return !(conversation.type === 'thread' && event_type.startsWith('CONVERSATION_'));
}

function compile(config: SubscriptionConfig): Compiled {
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

/** Whether the event brings a text; an update says so in `changes`. */
function hasNewText(event: ChatEvent): boolean {
  if (event.event_type !== 'MESSAGE_UPDATED') return true;
  const changes: unknown = dataOf(event)['changes'];
  // Absent in events of earlier versions that are still in the outbox.
  return changes === undefined || listOf(changes).includes('text');
}

/** Any mention, or one of the given people and bots. */
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
