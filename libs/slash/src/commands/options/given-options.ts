/** Values keyed by option name. A value can be any JSON value. */
export type GivenOptions = ReadonlyMap<string, unknown>;

/** An error message for the person who ran the command. */
export class OptionError {
  constructor(readonly text: string) {}
}

/** `name:`, or text that does not start an option. */
const NAME = /\s*(?:([a-z][a-z0-9_-]*):|(\S+))/y;
const PLAIN = /(\S*)/y;
/**
 * A quoted value that is followed by whitespace or the end. Only \" and \\ are escapes, so that
 * Windows paths and regular expressions stay unchanged.
 */
const STRAIGHT = /"((?:[^"\\]|\\["\\]|\\(?!["\\]))*)"(?=\s|$)/y;
const TYPOGRAPHIC = /[“„]((?:[^"“”\\]|\\["\\]|\\(?!["\\]))*)["“”](?=\s|$)/y;
const ESCAPE = /\\(["\\])/g;

/** Parses the arguments of a command with options (docs/slash-commands.md). */
export function readTypedOptions(text: string): GivenOptions | OptionError {
  const given = new Map<string, string>();
  for (let at = 0; text.slice(at).trim() !== '';) {
    const [begin = '', name, stray = ''] = matchAt(NAME, text, at) ?? [];
    if (name === undefined) return new OptionError(`“${stray}” does not belong to an option.`);
    if (given.has(name)) return new OptionError(`“${name}” is given twice.`);
    const value = readValue(text, at + begin.length);
    if (!value) return new OptionError(`The quotes around the value of “${name}” are not closed correctly.`);
    given.set(name, value.text);
    at = value.end;
  }
  return given;
}

/** @returns undefined if the quote is not closed, or not followed by whitespace or the end */
function readValue(text: string, at: number): { text: string; end: number } | undefined {
  const quotes = { '"': STRAIGHT, '“': TYPOGRAPHIC, '„': TYPOGRAPHIC }[text.charAt(at)];
  const match = matchAt(quotes ?? PLAIN, text, at);
  if (!match) return undefined;
  const [whole, inner = ''] = match;
  return { text: quotes ? inner.replaceAll(ESCAPE, '$1') : inner, end: at + whole.length };
}

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(text);
}
