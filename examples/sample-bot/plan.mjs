/**
 * `/plan version:1.4.2`: a plan that people fill in together. It is the bot's tour of what it can do besides answering: typed
 * options with suggestions, late answers, pins, reactions, words for one person's eyes, people and conversations, runs.
 */
import { explain } from './explain.mjs';
import { openForm, submitForm } from './plan-form.mjs';
import { isReady, planIn, planMessage } from './plan-message.mjs';
import { answerLate, call } from './tieline.mjs';

const READY = encodeURIComponent('✅');
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
  { name: 'reviewer', type: 'string', description: 'E-mail address of a person who is to look at it' },
];

/** Gives the command its options, in place: its secret stays. @returns where the bot is */
export async function setUpPlan() {
  const { bot } = await call('GET', '/bot/me');
  await call('PATCH', `/bots/${bot.id}/commands/plan`, {
    description: 'Plans a release',
    usage_hint: 'version:<version>',
    options: OPTIONS,
  });
  const { conversations } = await call('GET', '/bot/conversations?member=true&limit=200');
  return conversations.map(({ name }) => name);
}

/** Answers the command late, whatever the mode: the token posts, and tells the person, without a trigger. */
export async function beginPlan({ trigger_id: triggerId, options, response_token: token }) {
  const { version, stage = 'live', reviewer } = options;
  const found = reviewer && (await findPerson(reviewer));
  const { message_id: id } = await answerLate(
    token,
    { send_message: planMessage({ version, stage }) },
    triggerId,
  );
  await call('PUT', `/bot/messages/${id}/pin`);
  if (reviewer)
    await answerLate(token, {
      ephemeral_text: found ? `${found.display_name} will look at it.` : `Nobody here has ${reviewer}.`,
    });
}

/** Nobody is found as long as the space hides addresses from bots. */
async function findPerson(email) {
  try {
    return (await call('GET', `/bot/users/lookup?email=${encodeURIComponent(email)}`)).user;
  } catch (error) {
    if (error.status === 404) return undefined;
    throw error;
  }
}

/** Whether this was done in a plan, and not in a release. */
export const isOfPlan = ({ action_id: id }) => id?.startsWith('plan-');

/** @returns one of the answers to a click or a submitted form */
export async function answerPlan(event) {
  const name = event.action_id.slice('plan-'.length);
  if (event.event_type === 'modal.closed')
    return answerLate(event.response_token, { ephemeral_text: 'The plan stays as it is.' });
  if (event.event_type === 'modal.submit') return submitForm(event, await planOf(event));
  if (name === 'edit') return openForm(await planOf(event));
  if (name === 'more') return MORE[event.selected_value](event);
  if (name === 'explain') return explain(event);
  return choose(event, name);
}

/** The message is the memory: read it, change it, and answer with the whole. */
async function choose(event, name) {
  const { selected_value: value, selected_values: values } = event;
  const takesMany = name === 'tasks' || name === 'regions';
  const plan = { ...(await planOf(event)), [name]: takesMany ? values : value };
  await AFTERWARDS[name]?.(event, plan);
  return { update_message: planMessage(plan) };
}

async function planOf({ message_id: id }) {
  const { message } = await call('GET', `/bot/messages/${id}`);
  return planIn(message.metadata_json);
}

const AFTERWARDS = {
  tasks: ({ message_id: id }, plan) =>
    call(isReady(plan) ? 'PUT' : 'DELETE', `/bot/messages/${id}/reactions/${READY}`),
  owner: tellOwner,
  room: async ({ response_token: token }, { room }) => {
    const { conversation } = await call('GET', `/bot/conversations/${room}`);
    await answerLate(token, { ephemeral_text: `It will be announced in #${conversation.name}.` });
  },
};

/** Only members of the conversation can be shown something there. */
async function tellOwner({ conversation_id, response_token: token }, { owner, version }) {
  const { user } = await call('GET', `/bot/users/${owner}`);
  const content = `${user.display_name}, release ${version} is yours.`;
  try {
    await call('POST', '/bot/messages/ephemeral', { conversation_id, user_id: owner, content });
  } catch (error) {
    if (error.status !== 400) throw error;
    await answerLate(token, { ephemeral_text: `${user.display_name} is not in this conversation.` });
  }
}

const MORE = {
  people: async ({ conversation_id: id }) => {
    const { members } = await call('GET', `/bot/conversations/${id}/members?limit=200`);
    return { ephemeral_text: `Here: ${members.map(({ display_name: name }) => name).join(', ')}` };
  },
  withdraw: async ({ message_id: id }) => {
    await call('DELETE', `/bot/messages/${id}/pin`);
    await call('DELETE', `/bot/messages/${id}`);
    return { noop: true };
  },
};
