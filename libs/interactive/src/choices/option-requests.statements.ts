import { json, nullable, statement } from '@tieline/platform/database';
import type { Choice } from './choice.view.js';

/**
 * Hot path: runs for every request. $1 space, $2 fingerprint, $3 seconds for which answers are
 * reused
 */
export const FIND_CACHED_CHOICES = statement(
  'option_requests.find_cached',
  `SELECT choices FROM option_requests WHERE space_id = $1 AND fingerprint = $2 AND answered_at > statement_timestamp() - $3::float8 * interval '1 second'
    ORDER BY answered_at DESC LIMIT 1`,
  { choices: json<Choice[]>() },
);

/** Inserts a request that waits for its answer. $1 space, $2 id, $3 fingerprint */
export const INSERT_OPTION_REQUEST = statement(
  'option_requests.insert',
  'INSERT INTO option_requests (space_id, id, fingerprint) VALUES ($1, $2, $3)',
  {},
);

/** Inserts an answered request. */
export const CACHE_CHOICES = statement(
  'option_requests.insert_answered',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      fingerprint: 'bytea',
      choices: json<Choice[]>(),
    },
    columns: {},
  },
  `
  INSERT INTO option_requests (
    space_id,
    id,
    fingerprint,
    choices,
    answered_at
  )
  VALUES (
    :spaceId,
    :id,
    :fingerprint,
    :choices::jsonb,
    clock_timestamp()
  )
  `,
);

/**
 * A later answer replaces an earlier one. Does nothing if the request was deleted. $1 space, $2 id,
 * $3 choices
 */
export const ANSWER_OPTION_REQUEST = statement(
  'option_requests.answer',
  'UPDATE option_requests SET choices = $3::jsonb, answered_at = clock_timestamp() WHERE space_id = $1 AND id = $2',
  {},
);

/**
 * Ends the wait without choices, which are not cached. Does nothing if there is an answer. $1
 * space, $2 id
 */
export const FAIL_OPTION_REQUEST = statement(
  'option_requests.fail',
  `UPDATE option_requests SET choices = '[]' WHERE space_id = $1 AND id = $2 AND choices IS NULL`,
  {},
);

/** $1 space, $2 id */
export const FIND_CHOICES = statement(
  'option_requests.find_choices',
  'SELECT choices FROM option_requests WHERE space_id = $1 AND id = $2',
  { choices: nullable(json<Choice[]>()) },
);
