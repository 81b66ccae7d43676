/**
 * What a person gave: values by the names of options; a value may be anything that JSON can say.
 */
export type GivenOptions = ReadonlyMap<string, unknown>;

/** What does not fit, in words for the person who gave the command. */
export class Misfit {
  constructor(readonly text: string) {}
}

/** `name:`, or what is not the begin of an option. */
const NAME = /\s*(?:([a-z][a-z0-9_-]*):|(\S+))/y;
const PLAIN = /(\S*)/y;
/**
 * A value in quotes, up to white space or the end. Only \" and \\ are escapes: a Windows path or a
 * regular expression stays as it is.
 */
const STRAIGHT = /"((?:[^"\\]|\\["\\]|\\(?!["\\]))*)"(?=\s|$)/y;
const TYPOGRAPHIC = /[“„]((?:[^"“”\\]|\\["\\]|\\(?!["\\]))*)["“”](?=\s|$)/y;
const ESCAPE = /\\(["\\])/g;

/** Reads the arguments of a command with options (docs/slash-commands.md). */
export function readTypedOptions(text: string): GivenOptions | Misfit {
  const given = new Map<string, string>();
  for (let at = 0; text.slice(at).trim() !== '';) {
    const [begin = '', name, stray = ''] = matchAt(NAME, text, at) ?? [];
    if (name === undefined) return new Misfit(`Not understood: “${stray}”.`);
    if (given.has(name)) return new Misfit(`“${name}” is there twice.`);
    const value = readValue(text, at + begin.length);
    if (!value) return new Misfit(`The value of “${name}” has a quote that does not end before a space.`);
    given.set(name, value.text);
    at = value.end;
  }
  return given;
}

/** @returns undefined for a quote that is not closed, or not followed by white space or the end */
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
