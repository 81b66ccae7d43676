import { setTimeout as sleep } from 'node:timers/promises';
import { Loop } from '@tieline/background';
import type { Principal, TokenResolvers } from '@tieline/platform/http';
import type { AccessChanges } from '../access/access-changes.js';
import type { SseStream } from './sse-stream.js';
import { Wheel } from './wheel.js';

/**
 * Should the news of a change be lost without anybody noticing, its streams are closed after so
 * long.
 */
const VERIFY_EVERY_MS = 10_000;
const SLOTS = 50;
/** After news may have been lost everybody is verified within this time. */
const VERIFY_ALL_MS = 1000;
/** A token that could not be looked up is looked up again after so long, give or take a quarter. */
const RETRY_MS = 600;
/**
 * A stream that could not be verified for this long is closed: access must not outlast its check
 * because a store is away.
 */
const UNVERIFIED_LIMIT_MS = 30_000;

/** The streams that one token opened. */
interface Holder {
  readonly token: string;
  readonly caller: Principal;
  readonly streams: Set<SseStream>;
  slot: number;
  verifiedAt: number;
  verifying: boolean;
  /** Something changed while it was being verified. */
  again: boolean;
}

/**
 * Closes the streams of callers who lost their access after the guard had let them in: a token
 * regenerated, a session ended, a person or bot disabled, a role changed, a space switched off.
 * That they changed comes over the bus; their tokens are then resolved again, by the same resolvers
 * that the guard asks; they put many tokens into one statement. A slow clock does the same for all,
 * and so does a gap of the bus. Tokens are kept in memory for as long as their streams are open.
 */
export class StreamAccess {
  private readonly holders = new Map<string, Holder>();
  /** Holders by what they depend on: their bot or person, and their space. */
  private readonly byId = new Map<string, Set<Holder>>();
  private readonly wheel = new Wheel<Holder>((holders) => this.verifyIdle(holders), {
    periodMs: VERIFY_EVERY_MS,
    slots: SLOTS,
  });
  private readonly all = new Loop(() => this.verifyAll());
  private readonly endWatch: () => void;

  constructor(
    private readonly resolvers: TokenResolvers,
    changes: Pick<AccessChanges, 'watch'>,
  ) {
    this.endWatch = changes.watch(
      (ids) => this.changed(ids),
      () => this.all.wake(),
    );
  }

  /** Watches a stream, which was opened with `token` by `caller`, until it ends. */
  watch(stream: SseStream, token: string, caller: Principal): void {
    const holder = this.holders.get(token) ?? this.add(token, caller);
    holder.streams.add(stream);
    // What changed since the guard asked was told before anybody listened for this stream.
    void this.verify(holder);
    stream.onClose(() => {
      holder.streams.delete(stream);
      if (holder.streams.size === 0) this.remove(holder);
    });
  }

  async close(): Promise<void> {
    this.endWatch();
    await this.all.stop();
  }

  private add(token: string, caller: Principal): Holder {
    const holder: Holder = {
      token,
      caller,
      streams: new Set(),
      slot: 0,
      verifiedAt: performance.now(),
      verifying: false,
      again: false,
    };
    holder.slot = this.wheel.add(holder);
    this.holders.set(token, holder);
    for (const id of idsOf(caller)) {
      const others = this.byId.get(id);
      if (others) others.add(holder);
      else this.byId.set(id, new Set([holder]));
    }
    return holder;
  }

  private remove(holder: Holder): void {
    this.holders.delete(holder.token);
    this.wheel.remove(holder, holder.slot);
    for (const id of idsOf(holder.caller)) {
      const others = this.byId.get(id);
      others?.delete(holder);
      if (others?.size === 0) this.byId.delete(id);
    }
  }

  private changed(ids: readonly string[]): void {
    for (const id of ids) for (const holder of this.byId.get(id) ?? []) void this.verify(holder);
  }

  private verifyIdle(holders: ReadonlySet<Holder>): void {
    for (const holder of holders) if (!holder.verifying) void this.verify(holder);
  }

  /** In portions, so that requests find the statements that resolve tokens free. */
  private async verifyAll(): Promise<void> {
    for (const holders of this.wheel.portions) {
      if (this.all.stopped) return;
      for (const holder of holders) void this.verify(holder);
      if (holders.size > 0) await sleep(VERIFY_ALL_MS / SLOTS, undefined, { ref: false });
    }
  }

  /** Judges by what is true after the call. */
  private async verify(holder: Holder): Promise<void> {
    holder.again = true;
    if (holder.verifying) return;
    holder.verifying = true;
    while (holder.again && holder.streams.size > 0) {
      holder.again = false;
      await this.ask(holder);
    }
    holder.verifying = false;
  }

  private async ask(holder: Holder): Promise<void> {
    try {
      const found = await this.resolvers.resolve(holder.token);
      holder.verifiedAt = performance.now();
      if (!isSame(found, holder.caller)) closeAll(holder, 'revoked');
    } catch {
      // The store is away: so are the changes that could have revoked the token. Not for ever,
      // though.
      if (performance.now() - holder.verifiedAt > UNVERIFIED_LIMIT_MS) closeAll(holder, 'unverified');
      else setTimeout(() => void this.verify(holder), RETRY_MS * (0.75 + Math.random() / 2)).unref();
    }
  }
}

function idsOf(caller: Principal): string[] {
  if (caller.kind === 'bot') return [caller.botId, caller.spaceId];
  return caller.kind === 'user' ? [caller.userId, caller.spaceId] : [];
}

function closeAll(holder: Holder, reason: 'revoked' | 'unverified'): void {
  for (const stream of [...holder.streams]) stream.close(reason);
}

function isSame(found: Principal | undefined, caller: Principal): boolean {
  if (found === undefined || found.kind !== caller.kind) return false;
  if (found.kind === 'bot')
    return caller.kind === 'bot' && found.botId === caller.botId && found.spaceId === caller.spaceId;
  if (found.kind === 'user')
    return (
      caller.kind === 'user' &&
      found.userId === caller.userId &&
      found.spaceId === caller.spaceId &&
      found.role === caller.role
    );
  return true;
}
