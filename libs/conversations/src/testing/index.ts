export { ChatFixture } from './chat-fixture.js';
export type { FixtureConversation } from './chat-fixture.js';
export { LiveApi, LiveRig } from './live-rig.js';
export { createMessage, deleteMessage, editMessage, NO_BOTS, supply, withStandIns } from './stand-ins.js';
