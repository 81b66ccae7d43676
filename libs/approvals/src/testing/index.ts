export { ALWAYS, contradictions, numbers, OPTIONS } from './reference-machine.js';
export type { Answer, Attempt } from './reference-machine.js';
