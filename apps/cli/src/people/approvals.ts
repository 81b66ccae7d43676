import type { Command } from 'commander';
import { action } from '../action.js';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Session } from '../profiles/session.js';
import { printable } from '../terminal/printable.js';
import type { Terminal } from '../terminal/terminal.js';
import { fieldValues } from './field-values.js';

/** `approvals`: lists and decides what bots ask the signed-in person. */
export function addApprovals(program: Command, terminal: Terminal): void {
  const approvals = program.command('approvals').description('approvals that wait for you');
  approvals
    .command('list')
    .summary('approvals that you may decide')
    .description('Lists the pending approvals that you may decide, newest first.')
    .action(action(terminal, list));
  approvals
    .command('decide <id> <option> [field=value...]')
    .summary('choose an option of an approval')
    .description(
      'Decides an approval. Options are shown by `approvals list`. Fields of its form as name=value; name:=json for numbers, booleans and lists.',
    )
    .option('--comment <text>', 'a comment for the bot and everyone else')
    .action(action(terminal, decide));
}

async function list(session: Session): Promise<void> {
  const person = await session.signedInPerson();
  try {
    session.printer.list(await person.approvals(), [
      { title: 'id', of: ({ id }) => id },
      { title: 'title', of: ({ title }) => printable(title) },
      { title: 'tool', of: ({ tool }) => printable(tool ?? '') },
      { title: 'arguments', of: ({ arguments: given }) => printable(given ? JSON.stringify(given) : '') },
      { title: 'options', of: ({ options }) => options.map(({ id }) => printable(id)).join(', ') },
      { title: 'expires', of: ({ expires_at: at }) => at },
    ]);
  } finally {
    await person.leave();
  }
}

async function decide(
  session: Session,
  id: string,
  option: string,
  pairs: string[],
  { comment }: { comment?: string },
): Promise<void> {
  if (!/^[0-9a-f-]{36}$/i.test(id))
    throw new Failure(`"${id}" is no id of an approval`, EXIT.usage, 'see: tieline approvals list');
  const person = await session.signedInPerson();
  try {
    const values = fieldValues(pairs);
    const approval = await person.decide(option, { id, ...(comment !== undefined && { comment }), values });
    session.printer.done(approval, `${approval.state}: ${printable(approval.title)}`);
  } finally {
    await person.leave();
  }
}
