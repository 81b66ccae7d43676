import { channelOf, packFrames, parseSpilled } from './lines.js';

/**
 * Number of topics for channels with a key (`live@<space id>`). Most channels share one topic.
 * Spreading the others means that a process receives little traffic besides that of the keys it
 * subscribes to.
 */
const KEYED_TOPICS = 64;
/** The topic that every process listens to. */
export const SHARED_TOPIC = '';

/** Packed lines of one topic. */
export interface TopicFrame {
  topic: string;
  frame: string;
}

/** Returns the topic of a channel. */
export function topicOf(channel: string): string {
  const at = channel.indexOf('@');
  return at < 0 ? SHARED_TOPIC : String(hashOf(channel, at + 1) % KEYED_TOPICS);
}

/**
 * Packs lines into frames by topic. Keeps the order within a topic, and between the shared topic
 * and any other: a notice of dropped messages comes before what follows it, and after what preceded
 * it.
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
    if (open.size > 0 && (topic === SHARED_TOPIC) !== open.has(SHARED_TOPIC)) shut();
    const own = open.get(topic);
    if (own) own.push(line);
    else open.set(topic, [line]);
  }
  shut();
  return packed;
}

/** FNV-1a. Every process must compute the same topic. */
function hashOf(text: string, from: number): number {
  let hash = 0x811c9dc5;
  for (let index = from; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
