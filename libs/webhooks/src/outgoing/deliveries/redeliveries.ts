import { Inject, Injectable } from '@nestjs/common';
import type { DeliveryDetail } from '@tieline/delivery';
import { Db } from '@tieline/platform/database';
import { SecretBox } from '@tieline/signing';
import type { ActingAdmin, Origin } from '@tieline/spaces';
import { notRedeliverable } from '../outgoing-webhooks.errors.js';
import { OUTGOING } from './outgoing-kind-name.js';
import { redeliverOutgoing } from './redeliver-outgoing.js';

/**
 * Plans a new delivery of the same event and the same bytes.
 * @returns the new delivery's id
 * @throws 409 when its target is inactive or gone
 */
export type Redeliver = (
  db: Db,
  spaceId: string,
  delivery: DeliveryDetail,
  origin: Origin,
) => Promise<string>;

/**
 * How deliveries of other kinds are sent again, by kind. Features don't know each other, so the
 * admin module supplies it.
 */
export const OTHER_KINDS = Symbol('OTHER_KINDS');

/** Sends deliveries again: one endpoint does it for all kinds. */
@Injectable()
export class Redeliveries {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    @Inject(OTHER_KINDS) private readonly others: Readonly<Record<string, Redeliver>>,
  ) {}

  /** @returns the new delivery's id @throws 409 when it can't be sent again */
  async redeliver({ spaceId, origin }: ActingAdmin, delivery: DeliveryDetail): Promise<string> {
    if (delivery.kind === OUTGOING)
      return redeliverOutgoing(this.box, this.db, spaceId, delivery, { origin });
    const redeliver = this.others[delivery.kind];
    if (!redeliver) throw notRedeliverable();
    return redeliver(this.db, spaceId, delivery, origin);
  }
}
