/** Limits the number of concurrent transactions. The others wait in order of arrival. */
export class PlanningLimit {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Runs the work as soon as the limit allows. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}
