/**
 * Runs one piece of work at a time, and makes one more run out of everything that was asked for meanwhile. A run that
 * is under way when somebody asks may have begun before what they did; the run that they get begins afterwards.
 */
export class SingleFlight<T> {
  private current: Promise<T> | undefined;
  private following: Promise<T> | undefined;

  constructor(private readonly run: () => Promise<T>) {}

  /** A run that begins now or, when one is under way, right after it; all who wait for it share it. */
  request(): Promise<T> {
    if (this.following !== undefined) return this.following;
    if (this.current === undefined) return this.begin();
    const begin = (): Promise<T> => {
      this.following = undefined;
      return this.begin();
    };
    this.following = this.current.then(begin, begin);
    return this.following;
  }

  private begin(): Promise<T> {
    const current = this.run();
    this.current = current;
    const done = (): void => {
      if (this.current === current) this.current = undefined;
    };
    current.then(done, done);
    return current;
  }
}
