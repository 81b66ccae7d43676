/**
 * Source of the bot that `tieline bot init` writes. With `types` it is TypeScript that Node.js runs
 * directly, otherwise JavaScript that editors can type-check.
 */
export const javascriptBot = (
  types: boolean,
): string => `${types ? '' : '// @ts-check\n'}import { Bot } from '@tieline/sdk';

// TIELINE_URL is the server, TIELINE_TOKEN the bot's token, TIELINE_VIA how events arrive: poll, socket, push or callback.
const bot = new Bot();

${types ? '' : '/** @param {string} name */\n'}const question = (name${types ? ': string' : ''}) => ({
  text: \`Deploy \${name}?\`,
  blocks: [
    {
      type: 'actions',
      elements: [
        { type: 'button', action_id: 'deploy', text: 'Deploy …', style: 'primary', data: name },
        { type: 'button', action_id: 'dismiss', text: 'Never mind' },
      ],
    },
  ],
});

bot.command('/hello', { description: 'Says hello' }, (ctx) => ctx.reply(\`Hello, <@\${ctx.userId}>!\`));

bot.command('/deploy', { description: 'Deploys something', usage_hint: '<name>' }, (ctx) =>
  ctx.text ? ctx.reply(question(ctx.text)) : ctx.ephemeral('Usage: /deploy <name>'),
);

bot.click('dismiss', (ctx) => ctx.delete());

bot.click('deploy', (ctx) =>
  ctx.openModal({
    title: \`Deploy \${ctx.data}\`,
    private_metadata: ctx.data,
    validate: true,
    submit_label: 'Deploy',
    fields: [{ id: 'reason', type: 'text', label: 'Why now?', required: true }],
  }),
);

bot.submit('deploy', async (ctx) => {
  const reason = String(ctx.values.reason);
  if (reason.length < 5) return ctx.errors({ reason: 'A few words more, please.' });
  await ctx.update({ text: \`Deploying \${ctx.privateMetadata} …\`, blocks: [] });
  await ctx.later(); // answers now; the work below may take longer
  await new Promise((done) => setTimeout(done, 2000));
  return ctx.reply(\`\${ctx.privateMetadata} is deployed: \${reason}\`);
});

await bot.start();
`;

/** Values for the generated package.json. */
export interface PackageJson {
  readonly name: string;
  /** The start command. */
  readonly start: string;
  /** Version or path of `@tieline/sdk`. */
  readonly sdk: string;
  readonly needsTsx: boolean;
  /** Requires Node.js 22.18 or later, which runs TypeScript directly. */
  readonly needsNode22: boolean;
}

/** Returns the generated package.json. */
export const packageJson = ({ name, start, sdk, needsTsx, needsNode22 }: PackageJson): string =>
  `${JSON.stringify(
    {
      name,
      version: '0.1.0',
      private: true,
      type: 'module',
      engines: { node: needsNode22 ? '>=22.18' : '>=20.19' },
      scripts: { start, dev: 'tieline dev' },
      dependencies: { '@tieline/sdk': sdk },
      ...(needsTsx && { devDependencies: { tsx: '4.23.15' } }),
    },
    undefined,
    2,
  )}\n`;
