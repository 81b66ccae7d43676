/** `/deploy version:1.4.2`: buttons, a validated form and a long-running reply. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Bot } from '@tieline/sdk';

const bot = new Bot(); // reads TIELINE_URL and TIELINE_TOKEN

const options = [{ name: 'version', type: 'string', required: true, autocomplete: true }];
bot.command('/deploy', { description: 'Deploys a version', options }, (ctx) => {
  const button = { type: 'button', data: ctx.options.version };
  const elements = [
    { ...button, action_id: 'deploy', text: 'Deploy', style: 'primary' },
    { ...button, action_id: 'drop', text: 'Drop it' },
  ];
  return ctx.reply({ text: `Deploy ${ctx.options.version}?`, blocks: [{ type: 'actions', elements }] });
});

bot.options('version', (ctx) => ['1.4.1', '1.4.2', '1.5.0'].filter((one) => one.startsWith(ctx.typed)));

bot.click('drop', (ctx) => ctx.delete());

bot.click('deploy', (ctx) =>
  ctx.openModal({
    validate: true,
    title: `Deploy ${ctx.data}`,
    private_metadata: ctx.data,
    fields: [{ id: 'ticket', type: 'text', label: 'Ticket', required: true }],
  }),
);

bot.submit('deploy', async (ctx) => {
  const version = ctx.privateMetadata;
  if (!/^OPS-\d+$/.test(ctx.values.ticket)) return ctx.errors({ ticket: 'Looks like OPS-4711' });
  await ctx.update({ text: `Deploying ${version} …`, blocks: [] });
  await ctx.later();
  await sleep(1000); // the work
  await ctx.update({ text: `Deployed ${version} for ${ctx.values.ticket}` });
});

await bot.start(); // polls; the same handlers work with TIELINE_VIA=socket, push or callback
