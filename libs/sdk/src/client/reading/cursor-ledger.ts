/** Where the position in the event queue outlives the program: a file, a row, a key. */
export interface CursorStore {
  /** The cursor that was saved last; empty for none. */
  load(): Promise<string> | string;
  /** Called with one cursor at a time, each further than the one before. */
  save(cursor: string): Promise<void> | void;
}

interface Entry {
  readonly id: string;
  isDone: boolean;
}

/**
 * Which records were handed out and which of them are done. The cursor that is saved is that of the
 * last record before which everything is done, so that nothing is skipped however out of order the
 * work ends.
 */
export class CursorLedger {
  private readonly open: Entry[] = [];
  private readonly waiting: (() => void)[] = [];
  private wanted: string | undefined;
  private saving: Promise<void> | undefined;

  constructor(
    private readonly store: CursorStore,
    private readonly onTrouble: (error: unknown) => void,
  ) {}

  /** How many records are handed out and not done, or wait for one before them. */
  get size(): number {
    return this.open.length;
  }

  /**
   * Hands out a record. @returns what says that it is done; resolves once the store knows what can
   * be known by then
   */
  take(id: string): () => Promise<void> {
    const entry = { id, isDone: false };
    this.open.push(entry);
    return () => {
      entry.isDone = true;
      return this.advance();
    };
  }

  /** Resolves when something is done. */
  change(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Resolves when what is done is saved, or saving has failed. */
  async flush(): Promise<void> {
    await (this.saving ?? this.save());
    await this.saving;
  }

  private advance(): Promise<void> {
    while (this.open[0]?.isDone) this.wanted = this.open.shift()?.id;
    for (const wake of this.waiting.splice(0)) wake();
    return this.flush();
  }

  private save(): Promise<void> {
    if (this.wanted === undefined) return Promise.resolve();
    this.saving = this.saveLatest().finally(() => (this.saving = undefined));
    return this.saving;
  }

  /** What comes up while one cursor is saved is saved after it, the last one only. */
  private async saveLatest(): Promise<void> {
    while (this.wanted !== undefined) {
      const cursor = this.wanted;
      this.wanted = undefined;
      try {
        await this.store.save(cursor);
      } catch (error) {
        this.wanted ??= cursor; // the next one that is done tries again
        return this.onTrouble(error);
      }
    }
  }
}
