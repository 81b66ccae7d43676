import type { Queryable } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { checkReferences } from './check-references.js';
import type { CommandOption, OptionValues } from './command-option.js';
import { OptionError, readTypedOptions } from './given-options.js';
import { validateOptions } from './validate-options.js';

/** The arguments of a command as received. */
export interface GivenArguments {
  /** The arguments as typed. */
  text: string;
  /** Values from a client with a form; they replace the typed text. */
  options: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Returns the typed values for the bot, undefined for a command without options, or an error for
 * the person.
 */
export async function readOptions(
  q: Queryable,
  caller: UserPrincipal,
  options: readonly CommandOption[],
  { text, options: named }: GivenArguments,
): Promise<OptionValues | OptionError | undefined> {
  if (options.length === 0)
    return named && Object.keys(named).length > 0
      ? new OptionError('This command has no options.')
      : undefined;
  const given = named ? new Map(Object.entries(named)) : readTypedOptions(text);
  if (given instanceof OptionError) return given;
  const values = validateOptions(options, given);
  if (values instanceof OptionError) return values;
  return (await checkReferences(q, caller, options, values)) ?? values;
}

/**
 * Returns the usage text for a person whose options were invalid: `Usage: /deploy service:string
 * [stage:live|test]`.
 */
export function usageOf(name: string, options: readonly CommandOption[]): string {
  const parts = options.map((option) => {
    const kind = option.choices ? option.choices.map(({ value }) => value).join('|') : option.type;
    return option.required ? `${option.name}:${kind}` : `[${option.name}:${kind}]`;
  });
  return `Usage: /${[name, ...parts].join(' ')}`;
}
