/**
 * `npm run audit`: reports known vulnerabilities of the dependencies that are shipped, and fails if
 * one is high or critical. Where the registry doesn't answer such questions it says so and
 * succeeds.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const BLOCKING = new Set(['high', 'critical']);

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  cwd: resolve(import.meta.dirname, '..'),
  encoding: 'utf8',
  timeout: 120_000,
  maxBuffer: 100_000_000,
});
const report = parsed(stdout);
if (!report?.vulnerabilities) {
  console.log(
    `not checked: the registry does not tell vulnerabilities${report?.message ? ` (${report.message})` : ''}`,
  );
} else {
  const found = Object.values(report.vulnerabilities);
  for (const { name, severity, range, via } of found) {
    const reasons = via.map((one) => (typeof one === 'string' ? `by ${one}` : `${one.title} ${one.url}`));
    console.log(`${severity.padEnd(8)} ${name} ${range}: ${reasons.join('; ')}`);
  }
  console.log(`${found.length} shipped dependencies have known vulnerabilities`);
  process.exitCode = found.some(({ severity }) => BLOCKING.has(severity)) ? 1 : 0;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
