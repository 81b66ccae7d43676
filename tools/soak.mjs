/**
 * The product under traffic of every kind while programs and servers are taken away from it, and
 * then the account of what was promised (docs/reliability.md). The same seed makes the same
 * troubles.
 *
 *   npm run soak             10 minutes
 *   npm run soak -- --minutes 60 --seed 7
 *   npm run test:cluster     three apis and workers on clusters that lose a server each
 *                            (soak/cluster.mjs)
 */
import { parseArgs } from 'node:util';
import { cluster } from './soak/cluster.mjs';
import { soak } from './soak/run.mjs';
import { onStopRequest } from './start/stop-request.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
});
const stop = onStopRequest({
  first: () => console.log('\nstopping'),
  again: () => process.exit(130),
});
const [minutes, seed] = [values.minutes, values.seed].map(Number);
let isFine = false;
try {
  isFine = await (positionals[0] === 'cluster' ? cluster : soak)({ minutes, seed, stop: stop.signal });
} catch (error) {
  console.error(error);
}
process.exit(isFine ? 0 : 1);
