import { microBatch } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { ClaimedDelivery } from '../delivery.types.js';
import { claimDeliveries, toClaimed } from './claim-deliveries.js';
import type { ClaimResult, Lane, Probe } from './claim-deliveries.js';
import type { LaneClaim } from '../lanes/lane-parts.js';
import type { PlannedTargets } from '../lanes/planned-targets.js';
import { lineSubject } from '../results/lines.js';
import type { Line } from '../results/lines.js';
import { RELEASE_NEXT } from '../results/ordered.statements.js';
import type { LeaseOwner } from './lease-owner.js';
import { RENEW_LEASES } from './leases.statements.js';
import type { DirectLease } from '../direct/direct-batch.js';

/** Time added to an attempt's timeout for writing the result to a slow database. */
const LEASE_MARGIN_MS = 20_000;

/** Returns the duration of a lease for a given timeout of attempts. */
export const leaseMs = (timeoutMs: number): number => timeoutMs + LEASE_MARGIN_MS;

/** The next deliveries of lines. */
export interface ContinuedLines {
  /** Those leased to this worker, by the subject of their line. */
  leased: Map<string, ClaimedDelivery>;
  /** The targets of those that were not leased. */
  due: PlannedTargets;
}

/**
 * Leases deliveries to this worker, and remembers which targets with an open breaker it may probe.
 */
export class DeliveryClaims {
  private readonly probes = new Map<string, Lane>();
  /** Extends the lease. Resolves with false if this worker no longer has it. */
  readonly renew: (delivery: ClaimedDelivery) => Promise<boolean>;

  /** @param leaseMs how long a lease lasts if its worker hangs */
  constructor(
    private readonly db: Db,
    private readonly owner: LeaseOwner,
    private readonly leaseMs: number,
  ) {
    this.renew = microBatch((batch: ClaimedDelivery[]) => this.renewAll(batch), { maxBatch: 500 });
  }

  /** How deliveries are leased now, or undefined while this worker can't lease any. */
  get lease(): DirectLease | undefined {
    const owner = this.owner.now;
    return owner === undefined ? undefined : { owner, leaseMs: this.leaseMs };
  }

  /** Lets the next claims take one delivery of each of these targets despite its open breaker. */
  probe(probes: Probe[]): void {
    for (const { targetId, lane } of probes) this.probes.set(targetId, lane);
  }

  async claim(request: LaneClaim): Promise<ClaimResult> {
    const probes = [...this.probes].filter(([, lane]) => lane === request.lane).map(([id]) => id);
    const owner = await this.owner.current();
    const answer = await claimDeliveries(this.db, { ...request, probes, owner, leaseMs: this.leaseMs });
    // A probe is for one delivery of its lane. Other lanes, such as test sends, don't use it up.
    const taken = new Set(answer.deliveries.map(({ targetId }) => targetId));
    for (const id of probes) if (taken.has(id)) this.probes.delete(id);
    return answer;
  }

  /**
   * Makes the next deliveries of lines due, in one statement.
   * @param lines by subject
   * @param direct lines whose next delivery is leased
   * @param lease undefined if `direct` is empty
   */
  async continueLines(
    lines: ReadonlyMap<string, Line>,
    direct: ReadonlyMap<string, Line>,
    lease: DirectLease | undefined,
  ): Promise<ContinuedLines> {
    const rows = await this.db.query(RELEASE_NEXT, {
      targetIds: [...lines.values()].map(({ targetId }) => targetId),
      keys: [...lines.values()].map(({ key }) => key),
      direct: [...lines.keys()].map((subject) => direct.has(subject)),
      ...(lease ?? { owner: null, leaseMs: null }),
    });
    const leased = new Map<string, ClaimedDelivery>();
    const due = new Map<string, string>();
    for (const { lease: number, orderKey: key, ...row } of rows) {
      const { spaceId, targetId } = row;
      if (number === null) due.set(targetId, spaceId);
      else leased.set(lineSubject({ spaceId, targetId, key }), toClaimed({ ...row, lease: number }));
    }
    return { leased, due };
  }

  private async renewAll(batch: ClaimedDelivery[]): Promise<boolean[]> {
    const leases = batch.map(({ lease }) => lease);
    const rows = await this.db.query(RENEW_LEASES, [batch.map(({ id }) => id), leases, this.leaseMs]);
    const held = new Set(rows.map(({ id }) => id));
    return batch.map(({ id }) => held.has(id));
  }
}
