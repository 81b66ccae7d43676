import { statement } from '@tieline/platform/database';

/** Returns no row for non-members. Hot path: runs on every click and reply. */
export const FIND_MEMBERSHIP = statement(
  'conversations.find_membership',
  'SELECT muted FROM conversation_members WHERE space_id = $1 AND conversation_id = $2 AND member_id = $3',
  { muted: 'bool' },
);
