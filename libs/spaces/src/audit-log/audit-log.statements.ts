import { nullable, statement } from '@tieline/platform/database';

/** Inserts entries of one transaction. All parameters are arrays with one element per entry. */
export const INSERT_ENTRIES = statement(
  'audit_log.insert_entries',
  {
    params: {
      spaceIds: 'uuid[]',
      ids: 'uuid[]',
      actorIds: 'uuid[]',
      actorTypes: 'text[]',
      actions: 'text[]',
      objectTypes: 'text[]',
      objectIds: 'uuid[]',
      /** JSON. */
      changes: 'text[]',
      ips: 'text[]',
    },
    columns: {},
  },
  `
  INSERT INTO audit_log (
    space_id,
    id,
    actor_id,
    actor_type,
    action,
    object_type,
    object_id,
    changes,
    ip
  )
  SELECT
    space_id,
    id,
    actor_id,
    actor_type,
    action,
    object_type,
    object_id,
    changes::jsonb,
    ip
  FROM unnest(
    :spaceIds::uuid[],
    :ids::uuid[],
    :actorIds::uuid[],
    :actorTypes::text[],
    :actions::text[],
    :objectTypes::text[],
    :objectIds::uuid[],
    :changes::text[],
    :ips::text[]
  ) AS entry (
    space_id,
    id,
    actor_id,
    actor_type,
    action,
    object_type,
    object_id,
    changes,
    ip
  )
  `,
);

/**
 * Inserts an entry about read access, unless the same actor has an entry with the same action and
 * object from the last hour.
 */
export const RECORD_READ_ACCESS = statement(
  'audit_log.insert_read_access',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      actorId: nullable('uuid'),
      actorType: 'text',
      action: 'text',
      objectType: 'text',
      objectId: 'uuid',
      changes: 'json',
      ip: nullable('text'),
      /** An id from just before that hour, so that the search can skip older entries. */
      since: 'uuid',
    },
    columns: {},
  },
  `
  INSERT INTO audit_log (
    space_id,
    id,
    actor_id,
    actor_type,
    action,
    object_type,
    object_id,
    changes,
    ip
  )
  SELECT
    :spaceId::uuid,
    :id::uuid,
    :actorId::uuid,
    :actorType::text,
    :action::text,
    :objectType::text,
    :objectId::uuid,
    :changes::jsonb,
    :ip::text
  WHERE NOT EXISTS (
    SELECT 1
    FROM audit_log
    WHERE space_id = :spaceId
      AND object_id = :objectId
      AND id > :since::uuid
      AND action = :action
      AND actor_type = :actorType
      AND actor_id IS NOT DISTINCT FROM :actorId
      AND created_at > statement_timestamp() - interval '1 hour'
  )
  `,
);

/** Deletes up to $2 entries that are more than $1 days old, oldest first. */
export const DROP_OLD_ENTRIES = statement(
  'audit_log.drop_old_entries',
  `DELETE FROM audit_log WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM audit_log WHERE created_at < statement_timestamp() - $1::int * interval '1 day' ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))
   RETURNING 1 AS n`,
  { n: 'int4' },
);
