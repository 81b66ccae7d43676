export { BOTS_WORKER } from './bots-worker.js';
export { BotsFixture, startBotsApi } from './bots-fixture.js';
export type { SeededBot } from './bots-fixture.js';
