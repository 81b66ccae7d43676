import type { Command } from 'commander';
import { wanted } from './wanted.js';
import type { NameKind } from './wanted.js';

/** A word, and what it is for. */
export type Candidate = [string, string];

/**
 * What could stand where the last word begins: subcommands, options, choices, and names of what the
 * profile's Tieline has.
 * @param words of the line, the last one unfinished, perhaps empty
 * @param namesOf the names of a kind; never fails
 */
export async function candidates(
  program: Command,
  words: readonly string[],
  namesOf: (kind: NameKind) => Promise<readonly string[]>,
): Promise<Candidate[]> {
  const given = words.length > 0 ? words : [''];
  const unfinished = given.at(-1)!;
  const { kind, isValue, choices } = wanted(program, given);
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
 * A shell hands on what is quoted as it was typed; names are found in any case, and with a # or @
 * that people put before them.
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
