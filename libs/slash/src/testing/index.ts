export { SlashRig } from './slash-rig.js';
export type { SeededCommand } from './slash-rig.js';
