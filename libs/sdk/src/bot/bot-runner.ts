import { Client } from '../client/client.js';
import type { WebSocketClass } from '../client/reading/web-socket.js';
import { registerCommands } from './commands.js';
import type { CommandSettings } from './commands.js';
import { isOutage, pauseAfter, sleep } from './engine/outages.js';
import { cursorFile } from './forms/cursor-file.js';
import type { Form, FormParts } from './forms/form.js';
import { Poll } from './forms/poll.js';
import type { Receiver } from './forms/receiver.js';
import { CallbackServer } from './forms/server.js';
import { Socket } from './forms/socket.js';
import type { Handlers } from './handlers/handlers.js';
import { environment, viaOf } from './settings.js';
import type { BotSettings, StartOptions, StopOptions, Via } from './settings.js';

/** A bot as `GET /bot/me` tells of it. */
interface BotRecord {
  id: string;
  display_name?: string;
  event_delivery_mode: string;
  event_types?: string[];
}

interface OperationParts {
  settings: BotSettings;
  token: string;
  parts: FormParts;
  /** @throws TypeError without secrets */
  receiver: () => Receiver;
  handlers: Handlers;
  commands: ReadonlyMap<string, CommandSettings>;
}

const STOP_WITHIN_MS = 10_000;
const DEFAULT_PORT = 4000;

/** A bot from its start to its stop. */
export class Operation {
  readonly stopped: Promise<void>;
  private form: Form | undefined;
  private stopping: Promise<boolean> | undefined;
  private readonly ending = new AbortController();
  private isOver: (error?: unknown) => void = () => undefined;
  private letGo: () => void = () => undefined;

  constructor(private readonly own: OperationParts) {
    this.stopped = new Promise((done, failed) => {
      this.isOver = (error) => (error === undefined ? done() : failed(error as Error));
    });
    // Whoever doesn't look at it reads the log.
    this.stopped.catch(() => undefined);
  }

  get port(): number | undefined {
    return this.form instanceof CallbackServer ? this.form.port : undefined;
  }

  async start(options: StartOptions): Promise<void> {
    if (this.form) throw new TypeError('the bot was started already');
    const via = viaOf(options.via);
    const bot = await this.whoAmI();
    this.form = await this.formOf(via, bot, options);
    if (options.prepare !== false) await this.prepare(via, bot);
    await this.form.start();
    if (options.signals !== false) this.listenForSignals();
    this.own.parts.log(`ready: ${bot.display_name ?? bot.id} by ${via}`);
  }

  stop({ timeoutMs = STOP_WITHIN_MS }: StopOptions): Promise<boolean> {
    this.stopping ??= this.end(timeoutMs);
    return this.stopping;
  }

  /** Tieline refuses the bot: what runs may end, and the program is told. */
  fail(error: unknown): void {
    this.own.parts.log('the bot ends', error);
    this.isOver(error);
    if (globalThis.process) globalThis.process.exitCode ||= 1;
    void this.stop({});
  }

  private async end(timeoutMs: number): Promise<boolean> {
    this.ending.abort();
    const closed = this.form?.close();
    const isComplete = await this.own.parts.engine.stop(timeoutMs);
    await closed;
    await this.form?.end();
    this.letGo();
    if (!isComplete)
      this.own.parts.log('what still ran was left; it comes again where Tieline brings it again');
    this.isOver();
    return isComplete;
  }

  /** A bot that starts together with Tieline waits for it. */
  private async whoAmI(): Promise<BotRecord> {
    const { client, log } = this.own.parts;
    for (let failures = 0; ; failures += 1) {
      try {
        return (await client.call<{ bot: BotRecord }>('GET', '/api/v1/bot/me')).bot;
      } catch (error) {
        if (!isOutage(error) || this.ending.signal.aborted) throw error;
        log('Tieline is away', error);
        await sleep(pauseAfter(failures), this.ending.signal);
      }
    }
  }

  private async formOf(via: Via, { id }: BotRecord, { port, host }: StartOptions): Promise<Form> {
    const { parts, settings, token, receiver } = this.own;
    if (via === 'poll') {
      const cursor = settings.cursor ?? environment('TIELINE_CURSOR_FILE') ?? `.tieline-cursor-${id}`;
      return new Poll(parts, typeof cursor === 'string' ? cursorFile(cursor) : cursor);
    }
    if (via === 'socket') {
      const webSocket = await webSocketClass();
      return new Socket(parts, new Client({ url: parts.client.url, token, ...(webSocket && { webSocket }) }));
    }
    const listening = {
      port: port ?? Number(environment('TIELINE_PORT') ?? DEFAULT_PORT),
      host: host ?? environment('TIELINE_HOST') ?? '127.0.0.1',
    };
    return new CallbackServer(parts, receiver(), listening);
  }

  private async prepare(via: Via, bot: BotRecord): Promise<void> {
    const { parts, commands } = this.own;
    const mode = modeFor(via, bot.event_delivery_mode);
    if (mode !== bot.event_delivery_mode)
      await parts.client.call('PATCH', '/api/v1/bot/me', { body: { event_delivery_mode: mode } });
    this.warn(via, bot);
    if (commands.size === 0) return;
    for (const refusal of await registerCommands(parts.client, bot.id, commands))
      parts.log(`not registered, and nobody can give this command: ${refusal}`);
  }

  /** Only admins choose the events: a handler that is never called would be a riddle. */
  private warn(via: Via, { event_types: types = [] }: BotRecord): void {
    if (via === 'callback') return;
    const missing = this.own.handlers
      .namesOf('event')
      .filter((type) => type !== '*' && !types.includes(type));
    if (missing.length > 0)
      this.own.parts.log(`an admin has to add to the bot's event_types: ${missing.join(', ')}`);
  }

  private listenForSignals(): void {
    const { process } = globalThis;
    if (!process?.once) return;
    const stop = (): void => void this.stop({});
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
    this.letGo = () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, stop);
    };
  }
}

/** A bot in mode `poll` is never called back, whatever addresses Tieline knows of it. */
function modeFor(via: Via, now: string): string {
  if (via === 'poll' || via === 'socket') return 'poll';
  if (via === 'push') return 'webhook';
  return now === 'poll' ? 'none' : now;
}

/**
 * Node.js has one from version 22 on; before, the package `ws` serves. @returns undefined: the
 * client says what is missing
 */
async function webSocketClass(): Promise<WebSocketClass | undefined> {
  if ('WebSocket' in globalThis) return undefined;
  const name = 'ws';
  const found = (await import(name).catch(() => undefined)) as { WebSocket: WebSocketClass } | undefined;
  return found?.WebSocket;
}
