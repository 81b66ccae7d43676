import { nullable, statement } from '@tieline/platform/database';

/** Creates the row if there is none, and locks it. $1 space, $2 id, $3 the use to check */
export const LOCK_RESPONSE = statement(
  'interactive.lock_response',
  `INSERT INTO response_uses AS r (space_id, id) VALUES ($1, $2) ON CONFLICT (space_id, id) DO UPDATE SET id = excluded.id
   RETURNING cardinality(uses) AS used, $3 = ANY (uses) AS "isWritten", original_id AS "originalId"`,
  { used: 'int4', isWritten: 'bool', originalId: nullable('uuid') },
);

/** The caller holds the row's lock. $1 space, $2 id, $3 this use, $4 the message it posted */
export const ADD_USE = statement(
  'interactive.add_use',
  'UPDATE response_uses SET uses = uses || $3::uuid, original_id = coalesce(original_id, $4::uuid) WHERE space_id = $1 AND id = $2',
  {},
);

/** Locks the row. An earlier message is kept. $1 space, $2 trigger, $3 message */
export const NOTE_ORIGINAL = statement(
  'interactive.note_original',
  `INSERT INTO response_uses AS r (space_id, id, original_id) VALUES ($1, $2, $3)
   ON CONFLICT (space_id, id) DO UPDATE SET original_id = coalesce(r.original_id, excluded.original_id)`,
  {},
);
