import { pino } from 'pino';
import type { Logger } from 'pino';

/**
 * A logger that collects the errors which `parts` of the product log, for tests that expect none.
 */
export class FailureLog {
  readonly failures: Error[] = [];
  readonly logger: Logger;

  constructor(...parts: string[]) {
    const write = (line: string): void => {
      const { part } = JSON.parse(line) as { part?: string };
      if (part !== undefined && parts.includes(part)) this.failures.push(new Error(line));
    };
    this.logger = pino({ level: 'error' }, { write });
  }
}
