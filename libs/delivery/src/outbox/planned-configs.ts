import { json, statement } from '@tieline/platform/database';
import type { Column, Statement, Tx } from '@tieline/platform/database';

/**
 * Maximum number of spaces in memory. Those loaded first are dropped first and read again when
 * needed.
 */
const MAX_SPACES = 10_000;

/**
 * The configurations of one space, indexed for lookups. Immutable, so a failed batch leaves no
 * trace.
 */
export interface ConfigIndex<Config, Index> {
  /** Returns a copy with one configuration replaced, or removed if `config` is null. */
  with(id: string, config: Config | null): Index;
}

/** A configuration as of an event. Null if it was deleted. */
export interface ConfigChange<Config> {
  id: string;
  config: Config | null;
}

/** Statements that read and write a table of planned configurations. */
export interface PlanStatements<Config> {
  load: Statement<{ spaceId: 'uuid'; config: Column<Config, string> }>;
  save: Statement<Record<never, never>>;
}

/** @param table name such as `bot_plans`, with the columns `space_id`, `id` and `config jsonb` */
export function planStatements<Config>(table: string): PlanStatements<Config> {
  return {
    load: statement(
      `${table}.load`,
      `SELECT space_id AS "spaceId", config FROM ${table} WHERE space_id = ANY($1::uuid[])`,
      { spaceId: 'uuid', config: json<Config>() },
    ),
    save: statement(
      `${table}.save`,
      `WITH changed AS (
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS c(space_id, id, config)
       ), gone AS (
         DELETE FROM ${table} p USING changed c WHERE c.config IS NULL AND p.space_id = c.space_id AND p.id = c.id
       )
       INSERT INTO ${table} (space_id, id, config) SELECT space_id, id, config::jsonb FROM changed WHERE config IS NOT NULL
       ON CONFLICT (space_id, id) DO UPDATE SET config = excluded.config`,
      {},
    ),
  };
}

/**
 * Configurations as of the event being planned. Caches a table (`space_id`, `id`, `config jsonb`)
 * that only the relay writes, and applies changes in the order of the outbox. Changes of a batch
 * are kept separate until its transaction commits.
 */
export class PlannedConfigs<Config, Index extends ConfigIndex<Config, Index>> {
  private readonly committed = new Map<string, Index>();
  private staged = new Map<string, Index>();
  private changes = new Map<string, ConfigChange<Config> & { spaceId: string }>();

  /** @param indexOf creates the index of a space */
  constructor(
    private readonly statements: PlanStatements<Config>,
    private readonly indexOf: (configs: readonly Config[]) => Index,
  ) {}

  /** Starts a batch: drops one that did not commit, and reads the spaces that are not cached. */
  async begin(tx: Tx, spaceIds: Iterable<string>): Promise<void> {
    this.rollBack();
    const unknown = [...new Set(spaceIds)].filter((id) => !this.committed.has(id));
    if (unknown.length === 0) return;
    const bySpace = new Map<string, Config[]>(unknown.map((id) => [id, []]));
    const rows = await tx.query(this.statements.load, [unknown]);
    for (const { spaceId, config } of rows) bySpace.get(spaceId)?.push(config);
    for (const [spaceId, configs] of bySpace) this.staged.set(spaceId, this.indexOf(configs));
  }

  /**
   * Returns the configurations of a space as of the changes applied so far. The space must have
   * been passed to `begin`.
   */
  of(spaceId: string): Index {
    const found = this.staged.get(spaceId) ?? this.committed.get(spaceId);
    if (!found) throw new Error('the space was not announced to this batch');
    return found;
  }

  /** Applies a change for all later events. */
  apply(spaceId: string, change: ConfigChange<Config>): void {
    this.staged.set(spaceId, this.of(spaceId).with(change.id, change.config));
    this.changes.set(change.id, { ...change, spaceId });
  }

  /** Writes the batch's changes in one statement. Does nothing without changes. */
  async save(tx: Tx): Promise<void> {
    if (this.changes.size === 0) return;
    const changes = [...this.changes.values()];
    await tx.query(this.statements.save, [
      changes.map(({ spaceId }) => spaceId),
      changes.map(({ id }) => id),
      changes.map(({ config }) => (config === null ? null : JSON.stringify(config))),
    ]);
  }

  /** Keeps the changes after the batch's transaction has committed. */
  commit(): void {
    for (const [spaceId, index] of this.staged) this.committed.set(spaceId, index);
    this.staged = new Map();
    for (const oldest of this.committed.keys()) {
      if (this.committed.size <= MAX_SPACES) break;
      this.committed.delete(oldest);
    }
  }

  /**
   * Drops the changes after a rollback. Otherwise a later batch that needs no configuration would
   * commit them.
   */
  rollBack(): void {
    this.staged = new Map();
    this.changes = new Map();
  }

  /** Drops the cache, because another relay has written the table. */
  reset(): void {
    this.committed.clear();
    this.rollBack();
  }
}
