import { describePlans } from '@tieline/testing';
import { BACKLOG } from './backlog.statements.js';
import { FIND_BREAKERS, LIST_OPEN_BREAKERS } from './breakers/breakers.statements.js';
import { CLAIM, CLAIM_OF, GRANT_PROBES } from './engine/claims/claims.statements.js';
import { RENEW_LEASES } from './engine/claims/leases.statements.js';
import { PLAN_DELIVERIES } from './engine/planning.statements.js';
import { settleSuccesses } from './engine/results/settle-successes.statements.js';
import { FIND_LAST_FAILURES } from './engine/results/last-failures.statements.js';
import { CLOSE_BREAKERS, SETTLE } from './engine/results/results.statements.js';
import {
  END_OF_DEAD_PAGE,
  END_OF_PAGE,
  FIND_DELIVERY,
  LIST_ATTEMPTS,
  LIST_DEAD_LETTERS,
  LIST_DELIVERIES,
  NOTE_REDELIVERY,
  SCANNED,
} from './log/delivery.statements.js';
import {
  COUNT_WAITING,
  LAST_OF_ENDED,
  LAST_OF_FAILED,
  LIST_ENDED,
  LIST_FAILED,
} from './log/recoverable.statements.js';
import { RELEASE_NEXT, RELEASE_STUCK } from './engine/results/ordered.statements.js';
import { MINUTES_OF_SPACE, WAITING_FOR } from './minutes/minutes.statements.js';
import { FIND_TRIALS } from './trials/trials.statements.js';
import { TAKE_EVENTS, TAKE_THESE_EVENTS } from './outbox/outbox.statements.js';

