import { SHARED_TOPIC, topicOf } from './topics.js';

/** How long a topic stays subscribed after its last subscriber, because clients reconnect. */
const LINGER_MS = 10_000;

interface TopicState {
  wanted: number;
  ready: Promise<void>;
  leaving: NodeJS.Timeout | undefined;
}

/** The topics this process listens to: those with subscribers, now or a moment ago. */
export class SubscribedTopics {
  private readonly states = new Map<string, TopicState>();

  constructor(
    private readonly listen: (topic: string) => Promise<void>,
    private readonly leave: (topic: string) => void,
  ) {}

  get all(): Iterable<string> {
    return this.states.keys();
  }

  /** Adds a subscriber of a channel. Returns a function that removes it. */
  want(channel: string): () => void {
    const topic = topicOf(channel);
    if (topic === SHARED_TOPIC) return () => undefined;
    const state = this.states.get(topic) ?? this.add(topic);
    state.wanted += 1;
    clearTimeout(state.leaving);
    return () => {
      state.wanted -= 1;
      if (state.wanted === 0) state.leaving = setTimeout(() => this.drop(topic), LINGER_MS).unref();
    };
  }

  async ready(channel: string): Promise<void> {
    await this.states.get(topicOf(channel))?.ready;
  }

  close(): void {
    for (const { leaving } of this.states.values()) clearTimeout(leaving);
  }

  private add(topic: string): TopicState {
    const state: TopicState = { wanted: 0, ready: Promise.resolve(), leaving: undefined };
    // Before calling the transport: a connecting transport asks for all topics.
    this.states.set(topic, state);
    state.ready = this.listen(topic);
    return state;
  }

  private drop(topic: string): void {
    this.states.delete(topic);
    this.leave(topic);
  }
}
