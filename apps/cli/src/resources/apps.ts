import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { action } from '../action.js';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Session } from '../profiles/session.js';
import { printable } from '../terminal/printable.js';
import type { Terminal } from '../terminal/terminal.js';
import { everyEntry, findByName } from './names.js';

interface Part {
  type: string;
  name: string;
}

/** The response of POST /admin/apps/manifest, and of PUT …/{id}/manifest. */
interface ManifestAnswer {
  created: (Part & { token?: string; signing_secret?: string })[];
  /** Absent for a new app, as the next. */
  changed?: (Part & { changes: Record<string, { from?: unknown; to?: unknown }> })[];
  deleted?: Part[];
  warnings: string[];
  client_secret?: string;
  signing_secret?: string;
}

interface ManifestOptions {
  manifest: string;
  dryRun?: boolean;
}

/** An app in the directory. */
interface DirectoryApp {
  id: string;
  name: string;
  description: string;
  installed: boolean;
}

/** An app in the space. */
interface Installation {
  id: string;
  name: string;
}

/** `app`: creates, lists, installs and uninstalls apps. */
export function addApps(program: Command, terminal: Terminal): void {
  const app = program.command('app').description('apps of the space');
  app
    .command('create')
    .summary('create one from a manifest')
    .description(
      "Creates an app with its bot, commands and interactive configuration from Tieline's or Slack's manifest. Its secrets are shown once.",
    )
    .requiredOption('--manifest <file>', 'the manifest, JSON')
    .option('--dry-run', 'create nothing, and show what would be')
    .action(
      action(terminal, (session, options: ManifestOptions) =>
        send(session, terminal.folder, { method: 'POST', path: '/api/v1/admin/apps/manifest', ...options }),
      ),
    );
  app
    .command('update <name>')
    .summary('change one as a manifest says')
    .description(
      'Makes an app of the space equal to a manifest, with its bot, commands and shortcuts. Shows the difference. Secrets of new parts are shown once.',
    )
    .requiredOption('--manifest <file>', 'the manifest, JSON')
    .option('--dry-run', 'change nothing, and show the difference')
    .action(
      action(terminal, (session, name: string, options: ManifestOptions) =>
        update(session, terminal.folder, name, options),
      ),
    );
  app
    .command('list')
    .summary('apps that the space can install')
    .description('Lists the apps of the space and the listed ones of other spaces.')
    .action(action(terminal, list));
  app
    .command('install <name>')
    .summary('show where to install one')
    .description(
      'Prints the address of the app in the console. What the app may do is agreed in the browser, because only there the app gets its tokens.',
    )
    .action(action(terminal, install));
  app
    .command('uninstall <name>')
    .summary('uninstall one from the space')
    .description('Uninstalls an app: its bot is deactivated and all of its tokens are revoked.')
    .action(action(terminal, uninstall));
}

async function list(session: Session): Promise<void> {
  const apps = await everyEntry<DirectoryApp>(await session.person(), '/api/v1/client/apps');
  session.printer.list(
    apps,
    [
      { title: 'name', of: ({ name }) => printable(name) },
      { title: 'description', of: ({ description }) => printable(description) },
      { title: 'installed', of: ({ installed }) => (installed ? 'yes' : 'no') },
      { title: 'id', of: ({ id }) => id },
    ],
    'no apps: `tieline app create` makes one',
  );
}

async function install(session: Session, wanted: string): Promise<void> {
  const apps = await everyEntry<DirectoryApp>(await session.person(), '/api/v1/client/apps');
  const { id, name, installed } = findByName('app', apps, wanted);
  const address = `${(await session.profile()).url.replace(/\/$/, '')}/apps/${id}`;
  const state = installed ? `${printable(name)} is installed. Details` : `Install ${printable(name)}`;
  session.printer.done({ id, name, installed, address }, `${state}: ${address}`);
}

async function uninstall(session: Session, wanted: string): Promise<void> {
  const client = await session.person();
  const installations = await everyEntry<Installation>(client, '/api/v1/admin/installations');
  const { id, name } = findByName('installed app', installations, wanted);
  await client.call('DELETE', `/api/v1/admin/installations/${id}`);
  session.printer.done({ id, name }, `uninstalled ${printable(name)}`);
}

async function update(
  session: Session,
  folder: string,
  wanted: string,
  options: ManifestOptions,
): Promise<void> {
  const apps = await everyEntry<{ id: string; name: string }>(await session.person(), '/api/v1/admin/apps');
  const { id } = findByName('app', apps, wanted);
  await send(session, folder, { method: 'PUT', path: `/api/v1/admin/apps/${id}/manifest`, ...options });
}

async function send(
  session: Session,
  folder: string,
  {
    method,
    path: url,
    manifest: file,
    dryRun: dry_run = false,
  }: ManifestOptions & { method: 'POST' | 'PUT'; path: string },
): Promise<void> {
  const manifest = parse(await readFile(path.resolve(folder, file), 'utf8'), file);
  // The result shows them.
  const client = await session.person({ onWarning: () => undefined });
  const answer = await client.call<ManifestAnswer>(method, url, { body: { manifest, dry_run } });
  for (const warning of answer.warnings) session.printer.note(`warning: ${printable(warning)}`);
  session.printer.done(answer, linesOf(answer).join('\n') || 'no difference');
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(`${file} is not JSON`, EXIT.usage);
  }
}

/** Marks new parts with +, changed ones with ~, deleted ones with -. Secrets follow new parts. */
function linesOf({ created, changed = [], deleted = [], ...secrets }: ManifestAnswer): string[] {
  const { client_secret, signing_secret } = secrets;
  return [
    ...created.flatMap(({ type, name, ...part }) => [
      `+ ${labelOf({ type, name })}`,
      ...Object.entries(
        type === 'app'
          ? { client_secret, signing_secret }
          : { token: part.token, signing_secret: part.signing_secret },
      )
        .filter(([, secret]) => secret !== undefined)
        .map(([label, secret]) => `  ${label}: ${secret}`),
    ]),
    ...changed.flatMap(({ changes, ...part }) => [
      `~ ${labelOf(part)}`,
      ...Object.entries(changes).map(
        ([field, { from, to }]) =>
          `  ${field}: ${printable(JSON.stringify(from))} → ${printable(JSON.stringify(to))}`,
      ),
    ]),
    ...deleted.map((part) => `- ${labelOf(part)}`),
  ];
}

const labelOf = ({ type, name }: Part): string => `${type.replaceAll('_', ' ')} ${printable(name)}`;
