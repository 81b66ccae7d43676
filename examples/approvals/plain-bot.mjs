/** `/deploy v2` asks people, and deploys if they approve, even if the bot was killed in between. */
import { Bot } from '@tieline/sdk';

const bot = new Bot({ order: 'none' }); // other commands run while one waits

bot.command('/deploy', { description: 'Deploys a version' }, async (ctx) => {
  await ctx.later(); // releases the person: a decision takes longer than they wait
  const version = ctx.text;
  const asked = await bot.ask({
    conversationId: ctx.conversationId,
    title: `Deploy ${version} to production?`,
    tool: 'deploy',
    arguments: { version },
    requestedBy: ctx.userId,
    // A killed bot receives the command again. The same id finds the same question.
    externalId: ctx.key('deploy'),
  });
  if (asked.isApproved) console.log(`deploying ${version}`); // the work; a repeat must do no harm
  // Answers to a command must come within 30 minutes, so this is a separate message.
  const content = asked.isApproved ? `Deployed ${version}` : `Not deployed: ${asked.state}`;
  const message = { conversation_id: ctx.conversationId, content };
  await bot.client.messages.send(message, { idempotencyKey: ctx.key('done') });
});

await bot.start();
