/** How long a space counts as active after it was last noted. */
const ACTIVE_MS = 1000;

interface Sighting {
  spaceId: string;
  at: number;
}

/** Knows whether several spaces had work within the last second. */
export class ActiveSpaces {
  private latest: Sighting | undefined;
  /** The latest sighting of any other space. */
  private previous: Sighting | undefined;

  /** Records that the space has work. */
  note(spaceId: string, now = performance.now()): void {
    if (this.latest && this.latest.spaceId !== spaceId) this.previous = this.latest;
    this.latest = { spaceId, at: now };
  }

  /** Returns whether at least two spaces are active. */
  areSeveral(now = performance.now()): boolean {
    return this.ids(now).length > 1;
  }

  /** Returns the ids of the active spaces: none, one, or the latest two. */
  ids(now = performance.now()): string[] {
    return [this.latest, this.previous].flatMap((seen) =>
      seen && now - seen.at < ACTIVE_MS ? seen.spaceId : [],
    );
  }
}
