/**
 * A text as a terminal may show it: control characters, with which others could steer it, as
 * `\u001b`. Ends of lines and tabs stay. Within JSON this is the escape of the same character.
 */
export const printable = (text: string): string =>
  text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
