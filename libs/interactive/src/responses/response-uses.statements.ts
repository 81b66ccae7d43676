import { nullable, statement } from '@tieline/platform/database';

/** Creates the row if there is none, and locks it. $1 space, $2 id, $3 the use to check */
export const LOCK_RESPONSE = statement(
  'response_uses.lock',
  `INSERT INTO response_uses AS r (space_id, id) VALUES ($1, $2) ON CONFLICT (space_id, id) DO UPDATE SET id = excluded.id
   RETURNING cardinality(uses) AS used, $3 = ANY (uses) AS "isWritten", original_id AS "originalId"`,
  { used: 'int4', isWritten: 'bool', originalId: nullable('uuid') },
);

/** The caller holds the row's lock. `postedId`: the message that this use posted. */
export const ADD_USE = statement(
  'response_uses.add',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      useId: 'uuid',
      postedId: nullable('uuid'),
    },
    columns: {},
  },
  `
  UPDATE response_uses
  SET
    uses = uses || :useId::uuid,
    original_id = coalesce(original_id, :postedId::uuid)
  WHERE space_id = :spaceId AND id = :id
  `,
);

/** Locks the row. An earlier message is kept. $1 space, $2 trigger, $3 message */
export const NOTE_ORIGINAL = statement(
  'response_uses.note_original',
  `INSERT INTO response_uses AS r (space_id, id, original_id) VALUES ($1, $2, $3)
   ON CONFLICT (space_id, id) DO UPDATE SET original_id = coalesce(r.original_id, excluded.original_id)`,
  {},
);
