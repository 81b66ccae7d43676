import { nullable, statement, text } from '@tieline/platform/database';

/** Kind of a view. */
export type ViewKind = 'modal' | 'home';

const live = (of: string): string => `${of}used_at IS NULL AND ${of}expires_at > statement_timestamp()`;
const LIVE = live('');
const OF_PERSON = `space_id = :spaceId AND bot_id = :botId AND user_id = :userId`;
const OF_CLAIM = 'space_id = :spaceId AND id = :id AND claim_id = :claimId';
/** Ends a view. Its content is deleted immediately, because apps can open many large ones. */
const END = `used_at = clock_timestamp(), modal = '{}', external_id = NULL, claimed_until = NULL`;
const CLAIM = { spaceId: 'uuid', id: 'uuid', claimId: 'uuid' } as const;
const PERSON = { spaceId: 'uuid', botId: 'uuid', userId: 'uuid' } as const;
/** Columns of every new view, their parameters and their values. */
const NEW_COLUMNS = `space_id,
    id,
    token_hash,
    bot_id,
    user_id,
    action_id,
    modal,
    chain_depth,
    external_id`;
const NEW_VALUES = `:spaceId,
    :id,
    sha256(uuid_send(:id)),
    :botId,
    :userId,
    '',
    :json,
    1,
    :externalId`;
const NEW_VIEW = { ...PERSON, id: 'uuid', json: 'text', externalId: nullable('text') } as const;
const COLUMNS = {
  spaceId: 'uuid',
  id: 'uuid',
  botId: 'uuid',
  userId: 'uuid',
  kind: text<ViewKind>(),
  json: 'text',
  revision: 'int4',
  externalId: nullable('text'),
  previousId: nullable('uuid'),
  rootId: 'uuid',
  depth: 'int4',
  isCovered: 'bool',
} as const;
const SELECT = `
  SELECT
    v.space_id AS "spaceId",
    v.id,
    v.bot_id AS "botId",
    v.user_id AS "userId",
    v.view_kind AS kind,
    v.modal AS json,
    v.revision,
    v.external_id AS "externalId",
    v.parent_id AS "previousId",
    coalesce(p.parent_id, p.id, v.id) AS "rootId",
    v.stack_depth AS depth,
    EXISTS (
      SELECT 1
      FROM modals c
      WHERE c.space_id = v.space_id
        AND c.bot_id = v.bot_id
        AND c.user_id = v.user_id
        AND c.view_kind = 'modal'
        AND c.parent_id = v.id
        AND ${live('c.')}
    ) AS "isCovered"
  FROM modals v
  JOIN bots b ON b.space_id = v.space_id AND b.id = v.bot_id AND b.deleted_at IS NULL
  JOIN users u ON u.space_id = v.space_id AND u.id = v.user_id AND u.is_active
  LEFT JOIN modals p ON p.space_id = v.space_id AND p.id = v.parent_id
  WHERE v.space_id = $1 AND v.view_kind IS NOT NULL AND ${live('v.')}`;

/** Returns an open view of a bot that exists. A stack has at most three. $1 space, $2 id */
export const FIND_VIEW = statement('views.find', `${SELECT} AND v.id = $2`, COLUMNS);

/** $1 space, $2 bot, $3 external id */
export const FIND_EXTERNAL_VIEW = statement(
  'views.find_external',
  `${SELECT} AND v.bot_id = $2 AND v.external_id = $3 LIMIT 1`,
  COLUMNS,
);

/** Returns the home of a bot for a person. $1 space, $2 bot, $3 person */
export const FIND_HOME = statement(
  'views.find_home',
  `${SELECT} AND v.bot_id = $2 AND v.user_id = $3 AND v.view_kind = 'home'`,
  COLUMNS,
);

/** Returns no row if the trigger has opened a view or modal already. */
export const INSERT_VIEW = statement(
  'views.insert',
  {
    params: {
      ...NEW_VIEW,
      openedBy: nullable('uuid'),
      parentId: nullable('uuid'),
      stackDepth: 'int4',
      ttlSeconds: 'float8',
    },
    columns: { n: 'int4' },
  },
  `
  INSERT INTO modals (
    ${NEW_COLUMNS},
    expires_at,
    view_kind,
    opened_by,
    parent_id,
    stack_depth
  )
  VALUES (
    ${NEW_VALUES},
    clock_timestamp() + :ttlSeconds::float8 * interval '1 second',
    'modal',
    :openedBy,
    :parentId,
    :stackDepth
  )
  ON CONFLICT (space_id, opened_by) WHERE opened_by IS NOT NULL DO NOTHING
  RETURNING 1 AS n
  `,
);

