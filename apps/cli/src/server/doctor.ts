import { SDK_VERSION } from '@tieline/sdk';
import type { Client } from '@tieline/sdk';
import type { Command } from 'commander';
import { action } from '../action.js';
import { lists } from '../resources/entries.js';
import { EXIT } from '../output/exit-codes.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';
import { clockDiagnosis, fault, nodeDiagnosis, ok, versionDiagnosis, warning } from './diagnosis.js';
import type { Diagnosis } from './diagnosis.js';
import { localDiagnoses } from './local-diagnosis.js';

const TIMEOUT_MS = 5_000;

/** `doctor`: checks the installation and reports problems. */
export function addDoctor(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .summary('check connection, clock, services, tokens and receivers; --local: this machine')
    .description(
      'Checks the Tieline server of the profile: connection, services, clock, version, tokens, and receivers with an open breaker.\n--local also checks the settings of this shell: database, Redis, ports, secrets, outgoing requests.\nExit code 7: a check failed.',
    )
    .option('--local', 'also check the environment of this shell as api and worker would')
    .action(action(terminal, doctor));
}

async function doctor(session: Session, { local }: { local?: boolean }): Promise<number> {
  const findings = [
    nodeDiagnosis(process.versions.node),
    ...(await serverDiagnoses(session)),
    ...(local ? await localDiagnoses(session.terminal.env) : []),
  ];
  session.printer.list(findings, [
    { title: 'check', of: ({ check }) => check },
    { title: 'state', of: ({ state }) => state },
    { title: 'detail', of: ({ detail }) => detail },
  ]);
  return findings.some(({ state }) => state === 'fault') ? EXIT.checkFailed : EXIT.ok;
}

async function serverDiagnoses(session: Session): Promise<Diagnosis[]> {
  const client = await session.anonymous();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const started = performance.now();
    const live = await client.fetch(client.address('/health/live'), { signal });
    const milliseconds = Math.round(performance.now() - started);
    const ready = await client.fetch(client.address('/health/ready'), { signal });
    const { details = {} } = (await ready.json()) as { details?: Record<string, { status?: string }> };
    return [
      live.ok
        ? ok('address', `${client.url} answers in ${milliseconds} ms`)
        : fault('address', `${client.url} answers ${live.status}`),
      clockDiagnosis(live.headers.get('date'), Date.now()),
      ...Object.entries(details).map(([part, { status = 'unknown' }]) => partDiagnosis(part, status)),
      await versionOf(client),
      ...(await tokenDiagnoses(session)),
    ];
  } catch (error) {
    return [fault('address', `${client.url} does not answer: ${(error as Error).message}`)];
  }
}

function partDiagnosis(part: string, status: string): Diagnosis {
  if (status === 'up') return ok(part, 'works');
  return status === 'degraded'
    ? warning(part, 'is degraded: see the log')
    : fault(part, `is ${status}: see the log`);
}

async function versionOf(client: Client): Promise<Diagnosis> {
  const { info } = await client.call<{ info: { version: string } }>('GET', '/api/openapi.json');
  return versionDiagnosis(SDK_VERSION, info.version);
}

async function tokenDiagnoses(session: Session): Promise<Diagnosis[]> {
  const { token, operatorToken, bots = {} } = await session.profile();
  const findings: Diagnosis[] = [];
  const check = async (name: string, client: () => Promise<Client>, path: string): Promise<boolean> => {
    try {
      await (await client()).call('GET', path);
      findings.push(ok(name, 'the token is valid'));
      return true;
    } catch (error) {
      findings.push(fault(name, (error as Error).message));
      return false;
    }
  };
  if (token && (await check('person', () => session.person(), '/api/v1/client/me')))
    findings.push(...(await receiverDiagnoses(session)));
  if (operatorToken) await check('operator', () => session.operator(), '/api/v1/operator/spaces?limit=1');
  for (const name of Object.keys(bots)) await check(`bot ${name}`, () => session.bot(name), '/api/v1/bot/me');
  if (findings.length === 0) findings.push(warning('tokens', 'none is stored: run `tieline login`'));
  return findings;
}

/** Only admins see receivers. Other users get no findings. */
async function receiverDiagnoses(session: Session): Promise<Diagnosis[]> {
  const subscriptions = await lists.subscriptions(await session.person()).catch(() => undefined);
  if (!subscriptions) return [];
  const open = subscriptions.filter(({ breaker }) => breaker && breaker.state !== 'closed');
  if (open.length === 0)
    return [ok('egress', `none of ${subscriptions.length} receivers has an open breaker`)];
  return [warning('egress', `receivers with an open breaker: ${open.map(({ name }) => name).join(', ')}`)];
}
