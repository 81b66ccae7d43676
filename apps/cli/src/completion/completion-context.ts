import type { Command } from 'commander';

/** Kinds of resources with names that can be completed. */
export type NameKind =
  'space' | 'user' | 'channel' | 'bot' | 'hook' | 'command' | 'subscription' | 'app' | 'profile' | 'slash';

/** What the user is typing: a name or the value of an option. */
export interface CompletionContext {
  readonly kind?: NameKind | undefined;
  /** Whether the value of an option comes next, so that subcommands are not suggested. */
  readonly isValue: boolean;
  readonly choices: readonly string[];
}

/** Arguments that are names, by command and argument. */
const ARGUMENTS: Readonly<Record<string, NameKind>> = {
  'space show name': 'space',
  'owner reset space': 'space',
  'user show name': 'user',
  'user invite name': 'user',
  'channel show name': 'channel',
  'channel join name': 'channel',
  'send channel': 'channel',
  'say channel': 'channel',
  'say text': 'slash',
  'bot show name': 'bot',
  'hook show name': 'hook',
  'hook test name': 'hook',
  'tail requests hook': 'hook',
  'command show name': 'command',
  'subscription show name': 'subscription',
  'subscription test name': 'subscription',
  'tail deliveries name': 'subscription',
  'recover subscription': 'subscription',
  'app install name': 'app',
  'app update name': 'app',
  'app uninstall name': 'app',
  'profile use name': 'profile',
};

/** Options whose values are names, in every command. */
const OPTIONS: Readonly<Record<string, NameKind>> = {
  '--bot': 'bot',
  '--channel': 'channel',
  '--in': 'channel',
  '--member': 'user',
  '--subscription': 'subscription',
  '--to': 'subscription',
  '--profile': 'profile',
};

/** The command the words lead to, its parents, and the number of arguments given. */
interface Walk {
  readonly command: Command;
  readonly path: readonly string[];
  readonly given: number;
  /** The option that expects a value next. */
  readonly option: string | undefined;
}

/** Determines what the last word is. */
export function completionContext(program: Command, words: readonly string[]): CompletionContext {
  const { command, path, given, option } = walk(program, words.slice(0, -1));
  if (option !== undefined)
    return { kind: OPTIONS[option], isValue: true, choices: optionOf(command, option)?.argChoices ?? [] };
  const all = command.registeredArguments;
  const argument = all[given] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
  return {
    kind: argument && ARGUMENTS[[...path, argument.name()].join(' ')],
    isValue: false,
    choices: argument?.argChoices ?? [],
  };
}

function walk(program: Command, words: readonly string[]): Walk {
  let command = program;
  let path: string[] = [];
  let given = 0;
  let option: string | undefined;
  for (const word of words) {
    if (option !== undefined) {
      option = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      if (optionOf(command, word)?.required) option = word;
      continue;
    }
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next) [command, path, given] = [next, [...path, next.name()], 0];
    else given += 1;
  }
  return { command, path, given, option };
}

function optionOf(command: Command, word: string): Command['options'][number] | undefined {
  return (
    command.options.find(({ long, short }) => long === word || short === word) ??
    (command.parent ? optionOf(command.parent, word) : undefined)
  );
}
