// The product under traffic: apis and workers that are killed, frozen and started again.
import { closeSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const KINDS = ['api', 'api', 'worker', 'worker'];
const LONGEST_FREEZE_MS = 15_000;

export class Cast {
  /** What was done to the product, by its name. */
  troubles = { kills: 0, freezes: 0, flushes: 0 };
  /** Processes that did not come up again. */
  faults = [];
  #members = [];
  #starting = new Set();

  /**
   * @param {import('../bench/product.mjs').Product} product
   * @param {string | undefined} redisUrl of a server that may be emptied
   * @param {string} logs folder for what the processes print
   * @param {('api' | 'worker')[]} [kinds] the processes
   */
  constructor(product, redisUrl, logs, kinds = KINDS) {
    this.kinds = kinds;
    this.product = product;
    this.redisUrl = redisUrl;
    this.logs = logs;
  }

  async start() {
    // One after the other: all at once on a busy machine take longer than one is waited for.
    for (const [n, kind] of this.kinds.entries()) this.#members.push(await this.#started(kind, n));
  }

  /** The address of one of the apis, whatever became of it. @param {() => number} random */
  api(random) {
    const apis = this.#members.filter((_, n) => this.kinds[n] === 'api');
    return apis[Math.floor(random() * apis.length)].url;
  }

  /** Does something bad. @param {() => number} random @returns what */
  async strike(random) {
    if (this.redisUrl && random() < 0.2) {
      this.troubles.flushes += 1;
      await flush(this.redisUrl);
      return 'FLUSHALL';
    }
    const n = Math.floor(random() * this.kinds.length);
    const member = this.#members[n];
    if (member.busy) return undefined;
    member.busy = true;
    const name = `${this.kinds[n]} ${n}`;
    if (random() < 0.5) return this.#freeze(member, name, 500 + random() * LONGEST_FREEZE_MS);
    this.troubles.kills += 1;
    this.#later(this.#restart(member, n, random() * 3000));
    return `kill -9 ${name}`;
  }

  /** The processes that do without something. */
  async degraded() {
    const degraded = [];
    for (const [n, { url }] of this.#members.entries()) {
      const { status, ...parts } = await (await fetch(`${url}/health/ready`)).json();
      if (status !== 'ok') degraded.push(`${this.kinds[n]} ${n}: ${JSON.stringify(parts)}`);
    }
    return degraded;
  }

  /** Resolves when everything runs again. */
  async settled() {
    while (this.#starting.size > 0) await Promise.allSettled([...this.#starting]);
  }

  async stop() {
    await this.settled();
    await Promise.all(this.#members.map((member) => member.stop()));
  }

  #freeze(member, name, ms) {
    this.troubles.freezes += 1;
    member.child.kill('SIGSTOP');
    this.#later(
      sleep(ms).then(() => {
        member.child.kill('SIGCONT');
        member.busy = false;
      }),
    );
    return `SIGSTOP ${name} for ${(ms / 1000).toFixed(1)} s`;
  }

  async #restart(member, n, pauseMs) {
    member.child.kill('SIGKILL');
    await sleep(pauseMs);
    this.#members[n] = await this.#started(this.kinds[n], n);
  }

  async #started(kind, n) {
    const log = openSync(join(this.logs, `${kind}-${n}.log`), 'a');
    try {
      return await this.product.start(kind, [], log);
    } finally {
      closeSync(log);
    }
  }

  #later(work) {
    this.#starting.add(work);
    void work.catch((error) => this.faults.push(String(error))).finally(() => this.#starting.delete(work));
  }
}

/** Everything that Redis knows is gone. */
async function flush(redisUrl) {
  const { hostname, port } = new URL(redisUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.end('FLUSHALL\r\n');
  await new Promise((done) => socket.on('data', done).on('error', done));
}
