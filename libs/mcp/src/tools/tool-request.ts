import { ApiError, invalidField, isUuid } from '@tieline/platform/http';
import type { Operation, OperationField } from '../rest/operations.js';
import type { RestRequest } from '@tieline/platform/http';
import type { Call, Tool } from './tool.js';

type Arguments = Readonly<Record<string, unknown>>;
type Filled = OperationField & { argument: string; field: string; value: unknown };

/**
 * Returns the request that a tool call stands for. Only what keeps it from being a request of this
 * operation is checked here; the endpoint checks everything else.
 * @throws ApiError 400 for a missing or unknown argument, or one that has no place in an address
 */
export function toolRequest(tool: Tool, call: Call, operation: Operation, given: Arguments): RestRequest {
  requireKnown(tool, call, given);
  const filled = Object.entries(call.fields).flatMap(([argument, field]): Filled[] => {
    const value = given[argument] ?? undefined;
    const known = operation.fields.get(field);
    return value === undefined || !known ? [] : [{ ...known, argument, field, value }];
  });
  const at = (place: OperationField['place']): Filled[] => filled.filter((one) => one.place === place);
  const query = at('query').map((one) => [one.field, textOf(one)]);
  const headers = at('header').map((one) => [one.field, headerOf(one)]);
  const segments = new Map(at('path').map((one) => [one.field, segmentOf(one)]));
  const body = Object.fromEntries(at('body').map(({ field, value }) => [field, value]));
  return {
    method: operation.method,
    path: operation.path.replace(/\{(\w+)\}/g, (_, name: string) => segments.get(name) ?? ''),
    query: Object.fromEntries(query) as Record<string, string>,
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(hasBody(operation) && { body }),
  };
}

const hasBody = ({ fields }: Operation): boolean =>
  [...fields.values()].some(({ place }) => place === 'body');

function requireKnown({ required, option, values = {} }: Tool, { fields }: Call, given: Arguments): void {
  const known = [...Object.keys(fields), ...(option ? [option.name] : [])];
  for (const name of Object.keys(given))
    if (!known.includes(name))
      throw new ApiError(400, 'unknown_argument', `unknown argument ${name}: known are ${known.join(', ')}`, {
        field: name,
      });
  for (const name of required)
    if (name in fields && (given[name] === undefined || given[name] === null || given[name] === ''))
      throw invalidField(name, `${name} is required`);
  if (option && ![undefined, null, true, false].includes(given[option.name] as boolean))
    throw invalidField(option.name, `${option.name} must be a boolean`);
  for (const [name, allowed] of Object.entries(values))
    if (!allowed.includes(given[name] as string))
      throw invalidField(name, `${name} must be one of ${allowed.join(', ')}`);
}

function textOf({ argument, value }: Filled): string {
  if (!['string', 'number', 'boolean'].includes(typeof value))
    throw invalidField(argument, `${argument} must be a text or a number`);
  return String(value);
}

function headerOf(one: Filled): string {
  const text = textOf(one);
  if (!/^[\x20-\x7e]*$/.test(text)) throw invalidField(one.argument, `${one.argument} is invalid`);
  return text;
}

/** Encodes a part of a path, so that it stays one part. */
function segmentOf(one: Filled): string {
  const text = textOf(one);
  if (one.schema.format === 'uuid' && !isUuid(text))
    throw invalidField(one.argument, `${one.argument} must be a uuid`);
  // An address with such a part is read as another address.
  if (text === '.' || text === '..') throw invalidField(one.argument, `${one.argument} is invalid`);
  return encodeURIComponent(text.toWellFormed());
}
