/**
 * Escapes control characters, which could control the terminal, as `\u001b`. Keeps line breaks and
 * tabs. Inside JSON the escape denotes the same character.
 */
export const printable = (text: string): string =>
  text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
