/** Resolves when the part works, throws when it does not. */
export type HealthCheck = () => Promise<void> | void;

/** What must work before this process is given requests. Parts register themselves; `GET /health/ready` asks them. */
export class HealthChecks {
  private readonly checks = new Map<string, HealthCheck>();
  private leaving = false;

  /**
   * Adds a check; it has two seconds. Returns the function that removes it.
   * @throws Error when the name is taken
   */
  register(name: string, check: HealthCheck): () => void {
    if (this.checks.has(name)) throw new Error(`two health checks are named ${name}`);
    this.checks.set(name, check);
    return () => this.checks.delete(name);
  }

  /** Every check by name. */
  entries(): [string, HealthCheck][] {
    return [...this.checks];
  }

  /** From now on the process is not ready: it finishes what it has and takes nothing new. */
  leave(): void {
    this.leaving = true;
  }

  /** Whether the process is shutting down. */
  get isLeaving(): boolean {
    return this.leaving;
  }
}
