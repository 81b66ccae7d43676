import { normalizeEmoji } from '@tieline/conversations';
import { gemoji, nameToEmoji } from 'gemoji';

/** Names in Slack that GitHub's list lacks. */
const SLACK_NAMES: Readonly<Record<string, string>> = {
  simple_smile: 'slightly_smiling_face',
  thinking_face: 'thinking',
  the_horns: 'metal',
};
const NAMES: ReadonlyMap<string, string> = new Map(
  gemoji.map(({ emoji, names }) => [normalizeEmoji(emoji) ?? emoji, names[0] as string]),
);
const NAME = /^[\p{L}\p{M}\p{N}_+'.-]+(?:::skin-tone-[2-6])?$/u;

/** Returns the name of a reaction without colons. An emoji without a name stays an emoji. */
export function emojiName(reaction: string): string {
  return NAMES.get(reaction) ?? reaction.replaceAll(/^:|:$/g, '');
}

/**
 * Returns the reaction that a name stands for: the emoji, or `:name:` for one that Unicode lacks.
 * @returns undefined if it is not a name
 */
export function reactionOf(name: string): string | undefined {
  const bare = name.replaceAll(/^:|:$/g, '');
  const known = SLACK_NAMES[bare] ?? bare;
  const emoji = Object.hasOwn(nameToEmoji, known) ? nameToEmoji[known] : undefined;
  if (emoji !== undefined) return normalizeEmoji(emoji);
  return NAME.test(bare) ? normalizeEmoji(`:${bare}:`) : undefined;
}
