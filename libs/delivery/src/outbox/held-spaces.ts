/**
 * Spaces with so many events that can't be planned that looking for them would hold up all others: they are left out of batches,
 * and get a small one of their own after each, by turns.
 */
export class HeldSpaces {
  private readonly spaces = new Set<string>();

  get ids(): string[] {
    return [...this.spaces];
  }

  hold(spaceIds: Iterable<string>): void {
    for (const id of spaceIds) this.spaces.add(id);
  }

  release(spaceId: string): void {
    this.spaces.delete(spaceId);
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
