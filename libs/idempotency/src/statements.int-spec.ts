import { describeClaims, describeStatements } from '@tieline/testing';
import * as idempotency from './idempotency.statements.js';

describeStatements(idempotency);

describeClaims({
  statement: idempotency.DROP_OLD_KEYS,
  params: [7],
  fill: `INSERT INTO idempotency_keys (space_id, scope, key, fingerprint, created_at)
    SELECT gen_random_uuid(), 'x', 'x', '\\x00', now() - interval '2 days' FROM generate_series(1, 50)`,
  waiting: 'SELECT 1 FROM idempotency_keys',
  takes: 7,
});
