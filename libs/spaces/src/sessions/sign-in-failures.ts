import { Injectable } from '@nestjs/common';
import { ApiError, Failures } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { SignInSettings } from '../spaces.settings.js';

/** Of one invite or token in a minute, from wherever it is tried. */
const PER_SECRET = 10;

/** Bounds how often an address may guess, and how often one invite or token is tried in vain (decisions, section 11.1). */
@Injectable()
export class SignInFailures {
  private readonly addresses: Failures;
  private readonly secrets = new Failures(PER_SECRET);

  constructor({ failuresPerMinute }: SignInSettings) {
    this.addresses = new Failures(failuresPerMinute);
  }

  /**
   * Counts `signIn` where it refuses the secret.
   * @param isGood looks the secret up; only called after too many failures, which never keep a correct secret out
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
        this.secrets.add(key);
      }
      throw error;
    }
  }
}
