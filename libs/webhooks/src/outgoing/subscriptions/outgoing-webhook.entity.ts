import { entityOf } from '@tieline/platform/resource';
import { Entity } from 'typeorm';
import { SUBSCRIPTION } from './subscription.js';

/** Row of `outgoing_webhooks`. Never leaves this lib. */
@Entity('outgoing_webhooks')
export class OutgoingWebhook extends entityOf(SUBSCRIPTION) {}
