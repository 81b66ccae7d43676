import { describeClaims, describeStatements } from '@tieline/testing';
import * as backlog from './backlog.statements.js';
import * as breakers from './breakers/breakers.statements.js';
import * as claims from './engine/claims/claims.statements.js';
import * as leases from './engine/claims/leases.statements.js';
import * as lastFailures from './engine/results/last-failures.statements.js';
import * as planning from './engine/planning.statements.js';
import * as results from './engine/results/results.statements.js';
import { settleSuccesses } from './engine/results/settle-successes.statements.js';
import * as ordered from './engine/results/ordered.statements.js';
import * as deliveries from './log/delivery.statements.js';
import * as recoverable from './log/recoverable.statements.js';
import * as minutes from './minutes/minutes.statements.js';
import * as trials from './trials/trials.statements.js';
import * as outbox from './outbox/outbox.statements.js';

const RELAY = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

describeStatements(
  backlog,
  breakers,
  claims,
  deliveries,
  lastFailures,
  leases,
  minutes,
  ordered,
  outbox,
  planning,
  recoverable,
  results,
  { SETTLE_SUCCESSES: settleSuccesses(new Map()) },
  trials,
);

describeClaims(
  {
    statement: outbox.TAKE_EVENTS,
    params: { limit: 7, afterId: 0, exceptSpaceIds: [], idleMs: '5000', lock: 1, relayId: RELAY },
    fill: `INSERT INTO outbox (event_id, space_id, type, payload)
      SELECT gen_random_uuid(), gen_random_uuid(), 'FACT', '{}' FROM generate_series(1, 50)`,
    waiting: 'SELECT 1 FROM outbox',
    takes: 7,
  },
  {
    statement: leases.LEASE_EXPIRED,
    params: ['ffffffff-ffff-ffff-ffff-ffffffffffff', 1, 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    fill: `INSERT INTO delivery_queue (id, space_id, kind, target_id, max_attempts, postponed)
      SELECT gen_random_uuid(), gen_random_uuid(), 'outgoing', gen_random_uuid(), 8, true FROM generate_series(1, 550)`,
    waiting: 'SELECT 1 FROM delivery_queue WHERE lease IS NULL',
    takes: 500,
  },
  {
    statement: results.DROP_OLD_TARGETS,
    params: [30, 7],
    fill: `INSERT INTO delivery_targets (target_id, space_id, kind) SELECT gen_random_uuid(), gen_random_uuid(), 'outgoing' FROM generate_series(1, 50)`,
    waiting: 'SELECT 1 FROM delivery_targets',
    takes: 7,
  },
  {
    statement: minutes.DROP_OLD_MINUTES,
    params: [new Date('2026-01-02T00:00:00Z'), 7],
    fill: `INSERT INTO delivery_minutes SELECT gen_random_uuid(), '2026-01-01T00:00:00Z', gen_random_uuid(), 1, 0, 0, '{1}' FROM generate_series(1, 50)`,
    waiting: 'SELECT 1 FROM delivery_minutes',
    takes: 7,
  },
);
