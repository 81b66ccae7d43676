export { LiveHarness } from './live-harness.js';
