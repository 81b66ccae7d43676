/** `@tieline/sdk/client`: the client, which also runs in browsers and Deno. */
export { Client } from './client/client.js';
export type { CursorStore } from './client/reading/cursor-ledger.js';
export type { CallOptions, ClientOptions } from './client/transport.js';
export type { DirectMessage } from './client/reading/direct-message.js';
export type { StreamEvent, StreamOptions } from './client/reading/event-stream.js';
export type { Metadata, Options } from './client/messages.js';
export { Messages } from './client/messages.js';
export type { HistoryOptions, ListOptions } from './client/pages.js';
export type { EventsOptions, PolledEvent } from './client/reading/poll-events.js';
export type { ReadingOptions } from './client/reading/reconnects.js';
export type { Envelope, SocketOptions } from './client/reading/socket.js';
export { TielineError } from './client/tieline-error.js';
export type { TielineErrorDetails } from './client/tieline-error.js';
export type { Upload } from './client/upload.js';
export type { WebSocketClass, WebSocketLike } from './client/reading/web-socket.js';
export { SDK_VERSION } from './version.js';
