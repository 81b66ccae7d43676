import { SDK_VERSION } from '@tieline/sdk';
import type { Client } from '@tieline/sdk';
import type { Command } from 'commander';
import { action } from '../action.js';
import { lists } from '../nouns/entries.js';
import { EXIT } from '../output/exit-codes.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';
import { clockFinding, fault, nodeFinding, ok, versionFinding, warning } from './finding.js';
import type { Finding } from './finding.js';
import { localFindings } from './local-findings.js';

const PATIENCE_MS = 5_000;

/** `doctor`: looks at what could be wrong, and says it. */
export function addDoctor(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .summary('look for what is wrong: address, clock, parts, tokens, receivers; --local: this machine')
    .description(
      'Looks at the Tieline of the profile: whether it answers, its parts, clock and version, the tokens, and receivers whose breaker is open.\n--local looks at the settings of this shell too: database, Redis, ports, secrets, outgoing requests.\nExit code 7: something is faulty.',
    )
    .option('--local', 'also what api and worker would find with the environment of this shell')
    .action(action(terminal, doctor));
}

async function doctor(session: Session, { local }: { local?: boolean }): Promise<number> {
  const findings = [
    nodeFinding(process.versions.node),
    ...(await serverFindings(session)),
    ...(local ? await localFindings(session.terminal.env) : []),
  ];
  session.printer.list(findings, [
    { title: 'check', of: ({ check }) => check },
    { title: 'state', of: ({ state }) => state },
    { title: 'what', of: ({ detail }) => detail },
  ]);
  return findings.some(({ state }) => state === 'fault') ? EXIT.checkFailed : EXIT.ok;
}

async function serverFindings(session: Session): Promise<Finding[]> {
  const client = await session.anybody();
  const signal = AbortSignal.timeout(PATIENCE_MS);
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
      clockFinding(live.headers.get('date'), Date.now()),
      ...Object.entries(details).map(([part, { status = 'unknown' }]) => partFinding(part, status)),
      await versionOf(client),
      ...(await tokenFindings(session)),
    ];
  } catch (error) {
    return [fault('address', `${client.url} does not answer: ${(error as Error).message}`)];
  }
}

function partFinding(part: string, status: string): Finding {
  if (status === 'up') return ok(part, 'works');
  return status === 'degraded'
    ? warning(part, 'is degraded: see the log')
    : fault(part, `is ${status}: see the log`);
}

async function versionOf(client: Client): Promise<Finding> {
  const { info } = await client.call<{ info: { version: string } }>('GET', '/api/openapi.json');
  return versionFinding(SDK_VERSION, info.version);
}

async function tokenFindings(session: Session): Promise<Finding[]> {
  const { token, operatorToken, bots = {} } = await session.profile();
  const findings: Finding[] = [];
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
    findings.push(...(await receiverFindings(session)));
  if (operatorToken) await check('operator', () => session.operator(), '/api/v1/operator/spaces?limit=1');
  for (const name of Object.keys(bots)) await check(`bot ${name}`, () => session.bot(name), '/api/v1/bot/me');
  if (findings.length === 0) findings.push(warning('tokens', 'none is kept: `tieline login`'));
  return findings;
}

/** Only admins see them; for others there is nothing to find. */
async function receiverFindings(session: Session): Promise<Finding[]> {
  const subscriptions = await lists.subscriptions(await session.person()).catch(() => undefined);
  if (!subscriptions) return [];
  const open = subscriptions.filter(({ breaker }) => breaker && breaker.state !== 'closed');
  if (open.length === 0) return [ok('egress', `no receiver has an open breaker, of ${subscriptions.length}`)];
  return [warning('egress', `an open breaker: ${open.map(({ name }) => name).join(', ')}`)];
}
