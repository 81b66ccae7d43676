/** An answer that takes a while: an agent run, whose text grows piece by piece under people's eyes. */
import { call } from './tieline.mjs';

const PIECES = ['It mends ', 'what the last one ', 'broke.'];

/** Answers the newest question of a person in the conversation; at once only that it is being worked on. */
export async function explain({ conversation_id: conversation, data }) {
  const { messages } = await call('GET', `/channels/${conversation}/messages`);
  const question = messages.findLast(({ author_type: type }) => type === 'user');
  if (!question) return { ephemeral_text: 'Ask me something here first.' };
  run(conversation, question.id, JSON.parse(data)).catch(console.error);
  return { ephemeral_text: 'I am looking into it.' };
}

/** However often it is asked for, there is one run per question: the key sees to it. */
async function run(conversation, question, { version }) {
  const { agent_run: begun } = await call(
    'POST',
    '/bot/agent_runs',
    { conversation_id: conversation, trigger_message_id: question },
    { 'idempotency-key': `explain:${question}` },
  );
  let sequence = begun.sequence;
  const report = (change) =>
    call('PATCH', `/bot/agent_runs/${begun.id}`, { ...change, sequence: ++sequence });
  const pieces = [`About ${version}: `, ...PIECES];
  for (const append of pieces) await report({ status: 'finalizing', append });
  await report({ status: 'completed', public_text: pieces.join('') });
}
