import { Injectable } from '@nestjs/common';
import type { Db } from '@tieline/platform/database';
import type { DeliveryDetail } from '@tieline/delivery';

/**
 * Plans a new delivery of the same event and the same bytes.
 * @returns the new delivery's id
 * @throws 409 when its target is inactive or gone
 */
export type Redeliver = (db: Db, spaceId: string, delivery: DeliveryDetail) => Promise<string>;

/**
 * Who sends a delivery of which kind again. `POST /admin/deliveries/{id}/redeliver` is one endpoint for all kinds, but
 * features don't know each other: the admin module, which stands above them, adds the other kinds here.
 */
@Injectable()
export class Redeliveries {
  private readonly byKind = new Map<string, Redeliver>();

  /** @throws Error when the kind is taken. */
  register(kind: string, redeliver: Redeliver): void {
    if (this.byKind.has(kind)) throw new Error(`redelivery of ${kind} is registered already`);
    this.byKind.set(kind, redeliver);
  }

  find(kind: string): Redeliver | undefined {
    return this.byKind.get(kind);
  }
}
