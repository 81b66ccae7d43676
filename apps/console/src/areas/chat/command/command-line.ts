import type { CommandOptionView, ListedCommandView } from '@tieline/sdk/api';

/** What is being typed where the cursor stands. */
export type Typing =
  | { kind: 'command'; typed: string; from: number }
  | { kind: 'option'; typed: string; from: number; given: readonly string[] }
  | { kind: 'value'; option: string; typed: string; from: number }
  | { kind: 'mention'; typed: string; from: number };

/** A piece of a command line, with where it begins and ends. */
interface Piece {
  text: string;
  from: number;
  to: number;
}

/** Whether the text is a command: a slash and a name. `//` and `/ ` are text. */
export const isCommand = (text: string): boolean => /^\/[a-z0-9_-]+(?:\s|$)/i.test(text);

/** The command's name with its slash, as typed. */
export const commandName = (text: string): string => /^\/\S*/.exec(text)?.[0] ?? '';

/** Cuts the arguments at white space that is not in quotes. */
function pieces(text: string): Piece[] {
  return [...text.matchAll(/(?:[^\s"]|"(?:[^"\\]|\\.)*"?)+/g)].map((match) => ({
    text: match[0],
    from: match.index,
    to: match.index + match[0].length,
  }));
}

/**
 * What the cursor is in: the name of a command, the name or value of one of its options, a mention,
 * or nothing of these.
 */
export function typingAt(
  text: string,
  cursor: number,
  commands: readonly ListedCommandView[],
): Typing | undefined {
  const before = text.slice(0, cursor);
  const mention = /(?:^|\s)@([\p{L}\p{N}._-]*)$/u.exec(before);
  if (mention)
    return { kind: 'mention', typed: mention[1] ?? '', from: cursor - (mention[1] ?? '').length - 1 };
  if (!before.startsWith('/')) return undefined;
  if (!/\s/.test(before)) return { kind: 'command', typed: before.slice(1), from: 0 };
  const command = commands.find(({ name }) => sameCommand(name, commandName(text)));
  if (!command?.options) return undefined;
  const current = pieces(before).find(({ from, to }) => from > 0 && to === cursor);
  const [, name, value] = /^([a-z0-9_-]+):(.*)$/is.exec(current?.text ?? '') ?? [];
  if (current && name !== undefined)
    return {
      kind: 'value',
      option: name,
      typed: unquoted(value ?? ''),
      from: current.from + name.length + 1,
    };
  const given = [...text.matchAll(/(?:^|\s)([a-z0-9_-]+):/gi)].map((match) => match[1] ?? '');
  return { kind: 'option', typed: current?.text ?? '', from: current?.from ?? cursor, given };
}

/** Names are kept with or without their slash. */
export const sameCommand = (name: string, typed: string): boolean =>
  name.replace(/^\//, '').toLowerCase() === typed.replace(/^\//, '').toLowerCase();

/** The text with a suggestion in the place of what was typed, and where the cursor goes. */
export function completed(
  text: string,
  cursor: number,
  typing: Typing,
  chosen: string,
): { text: string; cursor: number } {
  const said = {
    command: () => `/${chosen.replace(/^\//, '')} `,
    option: () => `${chosen}:`,
    value: () => `${quoted(chosen)} `,
    mention: () => `${chosen} `,
  }[typing.kind]();
  const head = text.slice(0, typing.from) + said;
  return { text: head + text.slice(cursor).replace(/^ /, ''), cursor: head.length };
}

/** A value as the line holds it: in quotes where it has white space or quotes. */
export const quoted = (value: string): string =>
  /[\s"]/.test(value) ? `"${value.replace(/[\\"]/g, String.raw`\$&`)}"` : value;

const unquoted = (value: string): string =>
  value.startsWith('"') ? value.slice(1).replace(/"$/, '').replace(/\\(.)/g, '$1') : value;

/** Required options that the line lacks: nothing is sent before they are there. */
export function missingOptions(text: string, options: readonly CommandOptionView[] = []): string[] {
  return options
    .filter(({ required, name }) => required && !new RegExp(String.raw`(?:^|\s)${name}:\S`, 'i').test(text))
    .map(({ name }) => name);
}
