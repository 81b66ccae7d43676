/** How long a key counts as active after it was last noted. */
const ACTIVE_MS = 1000;

interface Sighting {
  key: string;
  at: number;
}

/** Knows whether several keys, such as spaces, had work within the last second. */
export class ActiveKeys {
  private latest: Sighting | undefined;
  /** The latest sighting of any other key. */
  private previous: Sighting | undefined;

  /** Records that there is work for the key. */
  note(key: string, now = performance.now()): void {
    if (this.latest && this.latest.key !== key) this.previous = this.latest;
    this.latest = { key, at: now };
  }

  /** Returns whether at least two keys are active. */
  areSeveral(now = performance.now()): boolean {
    return this.keys(now).length > 1;
  }

  /** Returns the active keys: none, one, or the latest two. */
  keys(now = performance.now()): string[] {
    return [this.latest, this.previous].flatMap((seen) =>
      seen && now - seen.at < ACTIVE_MS ? seen.key : [],
    );
  }
}
