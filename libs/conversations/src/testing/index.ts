export { ChatFixture } from './chat-fixture.js';
export type { FixtureConversation } from './chat-fixture.js';
