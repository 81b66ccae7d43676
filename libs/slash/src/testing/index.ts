export { SlashHarness } from './slash-harness.js';
export type { SeededCommand } from './slash-harness.js';
