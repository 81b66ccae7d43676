import { Door } from './door.js';
import { readStream } from './event-stream.js';
import type { StreamEvent, StreamOptions } from './event-stream.js';
import { pollEvents } from './poll-events.js';
import type { EventsOptions, PolledEvent } from './poll-events.js';
import { readSocket } from './socket.js';
import type { Envelope, SocketOptions } from './socket.js';

/** The API with its conveniences. Whatever they do not cover goes through {@link Door.call}. */
export class Client extends Door {
  /** The bot's queue of events by polling (docs/polling.md): `for await (const event of client.events())`. */
  events<Payload = unknown>(options?: EventsOptions): AsyncGenerator<PolledEvent<Payload>, void, undefined> {
    return pollEvents(this, options);
  }

  /** The bot's events, clicks and commands over a socket (docs/socket.md). */
  socket<Payload = unknown>(options?: SocketOptions): AsyncGenerator<Envelope<Payload>, void, undefined> {
    return readSocket(this, options);
  }

  /** Server-sent events (docs/streams.md): `/api/v1/bot/stream` for a bot, `/api/v1/client/stream` for a person. */
  stream<Data = unknown>(
    path: '/api/v1/bot/stream' | '/api/v1/client/stream',
    options?: StreamOptions,
  ): AsyncGenerator<StreamEvent<Data>, void, undefined> {
    return readStream(this, path, options);
  }
}
