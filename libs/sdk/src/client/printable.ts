/** Escapes control characters, which could control a terminal or forge a log line, as `\\u001b`. */
export const printable = (text: string): string =>
  text.replace(
    /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
