/**
 * `/plan version:1.4.2`: a plan that people fill in together. Shows more features of bots: typed
 * options with suggestions, late answers, pins, reactions, ephemeral messages, people and
 * conversations, agent runs.
 */
import { explain } from './explain.mjs';
import { openForm, submitForm } from './plan-form.mjs';
import { isReady, planIn, planMessage } from './plan-message.mjs';

const READY = '✅';
const OPTIONS = [
  { name: 'version', type: 'string', required: true, autocomplete: true, max_length: 40 },
  {
    name: 'stage',
    type: 'choice',
    choices: [
      { name: 'Production', value: 'live' },
      { name: 'Test', value: 'test' },
    ],
  },
  { name: 'reviewer', type: 'string', description: 'E-mail address of the reviewer' },
];

/** Registers the handlers of `/plan`. The ids of a plan's elements start with `plan-`. */
export function plan(bot) {
  const settings = { description: 'Plans a release', usage_hint: 'version:<version>', options: OPTIONS };
  bot.command('/plan', settings, begin);
  bot.click('plan-edit', async (ctx) => ctx.openModal(openForm(await planOf(ctx))));
  bot.click('plan-explain', (ctx) => explain(bot, ctx));
  bot.select('plan-more', (ctx) => MORE[ctx.value](ctx));
  bot.select('plan-*', choose);
  bot.submit('plan-*', async (ctx) => submitForm(ctx, await planOf(ctx)));
  bot.closed('plan-*', (ctx) => ctx.ephemeral('The plan stays as it is.'));
}

/**
 * Answers late, because it needs the id of the posted message: the first answer after `later`
 * returns it.
 */
async function begin(ctx) {
  const { version, stage = 'live', reviewer } = ctx.options;
  await ctx.later();
  const found = reviewer && (await findPerson(ctx.client, reviewer));
  const { messageId } = await ctx.reply(planMessage({ version, stage }));
  await ctx.client.messages.pin(messageId);
  if (reviewer)
    await ctx.ephemeral(found ? `${found.display_name} will look at it.` : `Nobody here has ${reviewer}.`);
}

/** Returns undefined for unknown people and if the space hides e-mail addresses from bots. */
async function findPerson(client, email) {
  try {
    return (await client.call('GET', '/api/v1/bot/users/lookup', { query: { email } })).user;
  } catch (error) {
    if (error.status === 404) return undefined;
    throw error;
  }
}

/** Reads the plan from the message, changes it and updates the message. Other answers follow. */
async function choose(ctx) {
  const name = ctx.actionId.slice('plan-'.length);
  const takesMany = name === 'tasks' || name === 'regions';
  const changed = { ...(await planOf(ctx)), [name]: takesMany ? ctx.values : ctx.value };
  await ctx.update(planMessage(changed));
  if (!AFTERWARDS[name]) return;
  await ctx.later();
  await AFTERWARDS[name](ctx, changed);
}

async function planOf({ client, messageId }) {
  return planIn((await client.messages.get(messageId)).metadata_json);
}

const AFTERWARDS = {
  tasks: ({ client: { messages }, messageId }, changed) =>
    isReady(changed) ? messages.react(messageId, READY) : messages.unreact(messageId, READY),
  owner: tellOwner,
  room: async (ctx, { room }) => {
    const { conversation } = await ctx.client.call('GET', `/api/v1/bot/conversations/${room}`);
    await ctx.ephemeral(`It will be announced in #${conversation.name}.`);
  },
};

/** Ephemeral messages reach only members of the conversation. */
async function tellOwner(ctx, { owner, version }) {
  const { user } = await ctx.client.call('GET', `/api/v1/bot/users/${owner}`);
  const content = `${user.display_name}, release ${version} is yours.`;
  try {
    const shown = { conversation_id: ctx.conversationId, user_id: owner, content };
    await ctx.client.messages.ephemeral(shown);
  } catch (error) {
    if (error.status !== 400) throw error;
    await ctx.ephemeral(`${user.display_name} is not in this conversation.`);
  }
}

const MORE = {
  people: async (ctx) => {
    const path = `/api/v1/bot/conversations/${ctx.conversationId}/members`;
    const { members } = await ctx.client.call('GET', path, { query: { limit: 200 } });
    return ctx.ephemeral(`Here: ${members.map(({ display_name: name }) => name).join(', ')}`);
  },
  withdraw: async ({ client: { messages }, messageId }) => {
    await messages.unpin(messageId);
    await messages.delete(messageId);
  },
};
