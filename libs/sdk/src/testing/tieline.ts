import { Client } from '../client.js';
import type { SeenMessage } from './messages.js';
import { Person } from './person.js';
import { sentRequests } from './sent-requests.js';
import type { SentRequest } from './sent-requests.js';
import { startSimulator } from './simulator.js';
import type { Simulator, StartOptions, World } from './simulator.js';

const WAIT_MS = 10_000;
const POLL_MS = 20;

/**
 * A running Tieline with seeded people, for tests of bots and receivers. Created by {@link
 * startTieline}.
 */
export class Tieline {
  /** Address of the api. */
  readonly url: string;
  readonly operatorToken: string;
  /** The space, its people, channels, bot and incoming webhook, with their tokens. */
  readonly world: World;
  /** Environment variables for the seeded bot. */
  readonly env: Readonly<{ TIELINE_URL: string; TIELINE_TOKEN: string }>;
  readonly #simulator: Simulator;
  readonly #people = new Map<string, Person>();

  /** @param simulator a running simulator */
  constructor(simulator: Simulator) {
    this.#simulator = simulator;
    this.url = simulator.url;
    this.operatorToken = simulator.operatorToken;
    this.world = simulator.world;
    this.env = { TIELINE_URL: this.url, TIELINE_TOKEN: this.world.bot.token };
  }

  /** Address of the database, for direct inspection. */
  get databaseUrl(): string {
    return this.#simulator.databaseUrl;
  }

  /** Key that encrypts stored secrets. */
  get secretKey(): string {
    return this.#simulator.secretKey;
  }

  /** Duration of the start. */
  get readyInMs(): number {
    return this.#simulator.readyInMs;
  }

  /** Creates a client with a token. Default: the seeded bot's. */
  client(token: string = this.world.bot.token): Client {
    return new Client({ url: this.url, token });
  }

  /**
   * Returns a simulated person: `ada` (an admin), `ben` or `owner`. Returns the same one for the
   * same name.
   */
  person(name: string): Person {
    const known = this.world.people[name];
    if (!known)
      throw new Error(`unknown person ${name}: use one of ${Object.keys(this.world.people).join(', ')}`);
    const { id, token } = known;
    const person = this.#people.get(name) ?? new Person({ client: this.client(token), id, name });
    this.#people.set(name, person);
    return person;
  }

  /**
   * Returns the messages of a conversation (default: `general`), oldest first, as the owner sees
   * them.
   */
  messages(conversation = 'general', limit = 100): Promise<SeenMessage[]> {
    return this.person('owner').messages(conversation, limit);
  }

  /**
   * Returns all requests sent to subscriptions, bots and callbacks, oldest first, with all
   * attempts.
   */
  requests(): Promise<SentRequest[]> {
    return sentRequests(this.client(this.world.people.owner!.token));
  }

  /** Returns the requests sent to subscriptions. */
  async deliveries(): Promise<SentRequest[]> {
    return (await this.requests()).filter(({ kind }) => kind === 'delivery');
  }

  /** Address of the seeded incoming webhook. Sign requests with `world.webhook.secret`. */
  get webhookUrl(): string {
    return this.url + this.world.webhook.path;
  }

  /**
   * Moves time forward: retries, reminders and expiries of forms, runs and tokens become due
   * earlier.
   * @param duration such as `90s`, `15m`, `1h30m`, `2d`, or milliseconds
   */
  advance(duration: string | number): Promise<void> {
    return this.#simulator.advance(duration);
  }

  /**
   * Polls until the result is not undefined, null or false.
   * @throws Error after `timeoutMs` (default 10 s)
   */
  async until<T>(ask: () => Promise<T> | T, timeoutMs = WAIT_MS): Promise<NonNullable<T>> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const answer = await ask();
      if (answer !== undefined && answer !== null && answer !== false) return answer as NonNullable<T>;
      if (performance.now() > deadline) throw new Error(`the condition was not met within ${timeoutMs} ms`);
      await new Promise((resume) => setTimeout(resume, POLL_MS));
    }
  }

  /** Restarts a process at the same address. `SIGKILL` interrupts whatever it does. */
  restart(name: 'api' | 'worker', signal?: NodeJS.Signals): Promise<void> {
    return this.#simulator.restart(name, signal);
  }

  /** Returns the logs of api and worker. */
  log(): Promise<string> {
    return this.#simulator.log();
  }

  /**
   * Makes another process, such as a bot, end together with this one. @returns a function to call
   * when it has ended by itself
   */
  endWithUs(pid: number): () => void {
    return this.#simulator.tie(pid);
  }

  /** Environment variable for Python programs that import `tieline` from the checkout. */
  get pythonPath(): { readonly PYTHONPATH: string } {
    return { PYTHONPATH: this.#simulator.pythonPath };
  }

  /** Stops and removes everything. */
  async stop(): Promise<void> {
    for (const person of this.#people.values()) await person.leave();
    await this.#simulator.stop();
  }
}

/**
 * Starts the real api and worker on their own seeded database in a few seconds. Ends with {@link
 * Tieline.stop}, or with the process that started it.
 */
export async function startTieline(options: StartOptions = {}): Promise<Tieline> {
  return new Tieline(await startSimulator(options));
}
