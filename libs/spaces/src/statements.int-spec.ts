import { describeClaims, describeEntities, describeStatements } from '@tieline/testing';
import * as auditLog from './audit-log/audit-log.statements.js';
import * as noticesToPost from './notices/notices-to-post.statements.js';
import * as sessions from './sessions/sessions.statements.js';
import * as spaces from './spaces/spaces.statements.js';
import * as users from './users/users.statements.js';
import { AuditEntry } from './audit-log/audit-entry.entity.js';
import { Invite } from './invites/invite.entity.js';
import { Notice } from './notices/notice.entity.js';
import { Session } from './sessions/session.entity.js';
import { Space } from './spaces/space.entity.js';
import { User } from './users/user.entity.js';

describeStatements(auditLog, noticesToPost, sessions, spaces, users);
describeEntities(AuditEntry, Invite, Notice, Session, Space, User);

describeClaims({
  statement: auditLog.DROP_OLD_ENTRIES,
  params: [400, 7],
  fill: `INSERT INTO spaces (id, name) VALUES ('0190d5e0-0000-7000-8000-000000000001', 'Acme');
    INSERT INTO audit_log (space_id, id, actor_type, action, object_type, object_id, created_at)
    SELECT '0190d5e0-0000-7000-8000-000000000001', gen_random_uuid(), 'system', 'x', 'bot', gen_random_uuid(), now() - interval '401 days' FROM generate_series(1, 50)`,
  waiting: 'SELECT 1 FROM audit_log',
  takes: 7,
});

describeClaims({
  statement: sessions.DROP_OLD_SESSIONS,
  params: [7],
  fill: `INSERT INTO sessions (id, token_hash, ip, expires_at)
    SELECT gen_random_uuid(), int4send(n), '::1', now() - interval '1 second' FROM generate_series(1, 50) n`,
  waiting: 'SELECT 1 FROM sessions',
  takes: 7,
});

describeClaims({
  statement: sessions.DROP_OLD_INVITES,
  params: [7],
  fill: `INSERT INTO spaces (id, name) VALUES ('0190d5e0-0000-7000-8000-000000000002', 'Acme');
    INSERT INTO users (space_id, id, display_name, role, token_hash)
    SELECT '0190d5e0-0000-7000-8000-000000000002', gen_random_uuid(), 'Ada', 'member', int4send(n) FROM generate_series(1, 50) n;
    INSERT INTO invites (space_id, user_id, token_hash, expires_at)
    SELECT space_id, id, token_hash, now() - interval '1 second' FROM users`,
  waiting: 'SELECT 1 FROM invites',
  takes: 7,
});
