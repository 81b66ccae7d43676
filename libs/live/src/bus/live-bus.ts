import { doneWithin } from '@tieline/background';
import { Bus } from './bus.js';
import type { BusEvents, BusHandler } from './bus.js';
import { SubscribedTopics } from './subscribed-topics.js';
import { GAP_LINE, lineOf } from './lines.js';
import { Outgoing } from './outgoing.js';
import { Subscribers } from './subscribers.js';
import type { Transport, TransportEvents } from './transport.js';

/** How long closing waits for pending messages, in milliseconds. */
const FLUSH_MS = 500;

/** A bus on top of any {@link Transport}. */
export class LiveBus extends Bus {
  private readonly subscribers: Subscribers;
  private readonly outgoing: Outgoing;
  private readonly topics: SubscribedTopics;
  private readonly reconnectHandlers = new Set<() => void>();
  private sendable = false;
  private listening = false;
  private wasListening = false;
  private closed = false;
  private started: Promise<void> | undefined;
  private onConnected: () => void = () => undefined;

  constructor(
    private readonly transport: Transport,
    private readonly events: BusEvents = {},
  ) {
    super();
    this.subscribers = new Subscribers(() => this.events.dropped?.(1, 'handler'));
    this.topics = new SubscribedTopics(
      (topic) => this.transport.listen(topic),
      (topic) => this.transport.leave(topic),
    );
    this.outgoing = new Outgoing(
      (lines) => this.transport.send(lines),
      (count, reason) => this.events.dropped?.(count, reason),
    );
  }

  override get connected(): boolean {
    return this.sendable && this.listening;
  }

  override publish(channel: string, payload: unknown): void {
    const line = lineOf(channel, payload);
    if (line === undefined) this.events.dropped?.(1, 'unserialisable');
    else this.outgoing.push(line);
  }

  override subscribe(channel: string, handler: BusHandler): () => void {
    const remove = this.subscribers.add(channel, handler);
    const unwant = this.topics.want(channel);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      remove();
      unwant();
    };
  }

  override ready(channel: string): Promise<void> {
    return this.topics.ready(channel);
  }

  override onReconnect(handler: () => void): () => void {
    const own = (): void => handler();
    this.reconnectHandlers.add(own);
    return () => this.reconnectHandlers.delete(own);
  }

  override start(): Promise<void> {
    this.started ??= new Promise((resolve) => {
      this.onConnected = resolve;
      this.transport.start(this.transportEvents());
    });
    return this.started;
  }

  override async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.topics.close();
    await doneWithin(this.outgoing.flushed(), FLUSH_MS);
    this.outgoing.shut();
    this.onConnected();
    await this.transport.close();
  }

  private transportEvents(): TransportEvents {
    return {
      received: (lines) => lines.forEach((line) => this.receive(line)),
      sendable: (up) => this.setSendable(up),
      listening: (up) => this.setListening(up),
      missed: () => this.tellMissed(),
      wants: (channel) => this.subscribers.has(channel),
      topics: () => this.topics.all,
      failed: (error) => this.events.failed?.(error),
    };
  }

  private receive(line: string): void {
    if (line === GAP_LINE) this.tellMissed();
    else this.subscribers.dispatch(line);
  }

  private setSendable(up: boolean): void {
    if (this.closed) return;
    this.sendable = up;
    if (up) this.outgoing.open();
    else this.outgoing.shut();
    if (this.connected) this.onConnected();
  }

  private setListening(up: boolean): void {
    if (this.closed) return;
    this.listening = up;
    if (up && this.wasListening) this.tellMissed();
    this.wasListening ||= up;
    if (this.connected) this.onConnected();
  }

  private tellMissed(): void {
    for (const handler of [...this.reconnectHandlers]) {
      try {
        handler();
      } catch {
        this.events.dropped?.(1, 'handler');
      }
    }
  }
}
