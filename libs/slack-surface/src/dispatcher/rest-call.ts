import { errorOf } from '@tieline/platform/http';
import type { RestApi, RestCaller } from '@tieline/platform/http';
import { slackErrorOf } from './error-names.js';

type Json = Record<string, unknown>;

/** The parts of a request besides its method and path. */
export interface RestParts {
  query?: Record<string, string>;
  body?: Json;
  headers?: Record<string, string>;
}

/**
 * Calls an endpoint of the REST API as the caller and returns its answer, whose shape the caller
 * knows. @throws SlackError for a refusal
 */
export type RestCall = <Answer extends object>(
  method: string,
  path: string,
  parts?: RestParts,
) => Promise<Answer>;

/** Binds the REST API to a caller. @param names errors that the method calls differently */
export function restCallOf(
  rest: RestApi,
  caller: RestCaller,
  token: string,
  names: Readonly<Record<string, string>> = {},
): RestCall {
  return async <Answer extends object>(method: string, path: string, parts: RestParts = {}) => {
    const headers = { ...parts.headers, authorization: `Bearer ${token}` };
    const answer = await rest.call(caller, { method, path, ...parts, headers });
    if (answer.status < 400) return answer.body as Answer;
    const { error: text, code, field } = errorOf(answer);
    throw slackErrorOf({ status: answer.status, code, text, field, retryAfter: answer.retryAfter }, names);
  };
}
