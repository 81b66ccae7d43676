import { createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import type { SeenMessage } from '@tieline/sdk/testing';
import type { Command } from 'commander';
import { action } from '../action.js';
import { lists } from '../resources/entries.js';
import { listed, findByName } from '../resources/names.js';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';
import { runTool } from './checkout.js';

/** `backup` and `restore` of the local installation, and `export` of what a person can read. */
export function addBackup(program: Command, terminal: Terminal): void {
  program
    .command('backup <file>')
    .summary('back up the local database to a file')
    .description(
      'Writes all rows to a file for `restore`, while Tieline runs. Reads DATABASE_URL, else the embedded database of DATA_DIR. Secrets stay encrypted: also back up SECRET_KEY, and the files in DATA_DIR/files or the bucket.',
    )
    .action(action(terminal, backup));
  program
    .command('restore <file>')
    .summary('fill an empty database with a backup')
    .description(
      'Migrates the empty database of DATABASE_URL and fills it in one transaction. Refuses a database with data, a backup of another version, a truncated file, and a different SECRET_KEY.',
    )
    .action(action(terminal, restore));
  program
    .command('export')
    .summary('export the messages you can read, as lines of JSON')
    .option('--channel <name>', 'only these channels (default: all you are a member of)', listed)
    .option('--out <file>', 'output file (default: standard output)')
    .action(action(terminal, exportMessages));
}

async function backup(session: Session, file: string): Promise<void> {
  const place = path.resolve(session.terminal.folder, file);
  const said = await runTool(session, {
    tool: 'export.mjs',
    file: place,
    growing: `${place}.unfinished`,
    label: 'backing up',
  });
  const { size } = await stat(place);
  session.printer.done({ file: place, bytes: size }, said);
}

async function restore(session: Session, file: string): Promise<void> {
  if (!session.terminal.env.DATABASE_URL)
    throw new Failure('into which database?', EXIT.usage, 'set DATABASE_URL to an empty one');
  const place = path.resolve(session.terminal.folder, file);
  await stat(place).catch(() => {
    throw new Failure(`there is no file ${place}`, EXIT.notFound);
  });
  const said = await runTool(session, { tool: 'import.mjs', file: place, label: 'restoring' });
  session.printer.done({ file: place }, said);
}

async function exportMessages(
  session: Session,
  { channel, out }: { channel?: string[]; out?: string },
): Promise<void> {
  const client = await session.person();
  const all = await lists.channels(client);
  const channels = channel
    ? channel.map((name) => findByName('channel', all, name))
    : all.filter((one) => one.is_member);
  const place = out && path.resolve(session.terminal.folder, out);
  const target = place ? createWriteStream(`${place}.unfinished`, { mode: 0o600 }) : undefined;
  let count = 0;
  for (const { id, name } of channels)
    for await (const message of client.history(id, { order: 'oldest' }) as AsyncIterable<SeenMessage>) {
      const line = JSON.stringify({ channel: name, ...message });
      if (!target) session.terminal.out(line);
      else if (!target.write(`${line}\n`))
        await new Promise<void>((resume) => target.once('drain', () => resume()));
      if (++count % 100 === 0) session.terminal.progress(`exporting … ${count} messages`);
      session.terminal.signal.throwIfAborted();
    }
  session.terminal.progress(undefined);
  if (!target || !place) return;
  target.end();
  await finished(target);
  await rename(`${place}.unfinished`, place);
  session.printer.done({ file: place, messages: count }, `${count} messages in ${place}`);
}
