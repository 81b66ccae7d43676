import type { CommandOptionView, ListedCommandView } from '@tieline/sdk/api';

/** What the user types at the cursor. */
export type Typing =
  | { kind: 'command'; typed: string; from: number }
  | { kind: 'option'; typed: string; from: number; given: readonly string[] }
  | { kind: 'value'; option: string; typed: string; from: number }
  | { kind: 'mention'; typed: string; from: number };

/** A part of a command line with its position. */
interface Piece {
  text: string;
  from: number;
  to: number;
}

/** Whether the text is a command: a slash and a name. `//` and `/ ` start a text. */
export const isCommand = (text: string): boolean => /^\/[a-z0-9_-]+(?:\s|$)/i.test(text);

/** Returns the command's name with its slash, as typed. */
export const commandName = (text: string): string => /^\/\S*/.exec(text)?.[0] ?? '';

/** Splits the arguments at white space outside quotes. */
function pieces(text: string): Piece[] {
  return [...text.matchAll(/(?:[^\s"]|"(?:[^"\\]|\\.)*"?)+/g)].map((match) => ({
    text: match[0],
    from: match.index,
    to: match.index + match[0].length,
  }));
}

/**
 * Determines what the cursor is in: a command name, an option's name or value, a mention, or none
 * of these.
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

/** Compares names with or without their slash. */
export const sameCommand = (name: string, typed: string): boolean =>
  name.replace(/^\//, '').toLowerCase() === typed.replace(/^\//, '').toLowerCase();

/** Returns the text with a suggestion inserted, and the new cursor position. */
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

/** Quotes a value if it contains white space or quotes. */
export const quoted = (value: string): string =>
  /[\s"]/.test(value) ? `"${value.replace(/[\\"]/g, String.raw`\$&`)}"` : value;

const unquoted = (value: string): string =>
  value.startsWith('"') ? value.slice(1).replace(/"$/, '').replace(/\\(.)/g, '$1') : value;

/** Returns the required options that are missing. The command is not sent without them. */
export function missingOptions(text: string, options: readonly CommandOptionView[] = []): string[] {
  return options
    .filter(({ required, name }) => required && !new RegExp(String.raw`(?:^|\s)${name}:\S`, 'i').test(text))
    .map(({ name }) => name);
}
