export { BotsFixture, startBotsApi } from './bots-fixture.js';
export type { SeededBot } from './bots-fixture.js';
