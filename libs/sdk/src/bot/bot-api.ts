import type { Client } from '../client/client.js';

/** The part of the client that answers are sent with. */
export type BotApi = Pick<Client, 'call'>;
