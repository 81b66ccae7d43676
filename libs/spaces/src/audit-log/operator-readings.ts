import { Injectable, Logger } from '@nestjs/common';

const HOUR_MS = 3_600_000;
/** The oldest entries are dropped beyond this number. */
const MAX_ENTRIES = 1000;

/**
 * Logs that the operator reads a list that belongs to no space and therefore to no audit log. One
 * line an hour for each list and address.
 */
@Injectable()
export class OperatorReadings {
  private readonly logger = new Logger('Operator');
  private readonly loggedAt = new Map<string, number>();

  /** @param list the list, such as `spaces` */
  log(list: string, ip: string, now = performance.now()): void {
    const key = `${list} ${ip}`;
    const last = this.loggedAt.get(key);
    if (last !== undefined && now - last < HOUR_MS) return;
    this.loggedAt.delete(key);
    this.loggedAt.set(key, now);
    const [oldest] = this.loggedAt.keys();
    if (this.loggedAt.size > MAX_ENTRIES && oldest !== undefined) this.loggedAt.delete(oldest);
    this.logger.log(`the operator listed the ${list} from ${ip}`);
  }
}
