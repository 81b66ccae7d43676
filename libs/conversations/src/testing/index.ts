export { Browser } from './browser.js';
export { ChatFixture } from './chat-fixture.js';
export { LiveRig } from './live-rig.js';
export { createMessage, supply, withStandIns } from './stand-ins.js';
