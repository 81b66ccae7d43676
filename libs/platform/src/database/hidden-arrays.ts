import type { Params } from './columns.js';
import { TOKENS } from './named-parameters.js';

const CAST_TO_ARRAY = /\$(\d+)::(\w+\[\])/g;

/**
 * Replaces each parameter that is an array by a subquery, `(SELECT $1::uuid[])::uuid[]`, so that
 * the planner does not see its elements. Otherwise the server prefers a plan for their number and
 * makes it at every run, which takes several times as long as the run.
 *
 * @param params the named parameters in the order of their numbers. Without names, the parameters
 * that are cast to arrays, such as `$1::uuid[]`.
 */
export function withHiddenArrays(text: string, params: Params): string {
  const types = new Map<string, string>();
  for (const [, number, type] of text.matchAll(CAST_TO_ARRAY)) types.set(`$${number!}`, type!);
  for (const [index, param] of Object.values(params).entries()) {
    const type = typeof param === 'string' ? param : param.type;
    if (type.endsWith('[]')) types.set(`$${index + 1}`, type);
    else types.delete(`$${index + 1}`);
  }
  return text.replace(TOKENS, (token: string, _tag: string, _name: string, number?: string) => {
    const type = number && types.get(number);
    return type ? `(SELECT ${number}::${type})::${type}` : token;
  });
}
