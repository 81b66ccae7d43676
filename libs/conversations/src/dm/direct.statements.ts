import { statement } from '@tieline/platform/database';

/**
 * Returns no row if the two already have a direct chat. Waits for a concurrent transaction that is
 * creating it.
 */
export const INSERT_DIRECT = statement(
  'conversations.insert_direct',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      dmKey: 'text',
      createdBy: 'uuid',
    },
    columns: { id: 'uuid' },
  },
  `
  INSERT INTO conversations (space_id, id, type, scope, dm_key, created_by)
  VALUES (:spaceId, :id, 'chat', 'dm', :dmKey, :createdBy)
  ON CONFLICT (space_id, dm_key) WHERE dm_key IS NOT NULL DO NOTHING
  RETURNING id
  `,
);
