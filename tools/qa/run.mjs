/**
 * Runs a program that tries the product for a long time, under load or under trouble.
 *
 *   node tools/qa/run.mjs bench | costs | soak | cluster | restore | shake | watch [options]
 *
 * Builds first. The first lines of each program list its options.
 */
import { build } from '../build.mjs';
import { stopwatch } from '../elapsed.mjs';
import { onStopRequest } from '../start/stop-request.mjs';

/**
 * What a program gets, and returns: sentences about everything that is not as promised.
 *
 * @typedef {object} Session
 * @property {string[]} args options from the command line
 * @property {AbortSignal} stop aborted by Ctrl-C
 * @property {(text: string) => void} say prints a line with the time since the start
 * @property {(step: () => unknown) => void} later registers a step of the clean-up; the last
 * registered runs first
 *
 * @typedef {{ run: (session: Session) => Promise<string[]>, PROMISE: string }} Program
 * `PROMISE` is printed when nothing was wrong
 */

/** @type {Record<string, () => Promise<Program>>} */
const PROGRAMS = {
  bench: () => import('./bench/bench.mjs'),
  cluster: () => import('./soak/cluster.mjs'),
  costs: () => import('./costs/costs.mjs'),
  restore: () => import('./restore/restore.mjs'),
  shake: () => import('./shake/shake.mjs'),
  soak: () => import('./soak/soak.mjs'),
  watch: () => import('./watch.mjs'),
};

/** Faults that are printed; the first few tell enough. */
const MOST_FAULTS = 20;

const [, , name = '', ...args] = process.argv;
const load = PROGRAMS[name];
if (!load) {
  console.error(`usage: node tools/qa/run.mjs ${Object.keys(PROGRAMS).join(' | ')}`);
  process.exit(2);
}
const stop = onStopRequest({
  first: () => console.log('\nstopping'),
  again: () => process.exit(130),
});
const elapsed = stopwatch();
/** @type {(() => unknown)[]} */
const undo = [];
/** @param {() => unknown} step */
const later = (step) => void undo.push(step);
/** @param {string} text */
const say = (text) => console.log(`${elapsed()}  ${text}`);

let isFine = false;
try {
  await build();
  const { run, PROMISE } = await load();
  const faults = await run({ args, stop: stop.signal, say, later });
  for (const fault of faults.slice(0, MOST_FAULTS)) console.log(`FAULT: ${fault}`);
  if (faults.length > MOST_FAULTS) console.log(`and ${faults.length - MOST_FAULTS} more`);
  isFine = faults.length === 0 && !stop.signal.aborted;
  if (isFine) console.log(`\n${PROMISE}`);
} catch (error) {
  if (!stop.signal.aborted) console.error(error);
}
for (const step of undo.reverse()) await Promise.resolve(step()).catch((error) => console.error(error));
process.exit(isFine ? 0 : 1);
