import { Inject, Injectable } from '@nestjs/common';
import type { DeliveryDetail } from '@tieline/delivery';
import { Db } from '@tieline/platform/database';
import type { ActingAdmin, Origin } from '@tieline/spaces';
import { notRedeliverable } from '../outgoing-webhooks.errors.js';
import { OUTGOING } from './outgoing-kind-name.js';
import { RedeliverOutgoing } from './redeliver-outgoing.js';

/**
 * Plans a new delivery of the same event and body.
 * @returns the new delivery's id
 * @throws 409 when the target is inactive or deleted
 */
export type Redeliver = (
  db: Db,
  spaceId: string,
  delivery: DeliveryDetail,
  origin: Origin,
) => Promise<string>;

/**
 * Injection token of the redelivery functions of other delivery kinds. The admin module provides
 * them, because feature libs do not import each other.
 */
export const OTHER_KINDS = Symbol('OTHER_KINDS');

/** Redelivers deliveries of any kind. */
@Injectable()
export class Redeliveries {
  constructor(
    private readonly db: Db,
    private readonly redeliverOutgoing: RedeliverOutgoing,
    @Inject(OTHER_KINDS) private readonly others: Readonly<Record<string, Redeliver>>,
  ) {}

  /**
   * @returns the new delivery's id
   * @throws 409 when the delivery cannot be sent again
   */
  async redeliver({ spaceId, origin }: ActingAdmin, delivery: DeliveryDetail): Promise<string> {
    if (delivery.kind === OUTGOING) return this.redeliverOutgoing.run(spaceId, delivery, { origin });
    const redeliver = this.others[delivery.kind];
    if (!redeliver) throw notRedeliverable();
    return redeliver(this.db, spaceId, delivery, origin);
  }
}
