const MAX_CHARACTERS = 64;
/** `:name:`, optionally with the skin tone that other chats append. */
const SHORT_CODE = /^:[\p{L}\p{M}\p{N}_+'.-]+:(?::skin-tone-[2-6]:)?$/u;
/** The emoji that Unicode recommends for interchange, as Node's ICU knows them. */
const LISTED = new RegExp(String.raw`^\p{RGI_Emoji}$`, 'v');
/**
 * The syntax of emoji. Covers emoji newer than Node's Unicode version and combinations that are not
 * recommended.
 */
const PART = String.raw`\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F)?(?:[\u{E0020}-\u{E007E}]+\u{E007F})?`;
const WELL_FORMED = new RegExp(`^(?:\\p{RI}{2}|${PART}(?:\\u200D${PART})*)$`, 'u');
/** Characters that are shown as text unless U+FE0F follows. */
const TEXT_BY_DEFAULT = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu;
const PRESENTATION = /\uFE0F/g;

/**
 * Returns the normalized spelling that a reaction is stored in, or undefined if the text is neither
 * an emoji nor a `:name:`. The result is in NFC and has U+FE0F exactly where Unicode's list of
 * emoji has it, so that "❤" and "❤️" are the same reaction.
 */
export function normalizeEmoji(text: string): string | undefined {
  const composed = text.normalize('NFC');
  if (composed.length > 4 * MAX_CHARACTERS || [...composed].length > MAX_CHARACTERS) return undefined;
  if (SHORT_CODE.test(composed)) return composed;
  const bare = composed.replace(PRESENTATION, '');
  if (LISTED.test(bare)) return bare;
  const full = bare.replace(TEXT_BY_DEFAULT, '$&\uFE0F');
  return LISTED.test(full) || WELL_FORMED.test(full) ? full : undefined;
}

/**
 * Returns the spellings that an earlier version may have stored for a reaction, which accepted any
 * text without white space. The first one is that of `normalizeEmoji`.
 */
export function storedSpellings(emoji: string): string[] {
  const bare = emoji.replace(PRESENTATION, '');
  return [...new Set([emoji, bare, `${bare}\uFE0F`, emoji.normalize('NFD')])];
}
