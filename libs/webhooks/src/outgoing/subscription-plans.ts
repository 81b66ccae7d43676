import { statement } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { SubscriptionChange, SubscriptionConfig } from './subscription-config.js';
import { SpaceSubscriptions } from './subscription-matching.js';

/** Spaces kept in memory at most; the ones that were loaded first go first and are read again when they are needed. */
const MAX_SPACES = 10_000;

const LOAD = statement('outgoing_plans_load', 'SELECT space_id, config FROM outgoing_webhook_plans WHERE space_id = ANY($1::uuid[])');

const SAVE = statement(
  'outgoing_plans_save',
  `WITH changed AS (
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS c(space_id, id, config)
   ), gone AS (
     DELETE FROM outgoing_webhook_plans p USING changed c WHERE c.config IS NULL AND p.space_id = c.space_id AND p.id = c.id
   )
   INSERT INTO outgoing_webhook_plans (space_id, id, config) SELECT space_id, id, config::jsonb FROM changed WHERE config IS NOT NULL
   ON CONFLICT (space_id, id) DO UPDATE SET config = excluded.config`,
);

/**
 * The subscriptions as of the event that is being planned: a memory over `outgoing_webhook_plans`, fed by the changes in
 * the order of the outbox. What a batch changes stays apart until its transaction has committed.
 */
export class SubscriptionPlans {
  private readonly committed = new Map<string, SpaceSubscriptions>();
  private staged = new Map<string, SpaceSubscriptions>();
  private changes = new Map<string, SubscriptionChange & { spaceId: string }>();

  /** Starts a batch: forgets an earlier one that did not commit and reads the spaces that are not in memory. */
  async begin(tx: Tx, spaceIds: Iterable<string>): Promise<void> {
    this.staged = new Map();
    this.changes = new Map();
    const unknown = [...new Set(spaceIds)].filter((id) => !this.committed.has(id));
    if (unknown.length === 0) return;
    const bySpace = new Map<string, SubscriptionConfig[]>(unknown.map((id) => [id, []]));
    const rows = await tx.query<{ space_id: string; config: SubscriptionConfig }>(LOAD, [unknown]);
    for (const { space_id, config } of rows) bySpace.get(space_id)?.push(config);
    for (const [spaceId, configs] of bySpace) this.staged.set(spaceId, SpaceSubscriptions.of(configs));
  }

  /** The subscriptions of a space as of the changes applied so far; `begin` was told of the space. */
  of(spaceId: string): SpaceSubscriptions {
    const found = this.staged.get(spaceId) ?? this.committed.get(spaceId);
    if (!found) throw new Error('the space was not announced to this batch');
    return found;
  }

  /** From the next event on, the subscription is like this. */
  apply(spaceId: string, change: SubscriptionChange): void {
    this.staged.set(spaceId, this.of(spaceId).with(change.id, change.config));
    this.changes.set(change.id, { ...change, spaceId });
  }

  /** Writes the batch's changes to the table; one statement, none without changes. */
  async save(tx: Tx): Promise<void> {
    if (this.changes.size === 0) return;
    const changes = [...this.changes.values()];
    await tx.query(SAVE, [
      changes.map(({ spaceId }) => spaceId),
      changes.map(({ id }) => id),
      changes.map(({ config }) => (config === null ? null : JSON.stringify(config))),
    ]);
  }

  /** The batch's transaction has committed. */
  commit(): void {
    for (const [spaceId, subscriptions] of this.staged) this.committed.set(spaceId, subscriptions);
    this.staged = new Map();
    for (const oldest of this.committed.keys()) {
      if (this.committed.size <= MAX_SPACES) break;
      this.committed.delete(oldest);
    }
  }

  /** Forgets everything: somebody else has written the table. */
  reset(): void {
    this.committed.clear();
    this.staged = new Map();
  }
}
