import { characters } from '@tieline/platform/http';

const MAX_CHARACTERS = 64;
// White space and invisible controls would make reactions that nobody can tell apart. Joiners and variation selectors, which
// are part of many emoji, are of another kind (Cf, M) and allowed.
const FORBIDDEN = /[\s\p{Cc}\p{Cs}\p{Zs}]/u;

/** Whether a text can be a reaction: an emoji or a short code such as `:+1:`, 1 to 64 characters without white space. */
export function isEmoji(text: string): boolean {
  return text !== '' && characters(text) <= MAX_CHARACTERS && !FORBIDDEN.test(text);
}
