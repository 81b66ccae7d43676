export { convertMarkup } from './markup.js';
export { fencesOnOwnLines } from './fences.js';
export type { Dialect } from './fences.js';
export { markdownNodes, plainText, withMentions } from './markdown-nodes.js';
export type { Node } from './markdown-nodes.js';
export { literalMarkdown } from './literal.js';
export { slackMarkup } from './slack-markup.js';
