// The programs under traffic: apis and workers that are killed, frozen and started again.
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program that fails to start this many times is broken. */
const STARTS = 10;
/** @typedef {'api' | 'worker'} Kind */
/** @type {Kind[]} */
const KINDS = ['api', 'api', 'worker', 'worker'];

export class Cast {
  /** Processes that did not come up again. */
  faults = [];
  #members = [];
  #underWay = new Set();

  /**
   * @param {import('../product.mjs').Product} product
   * @param {string} logs folder for what the processes print
   * @param {Kind[]} [kinds] the processes
   */
  constructor(product, logs, kinds = KINDS) {
    this.product = product;
    this.logs = logs;
    this.kinds = kinds;
  }

  async start() {
    // One at a time: started concurrently on a busy machine, they would exceed the timeout.
    for (const [n, kind] of this.kinds.entries()) this.#members.push(await this.#started(kind, n));
  }

  /** The processes as they are now. */
  get members() {
    return this.#members.map((member, n) => ({ ...member, name: `${this.kinds[n]} ${n}` }));
  }

  /** The address of one of the apis, whatever became of it. @param {() => number} random */
  api(random) {
    const apis = this.#members.filter((_, n) => this.kinds[n] === 'api');
    return apis[Math.floor(random() * apis.length)].url;
  }

  /**
   * Kills one and starts another after a pause. @returns which, or undefined when it is down
   * already
   */
  async kill(random, pauseMs) {
    return this.#killed(this.#drawn(random), pauseMs);
  }

  /**
   * Kills the worker that has planned most in the last second, and starts another after a pause.
   * @returns which
   */
  async killPlanner(pauseMs) {
    const workers = this.#members.flatMap((member, n) =>
      this.kinds[n] === 'worker' ? { n, member, name: `worker ${n}` } : [],
    );
    const plannedBy = () => Promise.all(workers.map(({ member }) => plannedIn(member.url)));
    const before = await plannedBy();
    await sleep(1_000);
    const planned = (await plannedBy()).map((count, i) => count - before[i]);
    return this.#killed(workers[planned.indexOf(Math.max(...planned))], pauseMs);
  }

  async #killed({ n, member, name }, pauseMs) {
    if (member.busy) return undefined;
    member.busy = true;
    this.#later(this.#restart(member, n, pauseMs));
    return name;
  }

  /** Stops one in the middle of whatever it does. @returns which, or undefined when it is down */
  async freeze(random, ms) {
    const { member, name } = this.#drawn(random);
    if (member.busy) return undefined;
    member.busy = true;
    member.child.kill('SIGSTOP');
    this.#later(
      sleep(ms).then(() => {
        member.child.kill('SIGCONT');
        member.busy = false;
      }),
    );
    return `${name} for ${(ms / 1000).toFixed(1)} s`;
  }

  /** The processes that do without something. */
  async degraded() {
    const degraded = [];
    for (const { url, name } of this.members) {
      const { status, ...parts } = /** @type {any} */ (await (await fetch(`${url}/health/ready`)).json());
      if (status !== 'ok') degraded.push(`${name}: ${JSON.stringify(parts)}`);
    }
    return degraded;
  }

  /** Resolves when everything runs again. */
  async settled() {
    while (this.#underWay.size > 0) await Promise.allSettled([...this.#underWay]);
  }

  async stop() {
    await this.settled();
    await Promise.all(this.#members.map((member) => member.stop()));
  }

  #drawn(random) {
    const n = Math.floor(random() * this.kinds.length);
    return { n, member: this.#members[n], name: `${this.kinds[n]} ${n}` };
  }

  async #restart(member, n, pauseMs) {
    member.child.kill('SIGKILL');
    await sleep(pauseMs);
    this.#members[n] = await this.#supervised(this.kinds[n], n);
  }

  /** A program that finds no database exits, and its supervisor restarts it. */
  async #supervised(kind, n) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#started(kind, n);
      } catch (error) {
        if (tries === STARTS) throw error;
        await sleep(1_000);
      }
    }
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
    this.#underWay.add(work);
    void work.catch((error) => this.faults.push(String(error))).finally(() => this.#underWay.delete(work));
  }
}

async function plannedIn(url) {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^tieline_outbox_relayed_total\S* (\d+)$/m.exec(metrics)?.[1] ?? 0);
}
