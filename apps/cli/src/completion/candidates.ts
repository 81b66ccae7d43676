import type { Command } from 'commander';

/**
 * What could stand where the last word begins: subcommands, options, choices of an argument.
 * @param words of the line, the last one unfinished, perhaps empty
 * @returns each with what it is for
 */
export function candidates(program: Command, words: readonly string[]): [string, string][] {
  const given = words.length > 0 ? words : [''];
  const unfinished = given.at(-1)!;
  let command = program;
  for (const word of given.slice(0, -1)) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next) command = next;
  }
  const found = unfinished.startsWith('-') ? optionsOf(command) : wordsOf(command);
  return found.filter(([word]) => word.startsWith(unfinished));
}

function optionsOf(command: Command): [string, string][] {
  const inherited = command.parent ? optionsOf(command.parent) : [];
  const own = command.options.map((option): [string, string] => [
    option.long ?? option.short ?? '',
    option.description,
  ]);
  return [...own, ...inherited];
}

function wordsOf(command: Command): [string, string][] {
  const visible = command.createHelp().visibleCommands(command);
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  return [
    ...visible.map((one): [string, string] => [one.name(), one.summary() || one.description()]),
    ...choices.map((choice): [string, string] => [choice, '']),
  ];
}
