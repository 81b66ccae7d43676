export { ChatFixture } from './chat-fixture.js';
export type { FixtureConversation } from './chat-fixture.js';
export { LiveApi, LiveRig } from './live-rig.js';
