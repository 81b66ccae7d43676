import { SHARED_TOPIC, topicOf } from './topics.js';

/** How long a topic stays subscribed after its last subscriber, because clients reconnect. */
const LINGER_MS = 10_000;

interface Heard {
  wanted: number;
  ready: Promise<void>;
  leaving: NodeJS.Timeout | undefined;
}

/** The topics this process listens to: those with subscribers, now or a moment ago. */
export class SubscribedTopics {
  private readonly heard = new Map<string, Heard>();

  constructor(
    private readonly listen: (topic: string) => Promise<void>,
    private readonly leave: (topic: string) => void,
  ) {}

  get all(): Iterable<string> {
    return this.heard.keys();
  }

  /** Adds a subscriber of a channel. Returns a function that removes it. */
  want(channel: string): () => void {
    const topic = topicOf(channel);
    if (topic === SHARED_TOPIC) return () => undefined;
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
    // Before calling the transport: a connecting transport asks for all topics.
    this.heard.set(topic, heard);
    heard.ready = this.listen(topic);
    return heard;
  }

  private drop(topic: string): void {
    this.heard.delete(topic);
    this.leave(topic);
  }
}
