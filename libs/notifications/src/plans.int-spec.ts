import { describePlans } from '@tieline/testing';
import {
  CLAIM_FRESH,
  CLAIM_THESE,
  DELETE_JOBS,
  FIND_DUE_KINDS,
  FIND_FAILED,
} from './jobs/notification-jobs.statements.js';
import { LIST_NOTIFICATIONS, MEMBERS } from './notifications.statements.js';

const SPACE = '00000000-0000-7000-8000-000000000001';
const NOBODY = '00000000-0000-0000-0000-000000000000';
const PREFIX = '0190d5e0-0000-7000-8000-';
/** Returns the n-th id of any table. */
const id = (n: number): string => `${PREFIX}${n.toString(16).padStart(12, '0')}`;
const nth = (n: string): string => `('${PREFIX}' || lpad(to_hex(${n}), 12, '0'))::uuid`;

const FILL = `
  INSERT INTO spaces (id, name) VALUES ('${SPACE}', 'Space');
  INSERT INTO conversations (space_id, id, type, scope, created_by)
    SELECT '${SPACE}', ${nth('n')}, 'channel', 'private', '${id(1)}' FROM generate_series(1, 1000) n;
  INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type)
    SELECT '${SPACE}', ${nth('n % 1000 + 1')}, ${nth('n / 1000 + 1')}, 'user' FROM generate_series(0, 199999) n;
  INSERT INTO notification_jobs (space_id, event_id, message_id, conversation_id, channel_id, notice, occurred_at, attempts, due_at)
    SELECT ${nth('n % 50')}, ${nth('n')}, ${nth('n')}, '${id(1)}', '${id(1)}', '{}', now(), CASE WHEN n % 1000 = 0 THEN 1 ELSE 0 END, now() FROM generate_series(1, 100000) n;
  INSERT INTO notifications (space_id, user_id, id, message_id, conversation_id, kind, severity)
    SELECT '${SPACE}', ${nth('n % 20')}, ${nth('n')}, ${nth('n')}, '${id(1)}', 'in_app', 'info' FROM generate_series(1, 100000) n`;

describePlans(FILL, [
  { statement: CLAIM_FRESH, params: [NOBODY, 32] },
  {
    statement: CLAIM_THESE,
    params: [
      [id(1), id(2)],
      [id(1), id(2)],
    ],
  },
  { statement: FIND_DUE_KINDS, params: [], unprepared: true },
  { statement: FIND_FAILED, params: [16] },
  { statement: DELETE_JOBS, params: [['(0,1)', '(5,2)']] },
  { statement: MEMBERS, params: [SPACE, [id(1)], NOBODY] },
  {
    statement: LIST_NOTIFICATIONS,
    params: { spaceId: SPACE, userId: id(3), before: id(90_000), limit: 51 },
    unprepared: true,
  },
]);
