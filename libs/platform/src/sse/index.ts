export { sseFrame } from './sse-frame.js';
export { SseModule } from './sse.module.js';
export { SseStream } from './sse-stream.js';
export type { SseCloseReason } from './sse-stream.js';
export { SseStreams } from './sse-streams.js';
export type { SseObserver, SseRequest } from './sse-streams.js';
