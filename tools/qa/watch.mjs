/**
 * `npm run watch-check`: runs every kind of traffic briefly, scraped by a real Prometheus
 * (`prometheus` on the PATH). Then runs every query of every panel: none may be empty, and
 * Prometheus must have evaluated every rule.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.mjs';
import { Product, startRedis } from './product.mjs';
import { startListening, startPolling } from './soak/readers.mjs';
import { startReceivers } from './soak/receivers.mjs';
import { Ledger, startSenders } from './soak/senders.mjs';
import { patientSql } from './soak/servers.mjs';
import { makeWorld } from './soak/world.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const BOARDS = ['overview', 'delivery', 'traffic', 'database'];
const SCRAPE_SECONDS = 2;
const TRAFFIC_MS = 45_000;
/** More than a webhook may send in a second. */
const BURST = 60;

export const PROMISE = 'every panel shows something, and every rule was evaluated';

/** @param {import('./run.mjs').Session} session */
export async function run({ say, later }) {
  if (spawnSync('prometheus', ['--version']).status !== 0)
    throw new Error('prometheus is not on the PATH (Debian: apt-get install prometheus)');
  const redis = await startRedis();
  later(() => redis?.stop());
  const product = await Product.create({ redisUrl: redis?.url });
  later(() => product.close());
  const api = await product.start('api');
  later(() => api.stop());
  const worker = await product.start('worker');
  later(() => worker.stop());
  const prometheus = await startPrometheus([api.url, worker.url], later);
  say(`${TRAFFIC_MS / 1000} s of traffic`);
  await underTraffic(product, api.url, later);
  return [...(await emptyPanels(prometheus, say)), ...(await badRules(prometheus, say))];
}

async function startPrometheus(urls, later) {
  const folder = await mkdtemp(join(tmpdir(), 'tieline-prometheus-'));
  const port = await freePort();
  const targets = urls.map((url) => `'${new URL(url).host}'`).join(', ');
  await writeFile(
    join(folder, 'prometheus.yml'),
    `global: { scrape_interval: ${SCRAPE_SECONDS}s, evaluation_interval: ${SCRAPE_SECONDS}s }
rule_files: ['${join(ROOT, 'docker/prometheus/rules.yml')}']
scrape_configs:
  - job_name: tieline
    static_configs: [{ targets: [${targets}] }]
`,
  );
  const args = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=warn',
  ];
  const child = spawn('prometheus', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  later(async () => {
    const ended = new Promise((done) => child.once('exit', done));
    if (child.exitCode === null && child.kill()) await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 200; tries += 1) {
    const ready = await fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return url;
    await sleep(100);
  }
  throw new Error('Prometheus did not become ready');
}

async function underTraffic(product, url, later) {
  const sql = patientSql(product.env.DATABASE_URL);
  later(() => sql.end());
  const receiver = await startReceivers(Math.random);
  later(() => receiver.stop());
  const api = () => url;
  const world = await makeWorld(url, { receiver, sql, api, random: Math.random });
  const ending = new AbortController();
  later(() => ending.abort());
  startPolling(api, world.pollToken, ending.signal);
  const senders = startSenders(world, new Ledger(), ending.signal);
  const until = Date.now() + TRAFFIC_MS;
  while (Date.now() < until) {
    // Streams that open and end, and a webhook over its rate.
    const listening = new AbortController();
    startListening(api, world.streamToken, listening.signal);
    await burst(url, world.incoming);
    await sleep(3000);
    listening.abort();
  }
  ending.abort();
  await Promise.all(senders);
}

function burst(url, token) {
  const send = async () => {
    const answer = await fetch(`${url}/api/v1/webhooks/incoming/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"text":"again"}',
    });
    await answer.arrayBuffer();
  };
  return Promise.all(Array.from({ length: BURST }, send));
}

async function emptyPanels(prometheus, say) {
  const faults = [];
  let asked = 0;
  for (const board of BOARDS) {
    const { panels } = JSON.parse(await readFile(join(ROOT, `docker/grafana/${board}.json`), 'utf8'));
    for (const { title, targets } of panels)
      for (const { expr } of targets) {
        asked += 1;
        const fault = await faultOf(prometheus, expr.replaceAll('$__rate_interval', '30s'));
        if (fault) faults.push(`${board}, "${title}": ${fault}: ${expr}`);
      }
  }
  say(`${asked} queries of panels asked, ${asked - faults.length} have data`);
  return faults;
}

async function faultOf(prometheus, query) {
  const answer = await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(query)}`);
  const { status, data, error } = /** @type {any} */ (await answer.json());
  if (status !== 'success') return error;
  const shown = data.result.filter(({ value }) => Number.isFinite(Number(value[1])));
  return shown.length === 0 ? 'nothing to show' : undefined;
}

async function badRules(prometheus, say) {
  const answer = await fetch(`${prometheus}/api/v1/rules`);
  const { data } = /** @type {any} */ (await answer.json());
  const rules = data.groups.flatMap((group) => group.rules);
  const firing = rules.filter(({ state }) => state === 'firing').map(({ name }) => name);
  say(`${rules.length} rules evaluated, firing: ${firing.join(', ') || 'none'}`);
  return rules.filter(({ health }) => health !== 'ok').map(({ name, lastError }) => `${name}: ${lastError}`);
}
