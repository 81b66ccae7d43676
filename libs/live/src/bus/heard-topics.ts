import { EVERYBODY, topicOf } from './topics.js';

/**
 * A topic that nobody here wants any more is listened to for so long: whoever was disconnected
 * comes back.
 */
const LINGER_MS = 10_000;

interface Heard {
  wanted: number;
  ready: Promise<void>;
  leaving: NodeJS.Timeout | undefined;
}

/** Which topics this process listens to: those that have subscribers, and had them a moment ago. */
export class HeardTopics {
  private readonly heard = new Map<string, Heard>();

  constructor(
    private readonly listen: (topic: string) => Promise<void>,
    private readonly leave: (topic: string) => void,
  ) {}

  get all(): Iterable<string> {
    return this.heard.keys();
  }

  /** A channel has one more subscriber. Returns the function that says it has one less. */
  want(channel: string): () => void {
    const topic = topicOf(channel);
    if (topic === EVERYBODY) return () => undefined;
    const heard = this.heard.get(topic) ?? this.add(topic);
    heard.wanted += 1;
    clearTimeout(heard.leaving);
    return () => {
      heard.wanted -= 1;
      if (heard.wanted === 0) heard.leaving = setTimeout(() => this.drop(topic), LINGER_MS).unref();
    };
  }

  async ready(channel: string): Promise<void> {
    await this.heard.get(topicOf(channel))?.ready;
  }

  close(): void {
    for (const { leaving } of this.heard.values()) clearTimeout(leaving);
  }

  private add(topic: string): Heard {
    const heard: Heard = { wanted: 0, ready: Promise.resolve(), leaving: undefined };
    // Before the transport is asked: one that is just connecting asks for all topics.
    this.heard.set(topic, heard);
    heard.ready = this.listen(topic);
    return heard;
  }

  private drop(topic: string): void {
    this.heard.delete(topic);
    this.leave(topic);
  }
}
