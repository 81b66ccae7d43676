export { BUTTON, InteractiveRig, SELECT } from './interactive-rig.js';
export type { CalledBack, SeededMessage } from './interactive-rig.js';
export { SuppliedClicks } from './supplied-clicks.js';
export { readBotAnswer } from '../answers/bot-answer.js';
