import { describeClaims, describeStatements } from '@tieline/testing';
import * as approvals from './approvals.statements.js';
import * as creation from './creation/creation.statements.js';
import * as endings from './endings/endings.statements.js';
import * as rules from './rules/rules.statements.js';

describeStatements({ ...approvals, ...creation, ...endings, ...rules });

describeClaims({
  statement: endings.DROP_OLD_APPROVALS,
  params: [31, 7],
  fill: `SET session_replication_role = replica;
    INSERT INTO approvals (space_id, id, bot_id, fingerprint, conversation_id, channel_id, message_id, state, title, text,
      options, approver_ids, approver_roles, count, on_expiry, expires_at, ended_at)
    SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(),
      'expired', 't', '', '[]', '{}', '{}', 1, 'expire', now(), now() - interval '32 days' FROM generate_series(1, 50)`,
  waiting: 'SELECT 1 FROM approvals',
  takes: 7,
});

describeClaims({
  statement: rules.DROP_EXPIRED_RULES,
  params: [7],
  fill: `SET session_replication_role = replica;
    INSERT INTO approval_rules (space_id, id, bot_id, tool, created_by, expires_at)
    SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 't', gen_random_uuid(), now() - interval '1 day'
    FROM generate_series(1, 50)`,
  waiting: 'SELECT 1 FROM approval_rules',
  takes: 7,
});
