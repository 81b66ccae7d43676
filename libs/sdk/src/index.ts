export { Client, SDK_VERSION, TielineError } from './client.js';
export type {
  CallOptions,
  ClientOptions,
  CursorStore,
  Envelope,
  EventsOptions,
  PolledEvent,
  ReadingOptions,
  SocketOptions,
  StreamEvent,
  StreamOptions,
  TielineErrorDetails,
  WebSocketClass,
  WebSocketLike,
} from './client.js';
