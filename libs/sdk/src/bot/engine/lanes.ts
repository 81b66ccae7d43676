/**
 * Lets work through: what shares a lane goes one after another, and only so many go at once over
 * all lanes.
 */
export class Lanes {
  private readonly tails = new Map<string, Promise<void>>();
  private readonly waiting: (() => void)[] = [];
  private busy = 0;

  /** @param concurrency how many go at once, 1 or more */
  constructor(private readonly concurrency: number) {}

  /**
   * Runs the work when it is its turn. `leave` lets the next one in before the work has ended; it
   * has no effect the second time.
   * @param lane null: waits for nobody
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

  /** Lanes that somebody is in or waits for. */
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
      // The place is handed on, so that nobody who comes in between takes it.
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
