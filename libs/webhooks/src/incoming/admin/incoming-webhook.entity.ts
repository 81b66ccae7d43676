import { entityOf } from '@tieline/platform/resource';
import { Entity } from 'typeorm';
import { INCOMING_WEBHOOK } from './incoming-webhook.js';

/** Row of `incoming_webhooks`. Never leaves this lib. */
@Entity('incoming_webhooks')
export class IncomingWebhook extends entityOf(INCOMING_WEBHOOK) {}
