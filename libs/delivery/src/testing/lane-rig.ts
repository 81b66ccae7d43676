import type { ClaimedDelivery, Result } from '../engine/delivery.types.js';
import { LANES } from '../engine/claims/claim-deliveries.js';
import { DeliveryLane } from '../engine/lanes/delivery-lane.js';
import type { LaneClaim, LaneParts } from '../engine/lanes/lane-parts.js';

/** Resolves after the next turn of the event loop. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A claimed delivery. */
export const delivery = (id: string, targetId = 'target', spaceId = 'space'): ClaimedDelivery => ({
  id,
  targetId,
  spaceId,
  kind: 'outgoing',
  eventId: 'event',
  eventType: 'MESSAGE_CREATED',
  headers: {},
  body: null,
  attempts: 0,
  maxAttempts: 1,
  retryProfile: 'contract',
  counts: true,
  lease: 1,
  createdAt: new Date(),
  resent: false,
});

/** The result of a successful attempt. */
export const delivered = (one: ClaimedDelivery): Result => ({
  delivery: one,
  outcome: { kind: 'delivered' },
});

/**
 * A lane whose claims return one batch each. Everything succeeds unless `parts` says otherwise.
 */
export function laneOver(batches: ClaimedDelivery[][], parts: Partial<LaneParts> = {}) {
  const claims: LaneClaim[] = [];
  const failures: unknown[] = [];
  const due: [number, Date][] = [];
  const lane = new DeliveryLane(
    LANES.first,
    { capacity: 8, perTarget: 4 },
    {
      claim: (request) => {
        claims.push({ ...request, inFlight: new Map(request.inFlight), places: new Map(request.places) });
        return Promise.resolve({ deliveries: batches.shift() ?? [], lastTarget: undefined, isLimited: true });
      },
      prepare: (batch) =>
        Promise.resolve(
          batch.map((one) => ({ delivery: one, attempt: () => Promise.resolve(delivered(one)) })),
        ),
      renew: () => Promise.resolve(true),
      settle: () => Promise.resolve(),
      failed: (error) => void failures.push(error),
      due: (to, at) => void due.push([to, at]),
      ...parts,
    },
  );
  return { lane, claims, failures, due };
}

/** Runs the lane until everything is settled. */
export async function runOut(lane: DeliveryLane): Promise<void> {
  const run = lane.run();
  for (let turns = 0; turns < 50; turns += 1) await turn();
  lane.end();
  await run;
}
