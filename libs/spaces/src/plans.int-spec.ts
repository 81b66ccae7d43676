import { describePlans } from '@tieline/testing';
import { DROP_OLD_ENTRIES } from './audit-log/audit-log.statements.js';
import { CLAIM_NOTICE_TO_POST } from './notices/notices-to-post.statements.js';
import { END_OLDEST_SESSIONS } from './sessions/sessions.statements.js';
import { LOCK_SPACE, PLANS_OF } from './spaces/spaces.statements.js';
import {
  ACTIVE_USER_BY_EMAIL,
  ACTIVE_USERS,
  COUNT_ACTIVE_USERS,
  NOTIFICATION_SETTINGS,
  USERS_BY_TOKEN,
} from './users/users.statements.js';

/** Returns the n-th id of a table. */
const id = (n: number): string => `0190d5e0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const ID = `('0190d5e0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
const HASH = (n: number): Buffer => Buffer.from(id(n).replaceAll('-', ''), 'hex');

// One space in ten has people, twenty each. All entries of the audit log except the first hundred
// are a day old; the last hundred notices are open.
const FILL = `
  INSERT INTO spaces (id, name) SELECT ${ID}, 'Acme' FROM generate_series(1, 100000) n;
  INSERT INTO users (space_id, id, display_name, email, role, token_hash)
    SELECT ${ID.replace('to_hex(n)', 'to_hex(1 + n / 20)')}, ${ID}, 'Ann', 'Ann' || n || '@example.com', 'member', decode(replace(${ID}::text, '-', ''), 'hex') FROM generate_series(1, 200000) n;
  INSERT INTO sessions (id, space_id, user_id, token_hash, ip, expires_at)
    SELECT ${ID}, ${ID.replace('to_hex(n)', 'to_hex(1 + n / 20)')}, ${ID}, decode(replace(${ID}::text, '-', ''), 'hex'), '', now() FROM generate_series(1, 200000) n;
  INSERT INTO audit_log (space_id, id, actor_type, action, object_type, object_id, created_at)
    SELECT '${id(1)}', ${ID}, 'system', 'x', 'bot', ${ID}, now() - CASE WHEN n <= 100 THEN interval '401 days' ELSE interval '1 day' END FROM generate_series(1, 200000) n;
  INSERT INTO notices (space_id, id, kind, object_type, object_id, text, post_to)
    SELECT ${ID.replace('to_hex(n)', 'to_hex(1 + n / 20)')}, ${ID}, 'x', 'bot', ${ID}, 'x', CASE WHEN n > 199900 THEN ${ID} END FROM generate_series(1, 200000) n`;

describePlans(FILL, [
  { statement: USERS_BY_TOKEN, params: [[HASH(5), HASH(6000), HASH(70_000)]] },
  { statement: ACTIVE_USERS, params: [id(5), [id(81), id(82)]] },
  { statement: COUNT_ACTIVE_USERS, params: [id(5)] },
  { statement: ACTIVE_USER_BY_EMAIL, params: [id(5), 'ANN81@example.com'] },
  { statement: NOTIFICATION_SETTINGS, params: [id(5), [id(81), id(82)]] },
  { statement: PLANS_OF, params: [[id(5), id(60_000)]] },
  { statement: LOCK_SPACE, params: [id(5)] },
  { statement: END_OLDEST_SESSIONS, params: [id(5), id(81), 10] },
  { statement: END_OLDEST_SESSIONS, params: [null, null, 10] },
  { statement: DROP_OLD_ENTRIES, params: [400, 50], unprepared: true },
  { statement: CLAIM_NOTICE_TO_POST, params: [] },
]);
