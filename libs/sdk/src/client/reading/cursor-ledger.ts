/** Stores the position in the event queue across restarts: in a file, a row, a key. */
export interface CursorStore {
  /** Returns the last saved cursor, or an empty text. */
  load(): Promise<string> | string;
  /** Saves a cursor. Calls do not overlap, and each cursor is later than the one before. */
  save(cursor: string): Promise<void> | void;
}

interface Entry {
  readonly id: string;
  isDone: boolean;
}

/**
 * Tracks which records have been handed out and finished. Saves the cursor of the last record
 * before which everything is finished, so that nothing is skipped even if work ends out of order.
 */
export class CursorLedger {
  private readonly open: Entry[] = [];
  private readonly waiting: (() => void)[] = [];
  private unsaved: string | undefined;
  private saving: Promise<void> | undefined;

  constructor(
    private readonly store: CursorStore,
    private readonly onTrouble: (error: unknown) => void,
  ) {}

  /** Number of records that are unfinished or wait for an earlier one. */
  get size(): number {
    return this.open.length;
  }

  /**
   * Registers a record. @returns a function that marks it as finished and resolves when the cursor
   * is saved
   */
  take(id: string): () => Promise<void> {
    const entry = { id, isDone: false };
    this.open.push(entry);
    return () => {
      entry.isDone = true;
      return this.advance();
    };
  }

  /** Resolves when a record is finished. */
  change(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Resolves when the cursor is saved or saving has failed. */
  async flush(): Promise<void> {
    await (this.saving ?? this.save());
    await this.saving;
  }

  private advance(): Promise<void> {
    while (this.open[0]?.isDone) this.unsaved = this.open.shift()?.id;
    for (const wake of this.waiting.splice(0)) wake();
    return this.flush();
  }

  private save(): Promise<void> {
    if (this.unsaved === undefined) return Promise.resolve();
    this.saving = this.saveLatest().finally(() => (this.saving = undefined));
    return this.saving;
  }

  /** Saves the latest cursor, again if a later one arrives while saving. */
  private async saveLatest(): Promise<void> {
    while (this.unsaved !== undefined) {
      const cursor = this.unsaved;
      this.unsaved = undefined;
      try {
        await this.store.save(cursor);
      } catch (error) {
        this.unsaved ??= cursor; // the next one that is done tries again
        return this.onTrouble(error);
      }
    }
  }
}
