/**
 * Lets so many runs of a job through at a time. A wake-up that finds them all busy makes one of them run once more
 * when it is done: its work is seen, and no slot of the worker is held for waiting.
 */
export class JobGate {
  private running = 0;
  private again = false;

  constructor(private readonly limit: number) {}

  /** Runs now, or has a running one repeat; `goOn` false ends repetitions. Rejects with the error of its own run. */
  async enter(run: () => Promise<void>, goOn: () => boolean): Promise<void> {
    if (this.running >= this.limit) {
      this.again = true;
      return;
    }
    this.running += 1;
    try {
      do {
        this.again = false;
        await run();
      } while (this.again && goOn());
    } finally {
      this.running -= 1;
    }
  }
}
