import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { action } from '../action.js';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Session } from '../profiles/session.js';
import { printable } from '../terminal/printable.js';
import type { Terminal } from '../terminal/terminal.js';

/** The response of POST /admin/apps/manifest. */
interface CreatedFromManifest {
  created: { type: string; name: string; token?: string; signing_secret?: string }[];
  warnings: string[];
  client_secret?: string;
  signing_secret?: string;
}

/** `app`: creates apps from manifests. */
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
      action(terminal, (session, options: { manifest: string; dryRun?: boolean }) =>
        create(session, terminal.folder, options),
      ),
    );
}

async function create(
  session: Session,
  folder: string,
  { manifest: file, dryRun: dry_run = false }: { manifest: string; dryRun?: boolean },
): Promise<void> {
  const manifest = parse(await readFile(path.resolve(folder, file), 'utf8'), file);
  const client = await session.person();
  const answer = await client.call<CreatedFromManifest>('POST', '/api/v1/admin/apps/manifest', {
    body: { manifest, dry_run },
  });
  for (const warning of answer.warnings) session.printer.note(`warning: ${printable(warning)}`);
  session.printer.done(answer, linesOf(answer).join('\n'));
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(`${file} is not JSON`, EXIT.usage);
  }
}

/** What is new has a plus; its secrets follow. */
function linesOf({ created, client_secret, signing_secret }: CreatedFromManifest): string[] {
  const secrets = { client_secret, signing_secret };
  return created.flatMap(({ type, name, ...part }) => [
    `+ ${type.replaceAll('_', ' ')} ${printable(name)}`,
    ...Object.entries(type === 'app' ? secrets : { token: part.token, signing_secret: part.signing_secret })
      .filter(([, secret]) => secret !== undefined)
      .map(([label, secret]) => `  ${label}: ${secret}`),
  ]);
}
