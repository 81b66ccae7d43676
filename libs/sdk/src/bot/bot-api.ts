import type { Client } from '../client/client.js';

/** The part of the client that sends answers. */
export type BotApi = Pick<Client, 'call'>;
