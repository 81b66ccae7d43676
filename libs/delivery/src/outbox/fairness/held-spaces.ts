/**
 * Spaces with so many events that can't be planned that looking for them would hold up all others:
 * they are left out of batches, and get a small one of their own after each, by turns.
 */
export class HeldSpaces {
  private readonly spaces = new Set<string>();

  /** @param changed is told how many there are now */
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

  /** The space whose turn it is. */
  next(): string | undefined {
    const [id] = this.spaces;
    if (id === undefined) return undefined;
    this.spaces.delete(id);
    this.spaces.add(id);
    return id;
  }
}
