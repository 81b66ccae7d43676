/** A message that an event refers to. */
export interface MessageFacts {
  ts: string;
  authorId: string;
  /** Channel of the message; of a reply, that of its root message. */
  channel: string;
  /** `ts` of the root message of a reply. */
  threadTs: string | undefined;
}

/** What translating needs besides the events: read once for all events of a batch. */
export interface EventFacts {
  /** Ids of apps by the id of their bot. A bot without an app counts as its own app. */
  readonly apps: ReadonlyMap<string, string>;
  /** Ids of bots for which each message of a person in a direct chat belongs to a thread. */
  readonly assistants: ReadonlySet<string>;
  /** Slack's names of the events that bots of installations subscribed to, by installation. */
  readonly subscriptions: ReadonlyMap<string, readonly string[]>;
  /** By id. */
  readonly messages: ReadonlyMap<string, MessageFacts>;
  /** Published homes that people opened, as the app sees them, by `homeKey`. */
  readonly homes: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

/** Returns the id of the app that a bot belongs to. */
export const appOf = (facts: EventFacts, botId: string): string => facts.apps.get(botId) ?? botId;
