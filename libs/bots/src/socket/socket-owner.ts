import type { GrantedScopes } from '@tieline/platform/http';
import type { SocketBot, SocketDialect } from './socket-dialect.js';

/** The bot that opens a socket. */
export interface SocketOwner extends SocketBot {
  tokenHash: Buffer;
  scopes: GrantedScopes;
  dialect: SocketDialect;
}
