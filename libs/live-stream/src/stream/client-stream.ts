import { Injectable } from '@nestjs/common';
import { BotDirectory } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { sseFrame, SseStreams } from '@tieline/live';
import type { SseStream } from '@tieline/live';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClientPresence } from './client-stream.presence.js';
import type { LiveEvent } from '../live-events.js';
import type { LiveReceiver } from '../hub/live-audience.js';
import { LiveHub } from '../hub/live-hub.js';
import type { LiveView } from '../live-view.js';
import { promptsEvent } from '../prompts/bot-prompts.js';
import { listPromptsTo } from '../prompts/prompts.queries.js';
import { statusEvent } from '../status/bot-status.js';
import { LIST_SHOWN_TO } from '../status/status.statements.js';

/** Tells a client that events may have been lost and that it should read history again. */
const RESYNC = sseFrame({ event: 'resync' });
/** Maximum number of events kept while a stream opens. With more, the client resynchronizes. */
const MAX_EARLY = 1000;
/** Maximum size of the prompts that a new stream receives. A quarter of what it may buffer. */
const MAX_PROMPTS_BYTES = 262_144;

/** Opens people's live streams. */
@Injectable()
export class ClientStreams {
  constructor(
    private readonly streams: SseStreams,
    private readonly hub: LiveHub,
    private readonly presence: ClientPresence,
    private readonly db: Db,
    private readonly bots: BotDirectory,
  ) {}

  /**
   * Responds to the request with a stream of every event that the person may see from now on, after
   * the statuses and prompts of bots that are shown now: docs/agents.md.
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
      // status or prompts is true.
      const shown = await this.shownTo(caller);
      const stream = this.streams.open({ request, reply, caller });
      stream.onClose(disconnect);
      this.connect(stream, caller);
      if (!shown) return stream.close('failed');
      for (const event of shown) stream.send(sseFrame(event));
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
  private async shownTo(caller: UserPrincipal): Promise<LiveEvent[] | undefined> {
    try {
      const statuses = await this.db.query(LIST_SHOWN_TO, [caller.spaceId, caller.userId]);
      const prompts = await listPromptsTo(this.db, this.bots, caller);
      return [...statuses.map(statusEvent), ...fitting(prompts.map(promptsEvent))];
    } catch {
      return undefined;
    }
  }

  private connect(stream: SseStream, { spaceId, userId }: UserPrincipal): void {
    this.presence.opened(spaceId, userId, stream.id);
    stream.onClose(() => this.presence.closed(stream.id));
  }
}

/** Returns the first events that together fit into the buffer of a new stream. */
function fitting(events: LiveEvent[]): LiveEvent[] {
  let bytes = 0;
  const end = events.findIndex((event) => (bytes += sseFrame(event).length) > MAX_PROMPTS_BYTES);
  return end < 0 ? events : events.slice(0, end);
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
