import type { Queryable } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { checkReferences } from './check-references.js';
import type { CommandOption, OptionValues } from './command-option.js';
import { Misfit, readTypedOptions } from './given-options.js';
import { judgeOptions } from './judge-options.js';

/** What a person gave for a command's options. */
export interface Given {
  /** The arguments as typed. */
  text: string;
  /** In the place of what is typed, where the client has a form. */
  options: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The values that the bot gets; undefined for a command without options; or what does not fit
 * (decisions, section 11.5).
 */
export async function fitOptions(
  q: Queryable,
  caller: UserPrincipal,
  options: readonly CommandOption[],
  { text, options: named }: Given,
): Promise<OptionValues | Misfit | undefined> {
  if (options.length === 0)
    return named && Object.keys(named).length > 0 ? new Misfit('There are no options.') : undefined;
  const given = named ? new Map(Object.entries(named)) : readTypedOptions(text);
  if (given instanceof Misfit) return given;
  const values = judgeOptions(options, given);
  if (values instanceof Misfit) return values;
  return (await checkReferences(q, caller, options, values)) ?? values;
}

/**
 * What to type, for a person whose options did not fit: `Usage: /deploy service:string
 * [stage:live|test]`.
 */
export function usageOf(name: string, options: readonly CommandOption[]): string {
  const parts = options.map((option) => {
    const kind = option.choices ? option.choices.map(({ value }) => value).join('|') : option.type;
    return option.required ? `${option.name}:${kind}` : `[${option.name}:${kind}]`;
  });
  return `Usage: /${[name, ...parts].join(' ')}`;
}
