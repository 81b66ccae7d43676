import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Session } from '../profiles/session.js';

const LOOK_MS = 300;

/**
 * Returns the folder of the local installation: `TIELINE_HOME`, else the checkout this program is
 * part of.
 *
 * @throws Failure if there is none
 */
export function checkoutOf({ terminal }: Session): string {
  const given = terminal.env.TIELINE_HOME;
  const folder = given ?? path.resolve(import.meta.dirname, '../../../..');
  if (existsSync(path.join(folder, 'tools', 'export.mjs'))) return folder;
  throw new Failure(
    given
      ? `TIELINE_HOME=${given} is no checkout of Tieline`
      : 'this runs Tieline itself, which the command line alone does not bring along',
    EXIT.notFound,
    'clone the repository of Tieline, `npm install` there, and set TIELINE_HOME to that folder; in the image the commands are `export` and `import`',
  );
}

/**
 * Runs a tool of the checkout.
 *
 * @param growing a file whose size shows the progress
 * @returns the tool's output
 * @throws Failure with the tool's error output
 */
export async function runTool(
  session: Session,
  { tool, file, growing, label }: { tool: string; file: string; growing?: string; label: string },
): Promise<string> {
  const home = checkoutOf(session);
  const child = spawn(process.execPath, [path.join(home, 'tools', tool), file], {
    cwd: home,
    env: { ...session.terminal.env, INIT_CWD: session.terminal.folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => output.push(part));
  const timer = setInterval(() => void showProgress(session, label, growing), LOOK_MS);
  const onAbort = (): void => void child.kill('SIGTERM');
  session.terminal.signal.addEventListener('abort', onAbort, { once: true });
  const code = await new Promise<number | null>((done) => child.once('close', done));
  session.terminal.signal.removeEventListener('abort', onAbort);
  clearInterval(timer);
  session.terminal.progress(undefined);
  const said = Buffer.concat(output).toString('utf8').trim();
  if (code !== 0) throw new Failure(said || `${tool} ended with ${code}`);
  return said;
}

async function showProgress(session: Session, label: string, growing: string | undefined): Promise<void> {
  const size = growing === undefined ? undefined : (await stat(growing).catch(() => undefined))?.size;
  session.terminal.progress(
    size === undefined ? `${label} …` : `${label} … ${(size / 1_000_000).toFixed(1)} MB`,
  );
}
