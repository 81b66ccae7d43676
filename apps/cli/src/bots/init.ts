import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Option } from 'commander';
import type { Command } from 'commander';
import { action } from '../action.js';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';
import { LANGUAGES, MAIN_FILES, packageName, scaffold } from './scaffold.js';
import type { Language } from './scaffold.js';

/** TypeScript where Node.js runs it as it stands. */
const DEFAULT: Language = (process.features as { typescript?: unknown }).typescript
  ? 'typescript'
  : 'javascript';

/** `bot init`: a new bot that runs at once. */
export function addInit(bot: Command, terminal: Terminal): void {
  bot
    .command('init [folder]')
    .summary('begin a bot: a folder with one that answers')
    .description(
      'Writes a bot with two commands, buttons, a form with an error at a field and a late answer. `tieline dev` in that folder runs it.',
    )
    .addOption(
      new Option('--language <language>', 'what it is written in').choices(LANGUAGES).default(DEFAULT),
    )
    .option('--force', 'into a folder that has one already')
    .action(action(terminal, init));
}

async function init(
  session: Session,
  given: string | undefined,
  { language, force }: { language: Language; force?: boolean },
): Promise<void> {
  const folder = path.resolve(session.terminal.folder, given ?? 'my-bot');
  const files = scaffold(packageName(path.basename(folder)), language);
  const there = Object.keys(files).filter((name) => existsSync(path.join(folder, name)));
  if (there.length > 0 && !force)
    throw new Failure(`${folder} has ${there.join(', ')} already`, EXIT.rejected, '--force writes over it');
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  if (language !== 'python') await linkPackage(folder);
  const shown = path.relative(session.terminal.folder, folder) || '.';
  session.printer.done(
    { folder, language, files: Object.keys(files), main: MAIN_FILES[language] },
    [`a bot in ${shown}: ${Object.keys(files).join(', ')}`, '', `  cd ${shown}`, '  tieline dev'].join('\n'),
  );
}

/** A folder that finds no `@tieline/sdk` gets the one that this program runs with. */
async function linkPackage(folder: string): Promise<void> {
  try {
    createRequire(path.join(folder, 'package.json')).resolve('@tieline/sdk');
  } catch {
    const here = fileURLToPath(import.meta.resolve('@tieline/sdk'));
    const place = path.join(folder, 'node_modules', '@tieline', 'sdk');
    await mkdir(path.dirname(place), { recursive: true });
    await symlink(packageOf(here), place, 'dir');
  }
}

function packageOf(file: string): string {
  const folder = path.dirname(file);
  return existsSync(path.join(folder, 'package.json')) ? folder : packageOf(folder);
}
