import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { Loop } from '@tieline/background';
import { Db } from './db.js';
import type { Statement } from './statement.js';

/** Interval of the checks, in milliseconds. */
export const DUE_CHECK_MS = 1_000;
const TIMEOUT_MS = 5_000;

/** How background work is found that no wake-up reported. */
export interface DueCheck {
  /** Returns one row: whether something is due. */
  statement: Statement<{ due: 'bool' }>;
  /** Returns the current values of `$1`, `$2`, …. */
  values?: () => readonly unknown[];
}

interface Registered extends DueCheck {
  checked(due: boolean): void;
}

/**
 * Checks once a second, for all background work of the process, whether something is due. All
 * checks are one statement, so an idle process has one transaction a second.
 */
@Injectable()
export class DueChecks implements BeforeApplicationShutdown {
  private readonly checks: Registered[] = [];
  private readonly loop = new Loop(() => this.check(), { everyMs: DUE_CHECK_MS });

  constructor(private readonly db: Db) {}

  /**
   * Adds a check.
   * @param checked called with each result; true if the statement failed, so that one faulty check
   * stops no other work. Must not throw.
   */
  register(check: DueCheck, checked: (due: boolean) => void): void {
    this.checks.push({ ...check, checked });
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async check(): Promise<void> {
    const checks = [...this.checks];
    const results = await this.resultsOf(checks).catch(() => undefined);
    checks.forEach(({ checked }, n) => checked(results?.[n] ?? true));
  }

  /** The statement has no name: it is planned for its values, whether tables are empty or full. */
  private async resultsOf(checks: readonly Registered[]): Promise<boolean[]> {
    const values: unknown[] = [];
    const parts = checks.map(({ statement, values: own }) => {
      const before = values.length;
      values.push(...(own?.() ?? []));
      return `(${statement.text.replace(/\$(\d+)/g, (_, n) => `$${before + Number(n)}`)})`;
    });
    const text = `SELECT ARRAY[${parts.join(', ')}] AS due`;
    const combined: Statement<{ due: 'bool[]' }> = {
      name: '',
      text,
      preparedText: text,
      columns: { due: 'bool[]' },
      params: undefined,
    };
    const [row] = await this.db.query(combined, values, { timeoutMs: TIMEOUT_MS });
    return row?.due ?? [];
  }
}
