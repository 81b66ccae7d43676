/** Resolves when the part works, throws when it does not. */
export type HealthCheck = () => Promise<void> | void;

/**
 * What it means when a part is away: `stops` the process cannot serve, and is not ready; `degrades`
 * it serves, less well, and says so.
 */
export type Absence = 'stops' | 'degrades';

/** A part that `GET /health/ready` asks. */
export interface HealthPart {
  name: string;
  check: HealthCheck;
  absence: Absence;
}

/** What this process works with. Parts register themselves; `GET /health/ready` asks them. */
export class HealthChecks {
  private readonly checks = new Map<string, HealthPart>();
  private leaving = false;

  /**
   * Adds a check; it has two seconds. Returns the function that removes it.
   * @throws Error when the name is taken
   */
  register(name: string, absence: Absence, check: HealthCheck): () => void {
    if (this.checks.has(name)) throw new Error(`two health checks are named ${name}`);
    this.checks.set(name, { name, check, absence });
    return () => this.checks.delete(name);
  }

  /** Every part. */
  parts(): HealthPart[] {
    return [...this.checks.values()];
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
