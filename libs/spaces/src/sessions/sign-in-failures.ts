import { Injectable, Logger } from '@nestjs/common';
import { ApiError, Failures } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { SignInSettings } from '../spaces.settings.js';

/** Failed attempts with one invite or token per minute, from all addresses. */
const PER_SECRET = 10;

/** An attempt to sign in with a token or an invite. */
export interface SignInAttempt {
  address: string;
  secret: string;
  /**
   * Looks the secret up. Called only after too many failures, so that a correct secret is never
   * refused.
   */
  isGood: () => Promise<boolean>;
}

/**
 * Limits the failed attempts per address, and per invite or token
 * (docs/security.md#limits-for-one-client).
 */
@Injectable()
export class SignInFailures {
  private readonly logger = new Logger('SignIn');
  private readonly addresses: Failures;
  private readonly secrets = new Failures(PER_SECRET);

  constructor({ failuresPerMinute }: SignInSettings) {
    this.addresses = new Failures(failuresPerMinute);
  }

  /**
   * Counts `signIn` if it refuses the secret, and logs it: a wrong secret belongs to no space with
   * an audit log, and strangers could fill that. Attempts beyond the limits are neither checked nor
   * logged, so the limits apply to the log as well.
   * @throws 429 for a wrong secret after too many failures
   */
  async counting<T>({ address, secret, isGood }: SignInAttempt, signIn: () => Promise<T>): Promise<T> {
    const key = hashToken(secret).toString('base64');
    try {
      this.addresses.requireFew(address);
      this.secrets.requireFew(key);
    } catch (refusal) {
      if (!(await isGood())) throw refusal;
    }
    try {
      return await signIn();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        this.addresses.add(address);
        this.logger.warn(`failed sign-in from ${address}: ${error.code}`);
        this.secrets.add(key);
      }
      throw error;
    }
  }
}
