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

  /** Counts `work` where it refuses the secret. @throws 429 when there were too many failures */
  async counting<T>(address: string, secret: string, work: () => Promise<T>): Promise<T> {
    const key = hashToken(secret).toString('base64');
    this.addresses.requireFew(address);
    this.secrets.requireFew(key);
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        this.addresses.add(address);
        this.secrets.add(key);
      }
      throw error;
    }
  }
}
