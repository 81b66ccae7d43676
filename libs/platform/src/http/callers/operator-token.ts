import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { PlatformSettings } from '../../config/index.js';
import { invalidToken } from '../api-error.js';
import { OperatorFailures } from '../limits/callers-in-flight.js';

const digest = (value: string): Buffer => createHash('sha256').update(value).digest();

/** Checks the operator's token. */
@Injectable()
export class OperatorToken {
  private readonly logger = new Logger('SignIn');

  constructor(
    private readonly settings: PlatformSettings,
    private readonly failures: OperatorFailures,
  ) {}

  /**
   * The correct token is accepted however often its address has failed. @throws 401; 429 when the
   * address has guessed too often
   */
  require(token: string, address: string): void {
    const { operatorToken } = this.settings;
    if (operatorToken !== '' && timingSafeEqual(digest(token), digest(operatorToken))) return;
    this.failures.requireFew(address);
    this.failures.add(address);
    this.logger.warn(`wrong operator token from ${address}`);
    throw invalidToken();
  }
}
