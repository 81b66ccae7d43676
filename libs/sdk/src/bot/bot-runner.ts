import { Client } from '../client/client.js';
import type { WebSocketClass } from '../client/reading/web-socket.js';
import { registerCommands } from './commands.js';
import type { CommandSettings } from './commands.js';
import { isOutage, pauseAfter, sleep } from './engine/outages.js';
import { cursorFile } from './connectors/cursor-file.js';
import type { Connector, ConnectorDependencies } from './connectors/connector.js';
import { Poll } from './connectors/poll.js';
import type { Receiver } from './connectors/receiver.js';
import { CallbackConnector } from './connectors/server.js';
import { Socket } from './connectors/socket.js';
import type { Handlers } from './handlers/handlers.js';
import { isDirectEvent } from './handlers/patterns.js';
import { environment, viaOf } from './settings.js';
import type { BotSettings, StartOptions, StopOptions, Via } from './settings.js';

/** A bot in the response of `GET /bot/me`. */
interface BotRecord {
  id: string;
  display_name?: string;
  event_delivery_mode: string;
  event_types?: string[];
}

interface RunnerDependencies {
  settings: BotSettings;
  token: string;
  services: ConnectorDependencies;
  /** @throws TypeError without secrets */
  receiver: () => Receiver;
  handlers: Handlers;
  commands: ReadonlyMap<string, CommandSettings>;
}

const STOP_WITHIN_MS = 10_000;
const DEFAULT_PORT = 4000;

/** Runs a bot from start to stop. */
export class BotRunner {
  readonly stopped: Promise<void>;
  private connector: Connector | undefined;
  private stopping: Promise<boolean> | undefined;
  private readonly ending = new AbortController();
  private settleStopped: (error?: unknown) => void = () => undefined;
  private stopListening: () => void = () => undefined;

  constructor(private readonly deps: RunnerDependencies) {
    this.stopped = new Promise((done, failed) => {
      this.settleStopped = (error) => (error === undefined ? done() : failed(error as Error));
    });
    // Prevents an unhandled rejection. Failures are logged anyway.
    this.stopped.catch(() => undefined);
  }

  get port(): number | undefined {
    return this.connector instanceof CallbackConnector ? this.connector.port : undefined;
  }

  async start(options: StartOptions): Promise<void> {
    if (this.connector) throw new TypeError('the bot has already been started');
    const via = viaOf(options.via);
    const bot = await this.getOwnRecord();
    this.connector = await this.connectorFor(via, bot, options);
    if (options.prepare !== false) await this.prepare(via, bot);
    await this.connector.start();
    if (options.signals !== false) this.listenForSignals();
    this.deps.services.log(`ready: ${bot.display_name ?? bot.id} by ${via}`);
  }

  stop({ timeoutMs = STOP_WITHIN_MS }: StopOptions): Promise<boolean> {
    this.stopping ??= this.end(timeoutMs);
    return this.stopping;
  }

  /** Stops the bot after Tieline refused it. Running handlers may end. */
  fail(error: unknown): void {
    this.deps.services.log('the bot stops', error);
    this.settleStopped(error);
    if (globalThis.process) globalThis.process.exitCode ||= 1;
    void this.stop({});
  }

  private async end(timeoutMs: number): Promise<boolean> {
    this.ending.abort();
    const closed = this.connector?.close();
    const isComplete = await this.deps.services.engine.stop(timeoutMs);
    await closed;
    await this.connector?.end();
    this.stopListening();
    if (!isComplete)
      this.deps.services.log(
        'some handlers did not end in time; Tieline delivers their activities again where it can',
      );
    this.settleStopped();
    return isComplete;
  }

  /** Gets the bot's own record. Waits for Tieline if both start together. */
  private async getOwnRecord(): Promise<BotRecord> {
    const { client, log } = this.deps.services;
    for (let failures = 0; ; failures += 1) {
      try {
        return (await client.call<{ bot: BotRecord }>('GET', '/api/v1/bot/me')).bot;
      } catch (error) {
        if (!isOutage(error) || this.ending.signal.aborted) throw error;
        log('Tieline is unavailable', error);
        await sleep(pauseAfter(failures), this.ending.signal);
      }
    }
  }

  private async connectorFor(via: Via, { id }: BotRecord, { port, host }: StartOptions): Promise<Connector> {
    const { services, settings, token, receiver } = this.deps;
    if (via === 'poll') {
      const cursor = settings.cursor ?? environment('TIELINE_CURSOR_FILE') ?? `.tieline-cursor-${id}`;
      return new Poll(services, typeof cursor === 'string' ? cursorFile(cursor) : cursor);
    }
    if (via === 'socket') {
      const webSocket = await webSocketClass();
      return new Socket(
        services,
        new Client({ url: services.client.url, token, ...(webSocket && { webSocket }) }),
      );
    }
    const listening = {
      port: port ?? Number(environment('TIELINE_PORT') ?? DEFAULT_PORT),
      host: host ?? environment('TIELINE_HOST') ?? '127.0.0.1',
    };
    return new CallbackConnector(services, receiver(), listening);
  }

  private async prepare(via: Via, bot: BotRecord): Promise<void> {
    const { services, commands } = this.deps;
    const mode = modeFor(via, bot.event_delivery_mode);
    if (mode !== bot.event_delivery_mode)
      await services.client.call('PATCH', '/api/v1/bot/me', { body: { event_delivery_mode: mode } });
    this.warn(via, bot);
    if (commands.size === 0) return;
    for (const refusal of await registerCommands(services.client, bot.id, commands))
      services.log(`command not registered: ${refusal}`);
  }

  /** Warns about handlers that are never called because an admin has not selected their events. */
  private warn(via: Via, { event_types: types = [] }: BotRecord): void {
    if (via === 'callback') return;
    const missing = this.deps.handlers
      .namesOf('event')
      .filter((type) => type !== '*' && !isDirectEvent(type) && !types.includes(type));
    if (missing.length > 0)
      this.deps.services.log(`an admin must add these to the bot's event_types: ${missing.join(', ')}`);
  }

  private listenForSignals(): void {
    const { process } = globalThis;
    if (!process?.once) return;
    const stop = (): void => void this.stop({});
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
    this.stopListening = () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, stop);
    };
  }
}

/**
 * Returns the delivery mode for a connector. A bot in mode `poll` gets no callbacks, whatever
 * addresses are set.
 */
function modeFor(via: Via, now: string): string {
  if (via === 'poll' || via === 'socket') return 'poll';
  if (via === 'push') return 'webhook';
  return now === 'poll' ? 'none' : now;
}

/**
 * Loads `WebSocket` from the package `ws` if the platform has none (Node.js before version 22).
 * @returns undefined to use the platform's, or when none is found, which the client reports
 */
async function webSocketClass(): Promise<WebSocketClass | undefined> {
  if ('WebSocket' in globalThis) return undefined;
  const name = 'ws';
  const found = (await import(name).catch(() => undefined)) as { WebSocket: WebSocketClass } | undefined;
  return found?.WebSocket;
}
