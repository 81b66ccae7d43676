import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { dump, load, loadAll } from 'js-yaml';
import { ROOT } from './node-script.mjs';

const FOLDER = join(ROOT, 'docker/helm');
const read = (path) => readFile(join(FOLDER, path), 'utf8');
const readAll = async (folder) =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(join(FOLDER, folder))).map(async (name) => [name, await read(`${folder}/${name}`)]),
    ),
  );

const validate = new Ajv({ allErrors: true, strict: false }).compile(
  JSON.parse(await read('values.schema.json')),
);
const defaults = load(await read('values.yaml'));
const about = /** @type {any} */ (load(await read('Chart.yaml')));
/** @type {[name: string, values: any][]} */
const samples = Object.entries(await readAll('ci')).map(([name, text]) => [name, load(text)]);

/** As Helm lays values over the chart's own. */
function merged(own, given) {
  const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMap(own) || !isMap(given)) return given;
  return Object.entries(given).reduce(
    (all, [key, value]) => ({ ...all, [key]: key in all ? merged(all[key], value) : value }),
    own,
  );
}

const helm = (args, input) => spawnSync('helm', args, { input, encoding: 'utf8' });
const hasHelm = helm(['version']).status === 0;
if (!hasHelm) console.warn('!!! not checked: helm is not installed, so no template is rendered');
const describeRendered = hasHelm ? describe : describe.skip;

/** Renders the chart with these values. @returns {any[]} the Kubernetes objects */
function objects(given) {
  const { status, stdout, stderr } = helm(
    ['template', 'chat', FOLDER, '--namespace', 'talk', '--kube-version', '1.27.0', '--values', '-'],
    dump(given),
  );
  expect([status, stderr]).toEqual([0, '']);
  return loadAll(stdout).filter((one) => one !== null && one !== undefined);
}
const kinds = (all) => all.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
const envOf = (all, name) =>
  all.find(
    ({ kind, metadata }) => ['Deployment', 'Job'].includes(kind) && metadata.name === `chat-tieline-${name}`,
  ).spec.template.spec.containers[0].env;

const sample = (name) => samples.find(([file]) => file === `${name}-values.yaml`)?.[1];

it.each(samples)('ci/%s keeps to the schema', (_, given) => {
  expect(validate(merged(defaults, given)) ? [] : validate.errors).toEqual([]);
});

it.each([
  ['no address', { existingSecret: 'x' }],
  ['no secret', { publicUrl: 'https://a.example' }],
  ['an unknown value', { ...sample('minimal'), replicas: 3 }],
  ['a secret among the settings', { ...sample('minimal'), env: { SECRET_KEY: 'x' } }],
  ['a number for a setting', { ...sample('minimal'), env: { LOG_LEVEL: 3 } }],
  [
    'two that scale workers',
    {
      ...sample('minimal'),
      worker: { autoscaling: { enabled: true }, keda: { enabled: true, prometheus: 'http://p' } },
    },
  ],
  ['KEDA without Prometheus', { ...sample('minimal'), worker: { keda: { enabled: true } } }],
  ['local files without a volume', { ...sample('minimal'), storage: { driver: 'local' } }],
  ['an ingress without a host', { ...sample('minimal'), api: { ingress: { enabled: true } } }],
])('%s is refused', (_, given) => {
  expect(validate(merged(defaults, given))).toBe(false);
});

it('the chart has the version of the product', async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  expect([about.version, about.appVersion]).toEqual([version, version]);
});

it('templates ask for values that there are, and take every value', async () => {
  const text = Object.values(await readAll('templates')).join('\n');
  const asked = [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path);
  for (const path of asked) {
    const value = path.split('.').reduce((from, key) => from?.[key], defaults);
    expect([path, value === undefined]).toEqual([path, false]);
  }
  const leaves = (value, path) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
      ? Object.entries(value).flatMap(([key, one]) => leaves(one, path ? `${path}.${key}` : key))
      : [path];
  const unused = leaves(defaults, '').filter(
    (path) => !asked.some((one) => path === one || path.startsWith(`${one}.`)),
  );
  expect(unused).toEqual([]);
});

