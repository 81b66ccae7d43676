import type { ChatEvent } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import type { DirectEventType } from '../poll/direct-event.js';

/** Prefix of the stored types of events in Slack's format, such as `slack.message`. */
export const SLACK_TYPE = 'slack.';

/** Returns whether an event of this stored type has Slack's format. */
export const isSlackType = (eventType: string): boolean => eventType.startsWith(SLACK_TYPE);

/** An event that is addressed to one bot, in Tieline's format. */
export interface DirectForSlack {
  eventId: string;
  eventType: DirectEventType;
  /** The text of `payload_json`. */
  payload: string;
}

/** An event of an installation, which goes to the app itself. */
export interface AppEventForSlack {
  eventId: string;
  appId: string;
  /** The envelope in Tieline's format. */
  body: string;
}

/** An event for one bot whose event format is Slack's. */
export interface BotEventForSlack {
  spaceId: string;
  botId: string;
  /** Whether the bot selects ASSISTANT_THREAD_STARTED: it expects direct chats to be threads. */
  isAssistant: boolean;
  /** Slack's names of the events it subscribed to. Empty: no restriction. */
  subscriptions: readonly string[];
  event: { chat: ChatEvent } | { direct: DirectForSlack };
}

/** An event for a bot or an app. */
export type EventForSlack = BotEventForSlack | { app: AppEventForSlack };

/** An event in Slack's format, ready to be stored. */
export interface SlackEvent {
  eventId: string;
  /** {@link SLACK_TYPE} and the type of the inner event. */
  eventType: `slack.${string}`;
  /** The envelope: JSON that ends in `"event":null}`. */
  head: string;
  /** JSON of the inner event. */
  payload: string;
}

/**
 * Port to the lib that knows Slack's format. It translates once, when events are planned: the
 * result is stored, and retries send the same bytes (docs/slack-apps.md#events).
 */
export abstract class SlackEvents {
  /**
   * Returns what each event is in Slack's format: one or more events, or none for an event without
   * a counterpart. Runs in the planning transaction.
   */
  abstract translate(tx: Tx, events: readonly EventForSlack[]): Promise<SlackEvent[][]>;
}
