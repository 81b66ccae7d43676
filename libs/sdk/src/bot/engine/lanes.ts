/**
 * Limits concurrency: work in the same lane runs one at a time, and all lanes together run at most
 * `concurrency` at a time.
 */
export class Lanes {
  private readonly tails = new Map<string, Promise<void>>();
  private readonly waiting: (() => void)[] = [];
  private busy = 0;

  /** @param concurrency at least 1 */
  constructor(private readonly concurrency: number) {}

  /**
   * Runs work when its lane and a slot are free. `leave` releases both before the work has ended,
   * and may be called several times.
   * @param lane null: no lane
   */
  async run<T>(lane: string | null, work: (leave: () => void) => Promise<T>): Promise<T> {
    const leaveLane = lane === null ? () => undefined : await this.enterLane(lane);
    const leaveSlot = await this.enterSlot();
    const leave = once(() => {
      leaveSlot();
      leaveLane();
    });
    try {
      return await work(leave);
    } finally {
      leave();
    }
  }

  /** Number of lanes in use. */
  get size(): number {
    return this.tails.size;
  }

  private async enterLane(lane: string): Promise<() => void> {
    const before = this.tails.get(lane);
    let leave: () => void = () => undefined;
    const tail = new Promise<void>((done) => (leave = done));
    this.tails.set(lane, tail);
    await before;
    return () => {
      if (this.tails.get(lane) === tail) this.tails.delete(lane);
      leave();
    };
  }

  private async enterSlot(): Promise<() => void> {
    if (this.busy < this.concurrency) this.busy += 1;
    else await new Promise<void>((enter) => this.waiting.push(enter));
    return () => {
      const next = this.waiting.shift();
      // Passes the slot on directly, so that no newcomer takes it.
      if (next) next();
      else this.busy -= 1;
    };
  }
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
