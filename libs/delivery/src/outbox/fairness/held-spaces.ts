/**
 * Spaces with too many events that can't be planned: finding them all would delay every other
 * space. Their events are excluded from regular batches. They take turns to get a small batch.
 */
export class HeldSpaces {
  private readonly spaces = new Set<string>();

  /** @param changed called with the number of held spaces whenever it changes */
  constructor(private readonly changed: (count: number) => void = () => undefined) {}

  get ids(): string[] {
    return [...this.spaces];
  }

  hold(spaceIds: Iterable<string>): void {
    for (const id of spaceIds) this.spaces.add(id);
    this.changed(this.spaces.size);
  }

  release(spaceId: string): void {
    this.spaces.delete(spaceId);
    this.changed(this.spaces.size);
  }

  /** Returns the space whose turn it is. */
  next(): string | undefined {
    const [id] = this.spaces;
    if (id === undefined) return undefined;
    this.spaces.delete(id);
    this.spaces.add(id);
    return id;
  }
}
