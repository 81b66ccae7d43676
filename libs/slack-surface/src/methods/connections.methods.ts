import { Injectable } from '@nestjs/common';
import { SocketTickets } from '@tieline/bots';
import { PlatformSettings } from '@tieline/platform/config';
import { ApiError, requireScope } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { SlackError } from '../dispatcher/slack-error.js';
import type { MethodGroup, SlackCall } from '../dispatcher/slack-method.js';
import { SOCKET_PATH, TICKET } from '../paths.js';
import { SlackDialect } from '../socket/slack-dialect.js';

/** `apps.connections.*` (docs/slack-apps.md#socket-mode). */
@Injectable()
export class ConnectionsMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    {
      name: 'apps.connections.open',
      scopes: [],
      arguments: {},
      isAppLevel: true,
      only: 'bot',
      run: (call: SlackCall) => this.open(call),
    },
  ];

  constructor(
    private readonly tickets: SocketTickets,
    private readonly dialect: SlackDialect,
    private readonly settings: PlatformSettings,
  ) {}

  private async open({ caller, token }: SlackCall): Promise<object> {
    // The dispatcher has refused people.
    if (caller.kind !== 'bot') throw new SlackError('not_allowed_token_type');
    requireScope(caller, 'events');
    const ticket = await this.tickets.issue(caller, hashToken(token), this.dialect).catch(denied);
    // http becomes ws, https becomes wss.
    const base = this.settings.publicUrl.replace(/^http/, 'ws');
    return { url: `${base}/${SOCKET_PATH}?${TICKET}=${ticket}` };
  }
}

/** A bot in another mode or with another event format has no socket mode. */
function denied(error: unknown): never {
  if (error instanceof ApiError && error.status === 409)
    throw new SlackError('access_denied', { messages: [`[ERROR] ${error.text}`] });
  throw error;
}
