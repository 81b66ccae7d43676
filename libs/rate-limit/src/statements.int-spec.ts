import { describeClaims, describeStatements } from '@tieline/testing';
import * as rateLimit from './postgres/rate-limit.statements.js';

describeStatements(rateLimit);

describeClaims({
  statement: rateLimit.SWEEP,
  params: [7],
  fill: `INSERT INTO rate_counters (key, hits, resets_at, window_ms) SELECT n::text, 1, 0, 1000 FROM generate_series(1, 50) n`,
  waiting: 'SELECT 1 FROM rate_counters',
  takes: 7,
});
