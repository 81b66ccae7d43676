import { Client } from '@tieline/sdk';
import type { Command } from 'commander';
import { action } from '../action.js';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Terminal } from '../terminal/terminal.js';
import { loginInBrowser, revokeLogin } from './browser-login.js';
import type { Profile } from './profile-file.js';
import type { Session } from './session.js';

/** The person or bot a token belongs to. */
interface Holder {
  readonly kind: 'person' | 'bot' | 'operator';
  readonly name: string;
}

interface LoginOptions {
  url?: string;
  browser?: boolean;
  token?: boolean;
  operator?: boolean;
}

/** `login`, `logout`, `whoami` and `profile`. */
export function addLogin(program: Command, terminal: Terminal): void {
  program
    .command('login')
    .summary('sign in with the browser, or store a token')
    .description(
      "Signs a person in with the browser, and keeps the tokens in the profile. Commands of admins, bots and the operator need a token of their own: --token asks for it.\nPiped in, the token is the first line: tieline login < token-file. It is never an argument, so no shell's history has it.",
    )
    .option(
      '--url <address>',
      'where Tieline runs (default: the one of the profile, TIELINE_URL, http://127.0.0.1:3000)',
    )
    .option('--browser', 'sign in with the browser, also if no person types here')
    .option('--token', 'ask for a token (of a person, a bot or the operator)')
    .option('--operator', "ask for the operator's token")
    .action(action(terminal, login));
  program
    .command('logout')
    .summary('delete the tokens of a profile')
    .option('--all', 'also delete the profile')
    .action(action(terminal, logout));
  program.command('whoami').summary('show who the stored tokens belong to').action(action(terminal, whoami));
  const profile = program
    .command('profile')
    .summary('list and select profiles, one for each server or person');
  profile.command('list').summary('all of them').action(action(terminal, listProfiles));
  profile.command('use <name>').summary('select a profile').action(action(terminal, useProfile));
}

async function login(
  session: Session,
  { url, browser, token: asksToken, operator }: LoginOptions,
): Promise<void> {
  const name = await session.profileName();
  const { profiles } = await session.file.read();
  const address = url ?? session.terminal.env.TIELINE_URL ?? profiles[name]?.url ?? 'http://127.0.0.1:3000';
  if (browser && (asksToken || operator))
    throw new Failure('--browser does not go with --token or --operator', EXIT.usage);
  const usesBrowser = browser || (session.terminal.isInteractive && !asksToken && !operator);
  const login = usesBrowser ? await loginInBrowser(session.terminal, address) : undefined;
  const token =
    login?.accessToken ?? (await session.terminal.ask(`Token for ${address}: `, { hidden: true }));
  if (token === '') throw new Failure('no token was given', EXIT.usage);
  const holder = await holderOf(new Client({ url: address, token }), token, operator);
  await session.file.change((all) => {
    // Never sends the tokens of one Tieline to another.
    const known = all.profiles[name];
    const profile = (all.profiles[name] =
      known && new URL(known.url).href === new URL(address).href ? known : { url: address });
    if (login) delete profile.token;
    if (login) profile.login = login;
    else if (holder.kind === 'person') profile.token = token;
    else if (holder.kind === 'operator') profile.operatorToken = token;
    else profile.bots = { ...profile.bots, [holder.name]: token };
    if (Object.keys(all.profiles).length === 1) all.current = name;
  });
  session.printer.done(
    { profile: name, url: address, ...holder },
    `signed in at ${address} as ${described(holder)}, profile ${name}`,
  );
}

async function holderOf(client: Client, token: string, operator?: boolean): Promise<Holder> {
  if (operator || !/^tl[uab]_/.test(token)) {
    await client.call('GET', '/api/v1/operator/spaces', { query: { limit: 1 } });
    return { kind: 'operator', name: 'operator' };
  }
  if (token.startsWith('tlb_')) {
    const { bot } = await client.call<{ bot: { display_name: string } }>('GET', '/api/v1/bot/me');
    return { kind: 'bot', name: bot.display_name };
  }
  const { user } = await client.call<{ user: { display_name: string } }>('GET', '/api/v1/client/me');
  return { kind: 'person', name: user.display_name };
}

const described = ({ kind, name }: Holder): string =>
  kind === 'operator' ? 'the operator' : `the ${kind} ${name}`;

async function logout(session: Session, { all: whole }: { all?: boolean }): Promise<void> {
  const name = await session.profileName();
  const { url: known, login } = (await session.file.read()).profiles[name] ?? {};
  if (known && login) await revokeLogin(known, login);
  await session.file.change((all) => {
    const { url } = all.profiles[name] ?? {};
    if (whole || !url) delete all.profiles[name];
    else all.profiles[name] = { url };
  });
  session.printer.done(
    { profile: name },
    `forgot ${whole ? 'the profile' : 'the tokens of the profile'} ${name}`,
  );
}

async function whoami(session: Session): Promise<void> {
  const profile = await session.profile();
  const name = await session.profileName();
  const tokens = [
    await session.personToken(),
    ...Object.values(profile.bots ?? {}),
    profile.operatorToken,
  ].filter((token) => token !== undefined);
  if (tokens.length === 0) throw new Failure('not signed in', EXIT.refused, 'sign in: `tieline login`');
  const holders = await Promise.all(
    tokens.map((token) => holderOf(new Client({ url: profile.url, token }), token)),
  );
  session.printer.list(
    holders.map((holder) => ({ ...holder, url: profile.url, profile: name })),
    [
      { title: 'kind', of: ({ kind }) => kind },
      { title: 'name', of: (row) => row.name },
      { title: 'at', of: ({ url }) => url },
      { title: 'profile', of: (row) => row.profile },
    ],
  );
}

async function listProfiles(session: Session): Promise<void> {
  const { profiles } = await session.file.read();
  const current = await session.profileName();
  const rows = Object.entries(profiles).map(([name, profile]) => ({
    name,
    url: profile.url,
    is_current: name === current,
    tokens: kindsOf(profile),
  }));
  session.printer.list(
    rows,
    [
      { title: '', of: ({ is_current: isCurrent }) => (isCurrent ? '*' : ' ') },
      { title: 'name', of: ({ name }) => name },
      { title: 'at', of: ({ url }) => url },
      { title: 'tokens of', of: ({ tokens }) => tokens },
    ],
    'no profile yet: `tieline login`',
  );
}

const kindsOf = ({ token, login, operatorToken, bots = {} }: Profile): string[] => [
  ...((token ?? login) ? ['a person'] : []),
  ...(operatorToken ? ['the operator'] : []),
  ...Object.keys(bots).map((name) => `the bot ${name}`),
];

async function useProfile(session: Session, name: string): Promise<void> {
  await session.file.change((all) => {
    if (!all.profiles[name])
      throw new Failure(
        `there is no profile "${name}"`,
        EXIT.notFound,
        '`tieline login --profile <name>` makes one',
      );
    all.current = name;
  });
  session.printer.done({ current: name }, `using ${name}`);
}
