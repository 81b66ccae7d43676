import type { Command } from 'commander';
import { action } from '../action.js';
import type { Column } from '../output/table.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';
import { named } from './names.js';
import type { Named } from './names.js';

/** A kind of thing that is listed and shown by name. */
export interface Noun<T extends Named> {
  readonly noun: string;
  readonly summary: string;
  readonly columns: readonly Column<T>[];
  readonly all: (session: Session) => Promise<readonly T[]>;
  /** More than the list tells, for `show`. */
  readonly one?: (session: Session, entry: T) => Promise<object>;
}

/** `<noun> list` and `<noun> show <name>`. @returns the noun's command, for what else it can do */
export function addNoun<T extends Named>(program: Command, terminal: Terminal, given: Noun<T>): Command {
  const { noun, summary, columns } = given;
  const command = program.command(noun).summary(summary);
  command
    .command('list')
    .alias('ls')
    .summary(`every ${noun}`)
    .action(
      action(terminal, async (session) =>
        session.printer.list(await given.all(session), columns, `no ${noun} yet`),
      ),
    );
  command
    .command('show <name>')
    .summary(`one ${noun}, by name or id`)
    .action(
      action(terminal, async (session, name: string) => {
        const entry = named(noun, await given.all(session), name);
        session.printer.show(given.one ? await given.one(session, entry) : entry);
      }),
    );
  return command;
}