describeRendered.each(samples)('ci/%s', (_, given) => {
  it('gives objects that Kubernetes could tell apart, in the shape of their kind', () => {
    const all = objects(given);
    expect(new Set(kinds(all)).size).toBe(all.length);
    for (const { apiVersion, kind, metadata } of all) {
      expect({ apiVersion, kind, name: metadata.name, labels: metadata.labels }).toEqual({
        apiVersion: expect.stringMatching(/^([a-z.0-9]+\/)?v\d\w*$/),
        kind: expect.any(String),
        name: expect.stringMatching(/^[a-z0-9-]{1,63}$/),
        labels: expect.objectContaining({ 'app.kubernetes.io/instance': 'chat' }),
      });
      for (const value of Object.values({ ...metadata.labels, ...metadata.annotations }))
        expect(typeof value).toBe('string');
    }
  });

  it('selects what it labels, and nothing writes to its root or gains a right', () => {
    const all = objects(given);
    const pods = all.filter(({ spec }) => spec?.template).map(({ spec }) => spec.template);
    expect(pods).toHaveLength(3);
    for (const { spec, selector = spec?.selector?.matchLabels ?? spec?.selector } of all.filter(({ kind }) =>
      ['Deployment', 'Service', 'PodDisruptionBudget'].includes(kind),
    )) {
      const chosen = pods.filter(({ metadata: { labels } }) =>
        Object.entries(selector).every(([key, value]) => labels[key] === value),
      );
      expect(chosen).toHaveLength(1);
    }
    for (const { spec } of pods) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      const [container] = spec.containers;
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const names = container.env.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const { value, valueFrom } of container.env)
        expect(typeof (value ?? valueFrom)).toMatch(/string|object/);
      const volumes = spec.volumes.map(({ name }) => name);
      expect(container.volumeMounts.map(({ name }) => name)).toEqual(volumes);
    }
  });

  it('probes ports that it opens, and services lead to ports that there are', () => {
    const all = objects(given);
    for (const component of ['api', 'worker']) {
      const [container] = all.find(
        ({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith(`-${component}`),
      ).spec.template.spec.containers;
      const ports = container.ports.map(({ name }) => name);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
        expect(ports).toContain(container[probe].httpGet.port);
      const services = all.filter(
        ({ kind, spec }) => kind === 'Service' && spec.selector['app.kubernetes.io/component'] === component,
      );
      expect(services.length).toBeGreaterThan(0);
      for (const { spec } of services)
        for (const { targetPort } of spec.ports) expect(ports).toContain(targetPort);
    }
  });

  it('the token of the operator reaches the api alone, and nothing secret stands in a pod', () => {
    const all = objects(given);
    const names = (component) => envOf(all, component).map(({ name }) => name);
    expect(names('api')).toContain('OPERATOR_TOKEN');
    expect([...names('worker'), ...names('migrate')]).not.toContain('OPERATOR_TOKEN');
    const pods = JSON.stringify(all.filter(({ kind }) => kind !== 'Secret'));
    for (const value of Object.values(given.secret ?? {})) expect(pods).not.toContain(value);
  });
});

describeRendered('the objects', () => {
  it('a network policy lets only named peers reach metrics and operator endpoints', () => {
    const rulesOf = (given) =>
      objects({ ...sample('full'), networkPolicy: { enabled: true, ...given } })
        .find(({ kind }) => kind === 'NetworkPolicy')
        .spec.ingress.map(({ ports, from }) => [ports.map(({ port }) => port), from]);
    const peers = [{ podSelector: {} }];
    expect(rulesOf({ metricsFrom: peers, operatorFrom: peers })).toEqual([
      [['http'], undefined],
      [['metrics'], peers],
      [['operator'], peers],
    ]);
    expect(rulesOf({ metricsFrom: [], operatorFrom: [] })).toEqual([[['http'], undefined]]);
    expect(kinds(objects(sample('minimal'))).join()).not.toContain('NetworkPolicy');
  });

  it('as little as can be: two programs, their services and budgets, and the migration before them', () => {
    const all = objects(sample('minimal'));
    expect(kinds(all)).toEqual([
      'Deployment chat-tieline-api',
      'Deployment chat-tieline-worker',
      'Job chat-tieline-migrate',
      'PodDisruptionBudget chat-tieline-api',
      'PodDisruptionBudget chat-tieline-worker',
      'Service chat-tieline-api',
      'Service chat-tieline-api-inside',
      'Service chat-tieline-worker-inside',
      'ServiceAccount chat-tieline',
    ]);
    const job = all.find(({ kind }) => kind === 'Job');
    expect(job.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    // Made before the account is.
    expect(job.spec.template.spec.serviceAccountName).toBeUndefined();
  });

  it('everything: who scales leaves the number of replicas alone', () => {
    const all = objects(sample('full'));
    const made = kinds(all);
    for (const name of [
      'HorizontalPodAutoscaler chat-tieline-api',
      'ScaledObject chat-tieline-worker',
      'ServiceMonitor chat-tieline',
      'PrometheusRule chat-tieline',
      'Ingress chat-tieline-api',
      ...['overview', 'delivery', 'traffic', 'database'].map(
        (board) => `ConfigMap chat-tieline-dashboard-${board}`,
      ),
    ])
      expect(made).toContain(name);
    for (const { spec } of all.filter(({ kind }) => kind === 'Deployment'))
      expect(spec.replicas).toBeUndefined();
    const { query } = all.find(({ kind }) => kind === 'ScaledObject').spec.triggers[0].metadata;
    expect(query).toBe('max(tieline_deliveries_due{namespace="talk"})');
  });

  it('a secret that the chart makes is there before the migration', () => {
    const all = objects(sample('trial'));
    const weight = (kind) =>
      Number(all.find((one) => one.kind === kind).metadata.annotations['helm.sh/hook-weight']);
    expect(weight('Secret')).toBeLessThan(weight('Job'));
    expect(all.find(({ kind }) => kind === 'Secret').stringData).toEqual(sample('trial').secret);
  });

  it('rules and dashboards are those of docker/prometheus and docker/grafana', async () => {
    const all = objects(sample('full'));
    const { spec } = all.find(({ kind }) => kind === 'PrometheusRule');
    expect(spec).toEqual(load(await readFile(join(ROOT, 'docker/prometheus/rules.yml'), 'utf8')));
    const boards = all.filter(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.includes('-dashboard-'),
    );
    for (const { data } of boards)
      for (const [file, text] of Object.entries(data))
        expect(JSON.parse(text)).toEqual(
          JSON.parse(await readFile(join(ROOT, 'docker/grafana', file.replace('tieline-', '')), 'utf8')),
        );
  });

  it('settings that the chart sets are settings', async () => {
    const pages = await Promise.all(
      ['configure', 'monitor'].map((page) => readFile(join(ROOT, `docs/${page}.md`), 'utf8')),
    );
    const set = new Set(
      samples.flatMap(([, given]) =>
        ['api', 'worker'].flatMap((one) => envOf(objects(given), one).map(({ name }) => name)),
      ),
    );
    for (const name of set) expect(pages.join('\n')).toContain(`\`${name}\``);
  });
});
