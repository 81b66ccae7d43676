/** Resolves when the part works, throws when it does not. */
export type HealthCheck = () => Promise<void> | void;

/**
 * The effect of an unavailable part: `stops` means that the process cannot serve and is not ready;
 * `degrades` means that it serves with restrictions and reports them.
 */
export type Absence = 'stops' | 'degrades';

/** A part that `GET /health/ready` checks. */
export interface HealthPart {
  name: string;
  check: HealthCheck;
  absence: Absence;
}

/**
 * The parts that this process depends on. They register themselves; `GET /health/ready` checks
 * them.
 */
export class HealthChecks {
  private readonly checks = new Map<string, HealthPart>();
  private leaving = false;

  /**
   * Adds a check, which has two seconds. Returns the function that removes it.
   * @throws Error when the name is taken
   */
  register(name: string, absence: Absence, check: HealthCheck): () => void {
    if (this.checks.has(name)) throw new Error(`two health checks are named ${name}`);
    this.checks.set(name, { name, check, absence });
    return () => this.checks.delete(name);
  }

  /** Returns every part. */
  parts(): HealthPart[] {
    return [...this.checks.values()];
  }

  /** Marks the process as not ready: it finishes its work and accepts nothing new. */
  leave(): void {
    this.leaving = true;
  }

  /** Whether the process is shutting down. */
  get isLeaving(): boolean {
    return this.leaving;
  }
}
