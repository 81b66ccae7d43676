import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SDK_VERSION } from '@tieline/sdk';
import { Option } from 'commander';
import type { Command } from 'commander';
import { action } from '../action.js';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';
import { LANGUAGES, MAIN_FILES, packageName, RUNS_TYPESCRIPT, scaffold } from './scaffold.js';
import type { Language } from './scaffold.js';

/** Default language: the one that needs nothing to be installed. */
const DEFAULT: Language = RUNS_TYPESCRIPT ? 'typescript' : 'javascript';

/** `bot init`: writes a bot that is ready to run. */
export function addInit(bot: Command, terminal: Terminal): void {
  bot
    .command('init [folder]')
    .summary('create a folder with a working bot')
    .description(
      'Writes a bot with two commands, buttons, a validated form and a delayed answer. `tieline dev` in that folder runs it.',
    )
    .addOption(
      new Option('--language <language>', 'what it is written in').choices(LANGUAGES).default(DEFAULT),
    )
    .option('--force', 'overwrite an existing bot')
    .action(action(terminal, init));
}

async function init(
  session: Session,
  given: string | undefined,
  { language, force }: { language: Language; force?: boolean },
): Promise<void> {
  const folder = path.resolve(session.terminal.folder, given ?? 'my-bot');
  const linked = language === 'python' || findsPackage(folder) ? undefined : ownPackage();
  const files = scaffold({
    name: packageName(path.basename(folder)),
    language,
    sdk: linked === undefined ? SDK_VERSION : `file:${linked}`,
    runsTypeScript: RUNS_TYPESCRIPT,
  });
  const there = Object.keys(files).filter((name) => existsSync(path.join(folder, name)));
  if (there.length > 0 && !force)
    throw new Failure(`${folder} has ${there.join(', ')} already`, EXIT.rejected, '--force writes over it');
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  if (linked !== undefined) await link(linked, folder);
  const shown = path.relative(session.terminal.folder, folder) || '.';
  const install = language === 'typescript' && !RUNS_TYPESCRIPT ? ['  npm install'] : [];
  const next = [...(shown === '.' ? [] : [`  cd ${shown}`]), ...install, '  tieline dev'];
  session.printer.done(
    { folder, language, files: Object.keys(files), main: MAIN_FILES[language] },
    [`a bot in ${shown}: ${Object.keys(files).join(', ')}`, '', ...next].join('\n'),
  );
}

function findsPackage(folder: string): boolean {
  try {
    createRequire(path.join(folder, 'package.json')).resolve('@tieline/sdk');
    return true;
  } catch {
    return false;
  }
}

/** Folder of the `@tieline/sdk` that this program uses. */
const ownPackage = (): string => packageOf(fileURLToPath(import.meta.resolve('@tieline/sdk')));

/** Links the SDK, as `npm install` does for `file:` dependencies. */
async function link(sdk: string, folder: string): Promise<void> {
  const place = path.join(folder, 'node_modules', '@tieline', 'sdk');
  await mkdir(path.dirname(place), { recursive: true });
  await rm(place, { recursive: true, force: true });
  await symlink(sdk, place, 'dir');
}

function packageOf(file: string): string {
  const folder = path.dirname(file);
  return existsSync(path.join(folder, 'package.json')) ? folder : packageOf(folder);
}
