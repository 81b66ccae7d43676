import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { ROLE } from '../postgres/cluster.mjs';
import { ROOT } from './node-script.mjs';

const text = await readFile(join(ROOT, 'docker/compose.yaml'), 'utf8');
const [, shared, services] = /^x-tieline:([\s\S]*?)^services:\n([\s\S]*?)^volumes:/m.exec(text) ?? [];
const blocks = Object.fromEntries(
  services
    .split(/^ {2}(?=\w+:$)/m)
    .filter((block) => /^\w+:\n/.test(block))
    .map((block) => [block.slice(0, block.indexOf(':')), block.replace('<<: *tieline', shared)]),
);

it.each(Object.entries(blocks))(
  '%s has no capabilities to gain and a root that nobody writes to',
  (_, block) => {
    for (const line of ['read_only: true', 'cap_drop: [ALL]', 'security_opt:']) expect(block).toContain(line);
  },
);

it('publishes ports on this machine alone, whatever PORT of .env is', () => {
  expect(Object.keys(blocks)).toEqual(expect.arrayContaining(['api', 'worker', 'postgres', 'redis']));
  const published = [...services.matchAll(/^ {6}- '(\S+:\d+)'$/gm)].map(([, port]) => port);
  expect(published).toEqual([
    '127.0.0.1:${PORT:-3000}:3000',
    '127.0.0.1:9465:9465',
    '127.0.0.1:9000:9000',
    '127.0.0.1:9090:9090',
    '127.0.0.1:3030:3000',
  ]);
  expect(shared).toContain('PORT: 3000');
});

it('the programs are no superuser, and every server asks for a password of its own', async () => {
  const { services: all } = /** @type {any} */ (load(text, { schema: YAML11_SCHEMA }));
  const [superuser, role] = [
    all.postgres.environment.POSTGRES_USER,
    new URL(all.api.environment.DATABASE_URL.replace(/\$\{.*?\}/, 'x')).username,
  ];
  expect([superuser, role]).toEqual(['tieline', ROLE]);
  expect(await readFile(join(ROOT, 'tools/postgres/product-role.sql'), 'utf8')).toContain(
    `CREATE ROLE ${ROLE} LOGIN PASSWORD`,
  );
  expect(all.redis.command).toContain('--requirepass');
  expect(all.api.environment.REDIS_URL).toContain('${REDIS_PASSWORD:?');
  expect(all.objects.environment.MINIO_ROOT_PASSWORD).not.toBe(all.bucket.environment.SECRET);
});

it('operator endpoints and metrics are on ports of their own', () => {
  const { services: all } = /** @type {any} */ (load(text, { schema: YAML11_SCHEMA }));
  const { PORT, METRICS_PORT, OPERATOR_PORT } = all.api.environment;
  expect(new Set([PORT, METRICS_PORT, OPERATOR_PORT]).size).toBe(3);
  expect(METRICS_PORT * OPERATOR_PORT).toBeGreaterThan(0);
});

it('the token of the operator reaches the api alone', () => {
  expect(shared).toContain("OPERATOR_TOKEN: ''");
  const holders = Object.entries(blocks).filter(([, block]) => block.includes('OPERATOR_TOKEN: ${'));
  expect(holders.map(([name]) => name)).toEqual(['api']);
});

/** @param {string} path @returns {Promise<any>} */
const yaml = async (path) => load(await readFile(join(ROOT, 'docker', path), 'utf8'));

it('the profile `watching` mounts what there is: Prometheus finds rules and every container, Grafana finds Prometheus and the dashboards', async () => {
  const { services: all } = /** @type {any} */ (load(text, { schema: YAML11_SCHEMA }));
  const { rule_files: rules, scrape_configs: jobs } = await yaml('prometheus/prometheus.yml');
  for (const file of rules) expect((await yaml(`prometheus/${file}`)).groups.length).toBeGreaterThan(0);
  const targets = jobs.flatMap((job) => job.dns_sd_configs.map(({ names: [name], port }) => [name, port]));
  expect(targets).toEqual([
    ['api', all.api.environment.METRICS_PORT],
    ['worker', 3001],
  ]);
  const [source] = (await yaml('grafana/provisioning/datasources/prometheus.yml')).datasources;
  expect(new URL(source.url).hostname in all).toBe(true);
  const [provider] = (await yaml('grafana/provisioning/dashboards/tieline.yml')).providers;
  expect(all.grafana.volumes).toContain(`./grafana:${provider.options.path}:ro`);
  for (const { profiles, image } of [all.prometheus, all.grafana]) {
    expect(profiles).toEqual(['watching']);
    expect(image).toMatch(/:v?\d+\.\d+\.\d+$/);
  }
});
