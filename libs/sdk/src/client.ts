/** `@tieline/sdk/client`: what runs in browsers and Deno too. */
export { Client } from './client/client.js';
export type { CursorStore } from './client/cursor-ledger.js';
export type { CallOptions, ClientOptions } from './client/door.js';
export type { StreamEvent, StreamOptions } from './client/event-stream.js';
export type { EventsOptions, PolledEvent } from './client/poll-events.js';
export type { ReadingOptions } from './client/reconnects.js';
export type { Envelope, SocketOptions } from './client/socket.js';
export { TielineError } from './client/tieline-error.js';
export type { TielineErrorDetails } from './client/tieline-error.js';
export type { WebSocketClass, WebSocketLike } from './client/web-socket.js';
export { SDK_VERSION } from './version.js';