/** Stores the home of a bot for a person. Returns no row if `revision` is not the current one. */
export const PUT_HOME = statement(
  'views.save_home',
  {
    params: {
      ...NEW_VIEW,
      revision: nullable('int4'),
    },
    columns: { id: 'uuid' },
  },
  `
  INSERT INTO modals AS v (
    ${NEW_COLUMNS},
    expires_at,
    view_kind
  )
  VALUES (
    ${NEW_VALUES},
    'infinity',
    'home'
  )
  ON CONFLICT (space_id, bot_id, user_id) WHERE view_kind = 'home' DO UPDATE
  SET
    modal = excluded.modal,
    external_id = excluded.external_id,
    revision = v.revision + 1
  WHERE :revision::int4 IS NULL OR v.revision = :revision
  RETURNING v.id
  `,
);

/** Replaces the content. Returns no row if `revision` is not the current one or the view ended. */
export const REPLACE_VIEW = statement(
  'views.replace',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      json: 'text',
      externalId: nullable('text'),
      revision: nullable('int4'),
    },
    columns: { n: 'int4' },
  },
  `
  UPDATE modals
  SET
    modal = :json,
    external_id = coalesce(:externalId, external_id),
    revision = revision + 1
  WHERE space_id = :spaceId
    AND id = :id
    AND ${LIVE}
    AND (:revision::int4 IS NULL OR revision = :revision)
  RETURNING 1 AS n
  `,
);

/** Locks the person's open views of a bot. */
export const LOCK_STACK = statement(
  'views.lock_stack',
  { params: PERSON, columns: { id: 'uuid', depth: 'int4' } },
  `
  SELECT
    id,
    stack_depth AS depth
  FROM modals
  WHERE ${OF_PERSON} AND view_kind = 'modal' AND ${LIVE}
  ORDER BY stack_depth
  FOR UPDATE
  `,
);

/** Extends the lifetime of the open views of a person to that of a new one. */
export const EXTEND_STACK = statement(
  'views.prolong_stack',
  { params: { ...PERSON, ttlSeconds: 'float8' }, columns: {} },
  `
  UPDATE modals
  SET expires_at = clock_timestamp() + :ttlSeconds::float8 * interval '1 second'
  WHERE ${OF_PERSON} AND view_kind = 'modal' AND ${LIVE}
  `,
);

/** Ends the view and all views on top of it, or all of the person. Returns their ids. */
export const END_VIEWS = statement(
  'views.end',
  { params: { ...PERSON, fromDepth: 'int4' }, columns: { id: 'uuid' } },
  `
  UPDATE modals
  SET ${END}
  WHERE ${OF_PERSON} AND view_kind = 'modal' AND used_at IS NULL AND stack_depth >= :fromDepth
  RETURNING id
  `,
);

/** Of concurrent claims one gets a row. */
export const CLAIM_VIEW = statement(
  'views.claim',
  { params: { ...CLAIM, leaseSeconds: 'float8' }, columns: { n: 'int4' } },
  `
  UPDATE modals
  SET
    claim_id = :claimId,
    claimed_until = clock_timestamp() + :leaseSeconds::float8 * interval '1 second'
  WHERE space_id = :spaceId
    AND id = :id
    AND ${LIVE}
    AND coalesce(claimed_until <= statement_timestamp(), true)
  RETURNING 1 AS n
  `,
);

export const RELEASE_VIEW = statement(
  'views.release',
  { params: CLAIM, columns: {} },
  `UPDATE modals SET claimed_until = NULL WHERE ${OF_CLAIM}`,
);

/** Ends a claimed view. */
export const END_CLAIMED_VIEW = statement(
  'views.end_claimed',
  { params: CLAIM, columns: {} },
  `UPDATE modals SET ${END} WHERE ${OF_CLAIM} AND used_at IS NULL`,
);
