import { normalizeEmoji } from '@tieline/conversations';

/** Returns the name of a reaction without colons, or the emoji itself if it has no name here. */
export const emojiName = (reaction: string): string => reaction.replaceAll(/^:|:$/g, '');

/** Returns the reaction of a name, or undefined if it is malformed. */
export const reactionOf = (name: string): string | undefined =>
  normalizeEmoji(/^[\w+'.:-]+$/.test(name) ? `:${name.replaceAll(/^:|:$/g, '')}:` : name);
