import { channelOf, packFrames, parseSpilled } from './lines.js';

/**
 * What processes listen to. Most channels share the topic that everybody hears; those with a key
 * (`live@<space id>`) are spread over further ones, so that a process gets the traffic of few
 * besides that of the keys it has subscribers for.
 */
const KEYED_TOPICS = 64;
/** The topic that every process hears. */
export const EVERYBODY = '';

/** Lines of one topic, packed. */
export interface TopicFrame {
  topic: string;
  frame: string;
}

/** The topic of a channel. */
export function topicOf(channel: string): string {
  const at = channel.indexOf('@');
  return at < 0 ? EVERYBODY : String(hashOf(channel, at + 1) % KEYED_TOPICS);
}

/**
 * Packs lines into frames of their topics. The order within a topic is kept, and so is that between
 * the topic of everybody and any other: what says that something is missing comes before what
 * follows it, and after what was before.
 */
export function packByTopic(lines: readonly string[], maxBytes: number, stamp: () => string): TopicFrame[] {
  const packed: TopicFrame[] = [];
  let open = new Map<string, string[]>();
  const shut = (): void => {
    for (const [topic, own] of open)
      for (const frame of packFrames(own, maxBytes, stamp)) packed.push({ topic, frame });
    open = new Map();
  };
  for (const line of lines) {
    const topic = topicOf(parseSpilled(line)?.channel ?? channelOf(line));
    if (open.size > 0 && (topic === EVERYBODY) !== open.has(EVERYBODY)) shut();
    const own = open.get(topic);
    if (own) own.push(line);
    else open.set(topic, [line]);
  }
  shut();
  return packed;
}

/** FNV-1a: every process has to come to the same topic. */
function hashOf(text: string, from: number): number {
  let hash = 0x811c9dc5;
  for (let index = from; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
