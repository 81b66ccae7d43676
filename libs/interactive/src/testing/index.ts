export { AnswerTimeouts, LONG_MS } from './answer-timeouts.js';
export { BUTTON, InteractiveHarness, SELECT } from './interactive-harness.js';
export type { CalledBack, SeededMessage } from './interactive-harness.js';
export { SuppliedClicks } from './supplied-clicks.js';
export { readBotAnswer } from '../answers/bot-answer.js';
