export { ClientStreamModule } from './client-stream.module.js';
export { FeatureLiveSource } from './feature-live-source.js';
export { STREAMED_OF_CHAT } from './live-event.view.js';
export { LiveEvents } from './live-events.js';
export type { LiveEvent, LiveMessage } from './live-events.js';
export { LiveFanoutModule } from './live-fanout.module.js';
export { peopleHere } from './stream/client-stream.queries.js';
export { BotStatusModule } from './status/status.module.js';
export { STREAMED_STATUSES } from './status/status.view.js';
