export { Bus } from './bus.js';
export type { BusEvents, BusHandler } from './bus.js';
