import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { sseFrame, SseStreams } from '@tieline/live';
import type { SseStream } from '@tieline/live';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClientPresence } from './client-stream.presence.js';
import type { LiveReceiver } from '../hub/live-audience.js';
import { LiveHub } from '../hub/live-hub.js';
import type { LiveView } from '../live-view.js';
import { statusEvent } from '../status/bot-status.js';
import type { BotStatus } from '../status/bot-status.js';
import { LIST_SHOWN_TO } from '../status/status.statements.js';

/** Tells a client that events may have been lost and that it should read history again. */
const RESYNC = sseFrame({ event: 'resync' });
/** Maximum number of events kept while a stream opens. With more, the client resynchronizes. */
const MAX_EARLY = 1000;

/** Opens people's live streams. */
@Injectable()
export class ClientStreams {
  constructor(
    private readonly streams: SseStreams,
    private readonly hub: LiveHub,
    private readonly presence: ClientPresence,
    private readonly db: Db,
  ) {}

  /**
   * Responds to the request with a stream of every event that the person may see from now on, after
   * the statuses of bots that are shown now: docs/agents.md#status.
   * @throws 503 while this process shuts down
   */
  async open(request: FastifyRequest, reply: FastifyReply, caller: UserPrincipal): Promise<void> {
    // Before the headers are sent, so that events published after the client receives them reach
    // this process.
    const release = await this.hub.ready(caller.spaceId);
    const early = new EarlyEvents();
    const disconnect = this.hub.connect(
      { spaceId: caller.spaceId, memberId: caller.userId, memberType: 'user' },
      early,
    );
    release();
    try {
      // Read after `connect` and sent before what arrived since, so that the last event about a
      // status is true.
      const statuses = await this.statusesFor(caller);
      const stream = this.streams.open({ request, reply, caller });
      stream.onClose(disconnect);
      this.connect(stream, caller);
      if (!statuses) return stream.close('failed');
      for (const status of statuses) stream.send(sseFrame(statusEvent(status)));
      early.passTo({
        receive: ({ frame }) => void stream.send(frame),
        missed: () => void stream.send(RESYNC),
        failed: () => stream.close('failed'),
      });
    } catch (error) {
      disconnect();
      throw error;
    }
  }

  /** @returns undefined if they cannot be read */
  private statusesFor({ spaceId, userId }: UserPrincipal): Promise<BotStatus[] | undefined> {
    return this.db.query(LIST_SHOWN_TO, [spaceId, userId]).catch(() => undefined);
  }

  private connect(stream: SseStream, { spaceId, userId }: UserPrincipal): void {
    this.presence.opened(spaceId, userId, stream.id);
    stream.onClose(() => this.presence.closed(stream.id));
  }
}

/** Keeps what arrives until there is a stream to send it to. */
class EarlyEvents implements LiveReceiver {
  private calls: ((receiver: LiveReceiver) => void)[] = [];
  private receiver: LiveReceiver | undefined;

  receive(view: LiveView): void {
    this.pass((receiver) => receiver.receive(view));
  }

  missed(): void {
    this.pass((receiver) => receiver.missed());
  }

  failed(): void {
    this.pass((receiver) => receiver.failed());
  }

  passTo(receiver: LiveReceiver): void {
    this.receiver = receiver;
    for (const call of this.calls.splice(0)) call(receiver);
  }

  private pass(call: (receiver: LiveReceiver) => void): void {
    if (this.receiver) return call(this.receiver);
    if (this.calls.length >= MAX_EARLY) this.calls = [(receiver) => receiver.missed()];
    this.calls.push(call);
  }
}
