export { convertMarkup } from './markup.js';
export { fencesOnOwnLines } from './fences.js';
export type { Dialect } from './fences.js';
export { literalMarkdown } from './literal.js';
export { slackMarkup } from './slack-markup.js';
