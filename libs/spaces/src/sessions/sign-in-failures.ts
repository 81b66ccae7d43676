import { Injectable, Logger } from '@nestjs/common';
import { ApiError, Failures } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { SignInSettings } from '../spaces.settings.js';

/** Of one invite or token in a minute, from wherever it is tried. */
const PER_SECRET = 10;

/**
 * Bounds how often an address may guess, and how often one invite or token is tried in vain
 * (decisions, section 11.1).
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
   * Counts `signIn` where it refuses the secret, and writes a line to the log: a wrong secret names
   * no space whose audit log could have it, and a stranger could fill that. What is refused unseen
   * writes none, so the bounds are those of the lines too.
   * @param isGood looks the secret up; only called after too many failures, which never keep a
   * correct secret out
   * @throws 429 for a wrong secret after too many failures
   */
  async counting<T>(
    address: string,
    secret: string,
    isGood: () => Promise<boolean>,
    signIn: () => Promise<T>,
  ): Promise<T> {
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
