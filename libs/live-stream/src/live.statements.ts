import { statement } from '@tieline/platform/database';

/** Writes which streams were closed and opened. */
export const WRITE_PRESENCE = statement(
  'client_presence.write_streams',
  {
    params: {
      closedSpaces: 'uuid[]',
      closedUsers: 'uuid[]',
      closedStreams: 'uuid[]',
      openedSpaces: 'uuid[]',
      openedUsers: 'uuid[]',
      openedStreams: 'uuid[]',
      openedAgesMs: 'int8[]',
      processId: 'uuid',
    },
    columns: {},
  },
  `
  WITH closed AS (
    DELETE FROM client_presence p
    USING unnest(:closedSpaces::uuid[], :closedUsers::uuid[], :closedStreams::uuid[])
      AS gone (space_id, user_id, stream_id)
    WHERE p.space_id = gone.space_id
      AND p.user_id = gone.user_id
      AND p.stream_id = gone.stream_id
  )
  INSERT INTO client_presence (
    space_id,
    user_id,
    stream_id,
    opened_at,
    process_id
  )
  SELECT
    space_id,
    user_id,
    stream_id,
    now() - age_ms * interval '1 millisecond',
    :processId
  FROM unnest(
    :openedSpaces::uuid[],
    :openedUsers::uuid[],
    :openedStreams::uuid[],
    :openedAgesMs::int8[]
  ) AS t (space_id, user_id, stream_id, age_ms)
  ON CONFLICT DO NOTHING
  `,
);

/** Returns whether the process was unknown: its first heartbeat, or its rows were lost or swept. */
export const HEARTBEAT = statement(
  'client_presence.touch_process',
  `WITH dead AS (
     DELETE FROM client_presence_processes
     WHERE process_id <> $1 AND seen_at < now() - interval '2 minutes'
     RETURNING process_id
   ), swept AS (
     DELETE FROM client_presence
     WHERE process_id IN (SELECT process_id FROM dead)
   )
   INSERT INTO client_presence_processes AS p (process_id)
   VALUES ($1)
   ON CONFLICT (process_id) DO UPDATE SET seen_at = now()
   RETURNING p.xmax = 0 AS "isNew"`,
  { isNew: 'bool' },
);

/** Removes a process and its streams. */
export const LEAVE = statement(
  'client_presence.remove_process',
  `WITH streams AS (
     DELETE FROM client_presence
     WHERE process_id = $1
   )
   DELETE FROM client_presence_processes
   WHERE process_id = $1`,
  {},
);

/** Returns the people of $2 who have an open stream that is not viewing $3. */
export const PEOPLE_HERE = statement(
  'client_presence.list_people_here',
  `SELECT DISTINCT p.user_id AS "userId"
   FROM client_presence p
   JOIN client_presence_processes x
     ON x.process_id = p.process_id AND x.seen_at > now() - interval '35 seconds'
   LEFT JOIN client_focus f
     ON f.space_id = p.space_id AND f.user_id = p.user_id AND f.set_at > p.opened_at - interval '1 minute'
   WHERE p.space_id = $1 AND p.user_id = ANY($2::uuid[]) AND f.conversation_id IS DISTINCT FROM $3`,
  { userId: 'uuid' },
);

export const SET_FOCUS = statement(
  'client_focus.set_conversation',
  `INSERT INTO client_focus (space_id, user_id, conversation_id)
   VALUES ($1, $2, $3)
   ON CONFLICT (space_id, user_id) DO UPDATE SET conversation_id = $3, set_at = now()`,
  {},
);

export const CLEAR_FOCUS = statement(
  'client_focus.clear_conversation',
  'DELETE FROM client_focus WHERE space_id = $1 AND user_id = $2',
  {},
);

/** Returns the channels of many members, by their index in the arrays $1 spaces, $2 members. */
export const MEMBERSHIPS = statement(
  'conversation_members.list_channels',
  `SELECT (wanted.n - 1)::int AS n, array_agg(m.conversation_id) AS "channelIds"
   FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted (space_id, member_id, n)
   JOIN conversation_members m ON m.space_id = wanted.space_id AND m.member_id = wanted.member_id
   GROUP BY wanted.n`,
  { n: 'int4', channelIds: 'uuid[]' },
);
