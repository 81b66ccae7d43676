import { Injectable } from '@nestjs/common';
import type { UserPrincipal } from '@tieline/platform/http';
import { sseFrame, SseStreams } from '@tieline/live';
import type { SseStream } from '@tieline/live';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClientPresence } from './client-stream.presence.js';
import { LiveHub } from '../hub/live-hub.js';

/** Tells a client that events may have been lost and that it should read history again. */
const RESYNC = sseFrame({ event: 'resync' });

/** Opens people's live streams. */
@Injectable()
export class ClientStreams {
  constructor(
    private readonly streams: SseStreams,
    private readonly hub: LiveHub,
    private readonly presence: ClientPresence,
  ) {}

  /**
   * Responds to the request with a stream of every event that the person may see from now on.
   * @throws 503 while this process shuts down
   */
  async open(request: FastifyRequest, reply: FastifyReply, caller: UserPrincipal): Promise<void> {
    // Before the headers are sent, so that events published after the client receives them reach
    // this process.
    const release = await this.hub.ready(caller.spaceId);
    try {
      this.connect(this.streams.open({ request, reply, caller }), caller);
    } finally {
      release();
    }
  }

  private connect(stream: SseStream, { spaceId, userId }: UserPrincipal): void {
    const disconnect = this.hub.connect(
      { spaceId, memberId: userId, memberType: 'user' },
      {
        receive: ({ frame }) => void stream.send(frame),
        missed: () => void stream.send(RESYNC),
        failed: () => stream.close('failed'),
      },
    );
    this.presence.opened(spaceId, userId, stream.id);
    stream.onClose(() => {
      disconnect();
      this.presence.closed(stream.id);
    });
  }
}
