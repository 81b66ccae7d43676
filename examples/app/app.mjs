/** An app that any space can install. It answers `ping`, and counts clicks of a button. */
import { App, fileStore } from '@tieline/sdk';

const app = new App({
  // TIELINE_URL, TIELINE_CLIENT_ID, TIELINE_CLIENT_SECRET, TIELINE_SIGNING_SECRET, TIELINE_APP_URL
  scopes: ['messages:read', 'messages:write', 'conversations:join', 'interactive', 'events'],
  store: fileStore(process.env.TOKENS_FILE ?? 'tokens.json'),
  setUp(bot, space) {
    bot.message(/^ping$/, async (ctx) => {
      await ctx.client.join(ctx.conversationId);
      await ctx.reply({
        text: `pong from ${space.spaceName}`,
        blocks: [{ type: 'actions', elements: [{ type: 'button', action_id: 'again', text: 'Again' }] }],
      });
    });
    bot.click('again', (ctx) => ctx.ephemeral(`Hello <@${ctx.userId}>`));
  },
});

await app.start();
