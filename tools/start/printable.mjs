/**
 * A text as a terminal may show it: control characters but ends of lines and tabs as `\\u001b`.
 * @param {unknown} text
 */
export const printable = (text) =>
  String(text).replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
