import { parseJsonObject } from '@tieline/platform/http';
import { ApiError } from '@tieline/platform/http';
import { SlackError } from './slack-error.js';

type Values = Record<string, unknown>;

/** The parts of a request that carry arguments. */
export interface SentArguments {
  query: unknown;
  body: Buffer | undefined;
  contentType: string;
}

/**
 * Returns the arguments of a request: those of the query, overridden by those of a form or a JSON
 * object. @throws SlackError for a body that cannot be read
 */
export function argumentsIn({ query, body, contentType }: SentArguments): Values {
  const inQuery = query as Values;
  if (body === undefined || body.length === 0) return { ...inQuery };
  const text = body.toString('utf8');
  return { ...inQuery, ...(isJson(contentType, text) ? jsonIn(text) : formIn(text)) };
}

/** A form never begins with a brace, so bodies with a missing or wrong type are read as well. */
function isJson(contentType: string, text: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType) || /^\s*[{[]/.test(text);
}

function jsonIn(text: string): Values {
  try {
    return parseJsonObject(text);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new SlackError(error.code === 'invalid_json' ? 'invalid_json' : 'invalid_arguments', {
      messages: [`[ERROR] ${error.text}`],
    });
  }
}

function formIn(text: string): Values {
  const values: Values = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (value.includes('\0')) throw new SlackError('invalid_form_data');
    values[name] = value;
  }
  return values;
}
