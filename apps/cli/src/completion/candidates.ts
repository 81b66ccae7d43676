import type { Command } from 'commander';
import { completionContext } from './completion-context.js';
import type { NameKind } from './completion-context.js';

/** A completion and its description. */
export type Candidate = [string, string];

/**
 * Returns completions for the last word: subcommands, options, choices, and names known to the
 * profile's Tieline.
 *
 * @param words words of the line; the last one is unfinished and may be empty.
 * @param namesOf returns the names of a kind and never fails.
 */
export async function candidates(
  program: Command,
  words: readonly string[],
  namesOf: (kind: NameKind) => Promise<readonly string[]>,
): Promise<Candidate[]> {
  const given = words.length > 0 ? words : [''];
  const unfinished = given.at(-1)!;
  const { kind, isValue, choices } = completionContext(program, given);
  if (unfinished.startsWith('-') && !isValue)
    return optionsOf(commandOf(program, given)).filter(([word]) => word.startsWith(unfinished));
  const fixed: Candidate[] = [
    ...(isValue ? [] : wordsOf(commandOf(program, given))),
    ...choices.map((choice): Candidate => [choice, '']),
  ];
  const names = kind ? await namesOf(kind) : [];
  return [
    ...fixed.filter(([word]) => word.startsWith(unfinished)),
    ...names
      .filter((name) => begins(name, unfinished))
      .map((name): Candidate => [name, kind === 'slash' ? 'command' : kind!]),
  ];
}

/**
 * Matches a name regardless of case, quotes, and a leading # or @. Shells pass quoted words as
 * typed.
 */
function begins(name: string, typed: string): boolean {
  const plain = typed.replace(/["'\\]/g, '').toLowerCase();
  const bare = /^[#@]/.test(plain) ? plain.slice(1) : plain;
  return name.toLowerCase().startsWith(bare);
}

function commandOf(program: Command, words: readonly string[]): Command {
  return words
    .slice(0, -1)
    .reduce(
      (command, word) =>
        command.commands.find((one) => one.name() === word || one.aliases().includes(word)) ?? command,
      program,
    );
}

function optionsOf(command: Command): Candidate[] {
  const inherited = command.parent ? optionsOf(command.parent) : [];
  const own = command.options.map((option): Candidate => [
    option.long ?? option.short ?? '',
    option.description,
  ]);
  return [...own, ...inherited];
}

function wordsOf(command: Command): Candidate[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.map((one): Candidate => [one.name(), one.summary() || one.description()]);
}