const SPACE = '00000000-0000-7000-8000-000000000001';
const NOBODY = '00000000-0000-0000-0000-000000000000';
/** Returns the n-th id of a table, also used for targets. */
const id = (n: number): string => `0190d5e0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const ID = `('0190d5e0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
const TARGET = ID.replace('to_hex(n)', 'to_hex(n % 200)');

// One target in 200 has an open breaker. Half of the queue is due, half is postponed. For another
// 400 targets all deliveries are postponed. One delivery in 5,000 is dead.
const FILL = `
  INSERT INTO deliveries (id, space_id, kind, target_id, event_id, event_type, payload_id, headers, status, error)
    SELECT ${ID}, '${SPACE}', 'outgoing', '${id(0)}', ${ID}, 'message.new', ${ID}, '{}', CASE WHEN n % 5000 = 0 THEN 'dead' ELSE 'success' END,
      CASE WHEN n % 5000 = 0 THEN 'timeout' END FROM generate_series(1, 200000) n;
  INSERT INTO delivery_payloads (id, space_id, body) SELECT ${ID}, '${SPACE}', '{}' FROM generate_series(1, 200000) n;
  INSERT INTO delivery_attempts (delivery_id, space_id, attempt, at, duration_ms) SELECT ${ID}, '${SPACE}', 1, now(), 5 FROM generate_series(1, 200000) n;
  INSERT INTO delivery_queue (id, space_id, kind, target_id, lane, due_at, max_attempts)
    SELECT ${ID}, '${SPACE}', 'outgoing', ${TARGET}, n % 2, now() + CASE WHEN n % 400 < 200 THEN interval '-1 minute' ELSE interval '1 hour' END, 8
      FROM generate_series(1, 200000) n;
  INSERT INTO delivery_queue (id, space_id, kind, target_id, lane, due_at, max_attempts, postponed)
    SELECT ${ID}, '${SPACE}', 'outgoing', ${ID.replace('to_hex(n)', 'to_hex(300000 + n % 400)')}, 2, now() + interval '1 hour', 8, true
      FROM generate_series(200001, 240000) n;
  INSERT INTO delivery_targets (target_id, space_id, kind, failures, open_until)
    SELECT ${ID}, '${SPACE}', 'outgoing', n % 7, CASE WHEN n = 7 THEN now() - interval '1 second' END FROM generate_series(1, 100000) n;
  INSERT INTO delivery_minutes SELECT ${ID}, now() - n % 120 * interval '1 minute', '${SPACE}', 1, 0, 0, '{1}' FROM generate_series(1, 50000) n;
  INSERT INTO outbox (event_id, space_id, type, payload) SELECT ${ID}, '${SPACE}', 'FACT', '{}' FROM generate_series(1, 100000) n`;

const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const log = { targetId: id(0), spaceId: SPACE, kind: 'outgoing', before: LAST };
/** No filters. Recovered ones are included. */
const page = {
  ...log,
  from: NOBODY,
  status: null,
  eventType: null,
  code: null,
  since: null,
  until: null,
  unrecovered: false,
  limit: 51,
};
/** All recoverable deliveries. */
const recoverable = {
  ...log,
  after: NOBODY,
  since: new Date(0),
  until: new Date('2100-01-01'),
  eventTypes: [],
  leftOut: 'WEBHOOK_TEST',
  limit: 50,
};
/** A claim by a worker without attempts in flight. */
const claim = {
  busyTargetIds: [],
  busyCounts: [],
  perTarget: 8,
  probes: [],
  limit: 200,
  owner: 1,
  leaseMs: 30_000,
  placeSpaceIds: [],
  placeCounts: [],
  perSpace: 200,
  onlySpace: NOBODY,
};

describePlans(
  FILL,
  [
    {
      statement: CLAIM,
      params: { ...claim, lane: 0, afterTarget: NOBODY },
      mayRead: 2000,
    },
    {
      statement: CLAIM,
      params: { ...claim, lane: 1, afterTarget: id(150), busyTargetIds: [id(151)], busyCounts: [8] },
      mayRead: 2000,
    },
    {
      statement: CLAIM_OF,
      params: { ...claim, lane: 0, targetIds: [id(1), id(2)], spaceIds: [SPACE, SPACE] },
      mayRead: 2000,
    },
    // Targets without due deliveries cost no more than this.
    {
      statement: CLAIM,
      params: { ...claim, lane: 2, afterTarget: NOBODY },
      mayTouch: 5 * 400,
    },
    { statement: GRANT_PROBES, params: [30_000] },
    {
      statement: SETTLE,
      params: {
        ids: [id(3), id(4)],
        leases: [1, 1],
        outcomes: ['success', 'retry'],
        attempts: [1, 1],
        errors: [null, null],
        dueAt: [null, new Date()],
      },
    },
    {
      statement: PLAN_DELIVERIES,
      params: {
        payloadIds: [id(300_000)],
        payloadSpaceIds: [SPACE],
        bodies: ['{}'],
        ids: [id(300_000)],
        spaceIds: [SPACE],
        kinds: ['outgoing'],
        targetIds: [id(3)],
        eventIds: [id(1)],
        eventTypes: ['FACT'],
        payloads: [id(300_000)],
        headers: ['{}'],
        maxAttempts: [8],
        counts: [true],
        extended: [false],
        orderKeys: [null],
        orderPositions: [null],
        follows: [false],
        direct: [true],
        owner: 1,
        leaseMs: 30_000,
      },
    },
    {
      statement: settleSuccesses(new Map()),
      params: {
        ids: [id(3), id(4)],
        spaceIds: [SPACE, SPACE],
        leases: [1, 1],
        attempts: [1, 1],
        times: [new Date(), new Date()],
        statusCodes: [200, 200],
        durations: [5, 5],
        responses: ['', ''],
        headers: [null, null],
      },
    },
    { statement: RENEW_LEASES, params: [[id(3), id(4)], [1, 1], 30_000] },
    { statement: FIND_BREAKERS, params: [[id(3), id(4)]] },
    { statement: LIST_OPEN_BREAKERS, params: [SPACE, 200] },
    { statement: CLOSE_BREAKERS, params: [[id(3), id(4)]] },
    { statement: LIST_DELIVERIES, params: page, unprepared: true },
    {
      statement: LIST_DELIVERIES,
      params: { ...page, before: id(150_000), status: 'success' },
      unprepared: true,
    },
    // A page has the same limit for rare matches.
    {
      statement: LIST_DELIVERIES,
      params: { ...page, eventType: 'NONE' },
      unprepared: true,
      mayRead: SCANNED,
    },
    {
      statement: LIST_DELIVERIES,
      params: { ...page, code: 503 },
      unprepared: true,
      mayRead: SCANNED,
    },
    { statement: END_OF_PAGE, params: page, unprepared: true, mayRead: SCANNED },
    {
      statement: LIST_DEAD_LETTERS,
      params: { ...page, status: 'dead', unrecovered: true },
      unprepared: true,
    },
    {
      statement: LIST_DEAD_LETTERS,
      params: {
        ...page,
        before: id(100_000),
        status: 'dead',
        eventType: 'NONE',
        code: 503,
        unrecovered: true,
      },
      unprepared: true,
    },
    { statement: END_OF_DEAD_PAGE, params: page, unprepared: true },
    { statement: FIND_TRIALS, params: [[id(5), id(6)]], unprepared: true },
    { statement: NOTE_REDELIVERY, params: [SPACE, [id(5)], [id(6)]] },
    { statement: COUNT_WAITING, params: [id(5), 100], unprepared: true },
    { statement: LIST_ENDED, params: recoverable, unprepared: true },
    { statement: LIST_FAILED, params: recoverable, unprepared: true },
    { statement: LAST_OF_ENDED, params: recoverable, unprepared: true, mayRead: SCANNED },
    { statement: LAST_OF_FAILED, params: recoverable, unprepared: true },
    {
      statement: RELEASE_NEXT,
      params: { targetIds: [id(5)], keys: [id(6)], direct: [true], owner: 1, leaseMs: 1000 },
    },
    { statement: RELEASE_STUCK, params: [], unprepared: true },
    { statement: FIND_DELIVERY, params: [id(5), SPACE], unprepared: true },
    { statement: LIST_ATTEMPTS, params: [id(5), SPACE], unprepared: true },
    { statement: FIND_LAST_FAILURES, params: { ids: [id(5), id(6)], spaceIds: [SPACE, SPACE] } },
    { statement: MINUTES_OF_SPACE, params: [id(5), new Date(0)] },
    // 1,000 are queued for each. A target may have more than is read.
    { statement: WAITING_FOR, params: [[id(5), id(6)], 300], unprepared: true, mayRead: 700 },
    {
      statement: TAKE_EVENTS,
      params: { limit: 200, afterId: 0, exceptSpaceIds: [], idleMs: '5000', lock: 1, relayId: id(1) },
    },
    { statement: TAKE_THESE_EVENTS, params: [[5, 6, 7]] },
    // Counts up to 100,000 events and as many of each lane, and for 200 targets up to 100 due
    // deliveries in each of two lanes.
    { statement: BACKLOG, params: [], unprepared: true, mayRead: 310_000 },
  ],
  ['delivery_attempts_default.delivery_id'],
);
