import { describePlans } from '@tieline/testing';
import * as approvals from './approvals.statements.js';
import { COUNT_PENDING } from './creation/creation.statements.js';
import { FIND_DUE, LOCK_DUE } from './endings/endings.statements.js';

const SPACE = '00000000-0000-7000-8000-000000000001';
const PREFIX = '0190d5e0-0000-7000-8000-';
/** Returns the n-th id of any table. */
const id = (n: number): string => `${PREFIX}${n.toString(16).padStart(12, '0')}`;
const nth = (n: string): string => `('${PREFIX}' || lpad(to_hex(${n}), 12, '0'))::uuid`;

// All rows are in one space. One approval in 200 is pending, half of these have named approvers.
const FILL = `
  INSERT INTO conversations (space_id, id, type, scope, created_by)
    SELECT '${SPACE}', ${nth('n')}, 'channel', 'private', '${id(1)}' FROM generate_series(1, 1000) n;
  INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type)
    SELECT '${SPACE}', ${nth('n % 1000 + 1')}, ${nth('n / 1000 + 1')}, 'user' FROM generate_series(0, 99999) n;
  INSERT INTO approvals (space_id, id, bot_id, external_id, fingerprint, conversation_id, channel_id, message_id, state,
      title, text, options, approver_ids, approver_roles, count, on_expiry, expires_at, ended_at)
    SELECT '${SPACE}', ${nth('n')}, ${nth('n % 20')}, n, '', ${nth('n % 1000 + 1')}, ${nth('n % 1000 + 1')}, ${nth('n')},
      CASE WHEN n % 200 = 0 THEN 'pending' ELSE 'expired' END, 't', '', '[]',
      CASE WHEN n % 400 = 0 THEN ARRAY[${nth('n % 97 + 1')}] ELSE '{}' END,
      CASE WHEN n % 1000 = 0 THEN ARRAY['admin'] ELSE '{}' END, 1, 'expire',
      CASE WHEN n % 8000 = 0 THEN now() - interval '1 s' ELSE now() + interval '1 day' END,
      CASE WHEN n % 200 > 0 THEN now() END
      FROM generate_series(1, 100000) n`;

const page = { before: id(90_000), limit: 51 };

describePlans(FILL, [
  { statement: COUNT_PENDING, params: [SPACE, id(0), 1000] },
  { statement: approvals.FIND_APPROVAL, params: [SPACE, id(4000)] },
  { statement: approvals.LOCK_APPROVAL, params: [SPACE, id(4000)] },
  { statement: approvals.FIND_BY_EXTERNAL_ID, params: [SPACE, id(0), '4000'] },
  {
    statement: approvals.LIST_OF_BOT,
    params: { spaceId: SPACE, botId: id(3), state: null, ...page },
    unprepared: true,
  },
  { statement: approvals.LIST_APPROVALS, params: { spaceId: SPACE, state: null, ...page }, unprepared: true },
  {
    statement: approvals.LIST_DECIDABLE,
    params: { spaceId: SPACE, userId: id(3), role: 'admin', ...page },
  },
  { statement: FIND_DUE, params: { afterAt: null, afterId: null, limit: 100 } },
  { statement: LOCK_DUE, params: [SPACE, id(8000)] },
]);
