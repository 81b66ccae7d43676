/** What a person gave: values by the names of options; a value may be anything that JSON can say. */
export type GivenOptions = ReadonlyMap<string, unknown>;

/** What does not fit, in words for the person who gave the command. */
export class Misfit {
  constructor(readonly text: string) {}
}

// `name:value` or `name:"quoted value"`, in which \" and \\ stand for themselves; or what is neither.
const PART = /([a-z][a-z0-9_-]*):(?:["“„]((?:[^"“”\\]|\\[\s\S])*)["“”](?=\s|$)|(\S*))|(\S+)/g;

/** Reads the arguments of a command with options (decisions, section 11.5). */
export function readTypedOptions(text: string): GivenOptions | Misfit {
  const given = new Map<string, string>();
  for (const [, name, quoted, plain, stray] of text.matchAll(PART)) {
    if (name === undefined) return new Misfit(`Not understood: “${stray ?? ''}”.`);
    if (given.has(name)) return new Misfit(`“${name}” is there twice.`);
    given.set(name, quoted === undefined ? (plain ?? '') : quoted.replaceAll(/\\([\s\S])/g, '$1'));
  }
  return given;
}
