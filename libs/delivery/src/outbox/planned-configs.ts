import { json, statement } from '@tieline/platform/database';
import type { Column, Statement, Tx } from '@tieline/platform/database';

/**
 * Spaces kept in memory at most; the ones that were loaded first go first and are read again when
 * they are needed.
 */
const MAX_SPACES = 10_000;

/**
 * The configurations of one space, ready to be asked. Immutable: a batch whose transaction fails
 * leaves no trace.
 */
export interface ConfigIndex<Config, Index> {
  /** The same with one of them replaced, or gone when `config` is null. */
  with(id: string, config: Config | null): Index;
}

/** One configuration as of an event; null: it is gone. */
export interface ConfigChange<Config> {
  id: string;
  config: Config | null;
}

/** How a table of planned configurations is read and written. */
export interface PlanStatements<Config> {
  load: Statement<{ space_id: 'uuid'; config: Column<Config> }>;
  save: Statement<Record<never, never>>;
}

/** @param table such as `bot_plans`, with the columns `space_id`, `id` and `config jsonb` */
export function planStatements<Config>(table: string): PlanStatements<Config> {
  return {
    load: statement(
      `${table}_load`,
      `SELECT space_id, config FROM ${table} WHERE space_id = ANY($1::uuid[])`,
      { space_id: 'uuid', config: json<Config>() },
    ),
    save: statement(
      `${table}_save`,
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
 * Configurations as of the event that is being planned: a memory over a table (`space_id`, `id`,
 * `config jsonb`) that only the relay writes, fed by the changes in the order of the outbox. What a
 * batch changes stays apart until its transaction has committed.
 */
export class PlannedConfigs<Config, Index extends ConfigIndex<Config, Index>> {
  private readonly committed = new Map<string, Index>();
  private staged = new Map<string, Index>();
  private changes = new Map<string, ConfigChange<Config> & { spaceId: string }>();

  /** @param indexOf makes the index of a space */
  constructor(
    private readonly statements: PlanStatements<Config>,
    private readonly indexOf: (configs: readonly Config[]) => Index,
  ) {}

  /**
   * Starts a batch: forgets an earlier one that did not commit and reads the spaces that are not in
   * memory.
   */
  async begin(tx: Tx, spaceIds: Iterable<string>): Promise<void> {
    this.rollBack();
    const unknown = [...new Set(spaceIds)].filter((id) => !this.committed.has(id));
    if (unknown.length === 0) return;
    const bySpace = new Map<string, Config[]>(unknown.map((id) => [id, []]));
    const rows = await tx.query(this.statements.load, [unknown]);
    for (const { space_id, config } of rows) bySpace.get(space_id)?.push(config);
    for (const [spaceId, configs] of bySpace) this.staged.set(spaceId, this.indexOf(configs));
  }

  /**
   * The configurations of a space as of the changes applied so far; `begin` was told of the space.
   */
  of(spaceId: string): Index {
    const found = this.staged.get(spaceId) ?? this.committed.get(spaceId);
    if (!found) throw new Error('the space was not announced to this batch');
    return found;
  }

  /** From the next event on, it is like this. */
  apply(spaceId: string, change: ConfigChange<Config>): void {
    this.staged.set(spaceId, this.of(spaceId).with(change.id, change.config));
    this.changes.set(change.id, { ...change, spaceId });
  }

  /** Writes the batch's changes to the table; one statement, none without changes. */
  async save(tx: Tx): Promise<void> {
    if (this.changes.size === 0) return;
    const changes = [...this.changes.values()];
    await tx.query(this.statements.save, [
      changes.map(({ spaceId }) => spaceId),
      changes.map(({ id }) => id),
      changes.map(({ config }) => (config === null ? null : JSON.stringify(config))),
    ]);
  }

  /** The batch's transaction has committed. */
  commit(): void {
    for (const [spaceId, index] of this.staged) this.committed.set(spaceId, index);
    this.staged = new Map();
    for (const oldest of this.committed.keys()) {
      if (this.committed.size <= MAX_SPACES) break;
      this.committed.delete(oldest);
    }
  }

  /**
   * The batch's transaction was rolled back: a batch that needs no configuration must not commit
   * what this one changed.
   */
  rollBack(): void {
    this.staged = new Map();
    this.changes = new Map();
  }

  /** Forgets everything: somebody else has written the table. */
  reset(): void {
    this.committed.clear();
    this.rollBack();
  }
}
