export { BOTS_WORKER, NO_SLACK_EVENTS } from './bots-worker.js';
export { BotsFixture, startBotsApi } from './bots-fixture.js';
export type { SeededBot } from './bots-fixture.js';
export { startAnotherApi } from './another-api.js';
export type { AnotherApi } from './another-api.js';
export { SocketClient } from './socket-client.js';
