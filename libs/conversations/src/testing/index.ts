export { Browser } from './browser.js';
export { ChatFixture } from './chat-fixture.js';
export { LiveHarness } from './live-harness.js';
export { createMessage, supply, withStubs } from './stubs.js';
