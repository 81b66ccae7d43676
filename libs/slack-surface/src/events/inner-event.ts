/** The `event` of an envelope in Slack's format. */
export type InnerEvent = { type: string; event_ts: string } & Record<string, unknown>;
