import type { Command } from 'commander';
import { action } from '../action.js';
import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';
import type { Session } from '../profiles/session.js';
import type { Terminal } from '../terminal/terminal.js';
import { McpBridge } from './bridge.js';

interface McpOptions {
  readonly bot?: string;
}

/** Adds `mcp`. */
export function addMcp(program: Command, terminal: Terminal): void {
  program
    .command('mcp')
    .summary('serve the Model Context Protocol, for AI clients that start programs')
    .description('Serves the Model Context Protocol on standard input and output: docs/mcp.md.')
    .option('--bot <name>', 'act as this bot, whose token is stored')
    .action(
      action(terminal, async (session, options: McpOptions) => {
        const { url } = await session.profile();
        const bridge = new McpBridge({
          url: `${url.replace(/\/+$/, '')}/mcp`,
          token: await tokenOf(session, options),
          send: (message) => terminal.out(JSON.stringify(message)),
          warn: (text) => terminal.err(text),
        });
        await bridge.run(terminal.lines());
      }),
    );
}

/** The token of the named bot, else `TIELINE_TOKEN`, else that of the signed-in person. */
async function tokenOf(session: Session, { bot }: McpOptions): Promise<string> {
  if (bot !== undefined) return session.botToken(bot);
  const token = session.terminal.env.TIELINE_TOKEN || (await session.personToken());
  if (token) return token;
  throw new Failure('no token is known', EXIT.refused, 'set TIELINE_TOKEN, or sign in: `tieline login`');
}
