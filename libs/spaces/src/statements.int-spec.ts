import { describeClaims, describeEntities, describeStatements } from '@tieline/testing';
import * as auditLog from './audit-log/audit-log.statements.js';
import * as spaces from './spaces/spaces.statements.js';
import * as users from './users/users.statements.js';
import { AuditEntry } from './audit-log/audit-entry.entity.js';
import { Notice } from './notices/notice.entity.js';
import { Space } from './spaces/space.entity.js';
import { User } from './users/user.entity.js';

describeStatements(auditLog, spaces, users);
describeEntities(AuditEntry, Notice, Space, User);

describeClaims({
  statement: auditLog.DROP_OLD_ENTRIES,
  params: [400, 7],
  fill: `INSERT INTO spaces (id, name) VALUES ('0190d5e0-0000-7000-8000-000000000001', 'Acme');
    INSERT INTO audit_log (space_id, id, actor_type, action, object_type, object_id, created_at)
    SELECT '0190d5e0-0000-7000-8000-000000000001', gen_random_uuid(), 'system', 'x', 'bot', gen_random_uuid(), now() - interval '401 days' FROM generate_series(1, 50)`,
  waiting: 'SELECT 1 FROM audit_log',
  takes: 7,
});
