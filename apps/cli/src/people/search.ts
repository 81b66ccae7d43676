import type { Client } from '@tieline/sdk';
import type { Command } from 'commander';
import { action } from '../action.js';
import { age, moment } from '../output/durations.js';
import type { Session } from '../profiles/session.js';
import { channelNamed } from '../resources/entries.js';
import { everyEntry, findByName } from '../resources/names.js';
import type { Named } from '../resources/names.js';
import type { Terminal } from '../terminal/terminal.js';

interface SearchOptions {
  readonly in?: string;
  readonly from?: string;
  readonly has?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: string;
}

/** The shown fields of a found message. */
interface Found {
  readonly message: { readonly text: string; readonly sent_at: string; readonly permalink?: string };
  readonly conversation: { readonly name: string; readonly type: string };
}

/** `search`: finds messages that the signed-in person may read. */
export function addSearch(program: Command, terminal: Terminal): void {
  program
    .command('search [words...]')
    .summary('find messages, newest first')
    .description(
      'Finds messages with all words. Quote operators for the shell: \'"release notes" depl* -draft\'. With a filter, no words are needed.',
    )
    .option('--in <channel>', 'only in this channel and its threads')
    .option('--from <user>', 'only of this person')
    .option('--has <what>', 'only with a file, link, reaction or pin')
    .option('--since <time>', 'only since a time, or an age such as 2d')
    .option('--until <time>', 'only before a time, or an age')
    .option('--limit <count>', '1 to 200', '20')
    .action(action(terminal, search));
}

async function memberId(client: Client, name: string): Promise<string> {
  return findByName('user', await everyEntry<Named>(client, '/api/v1/client/members'), name).id;
}

async function search(session: Session, words: string[], options: SearchOptions): Promise<void> {
  const client = await session.person();
  const { has, since, until, limit } = options;
  const query = {
    q: words.join(' '),
    ...(options.in !== undefined && { in: (await channelNamed(client, options.in)).id }),
    ...(options.from !== undefined && { from: await memberId(client, options.from) }),
    ...(has !== undefined && { has }),
    ...(since !== undefined && { after: moment(since) }),
    ...(until !== undefined && { before: moment(until) }),
    limit,
  };
  const path = '/api/v1/client/search/messages';
  const { results } = await client.call<{ results: Found[] }>('GET', path, { query });
  session.printer.list(
    results,
    [
      { title: 'age', of: ({ message }) => age(message.sent_at) },
      { title: 'in', of: ({ conversation }) => conversation.name || conversation.type },
      { title: 'text', of: ({ message }) => message.text },
      { title: 'link', of: ({ message }) => message.permalink },
    ],
    'nothing found',
  );
}
