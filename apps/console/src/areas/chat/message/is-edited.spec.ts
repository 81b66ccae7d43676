import { isEdited } from './is-edited.js';

const AT = '2026-11-23T10:00:00Z';
const bots = (metadata?: object) =>
  isEdited({
    edited_at: AT,
    author_type: 'bot',
    ...(metadata && { metadata_json: JSON.stringify(metadata) }),
  });

it('what its author has changed is edited, and nothing else', () => {
  expect(isEdited({ author_type: 'user' })).toBe(false);
  expect(isEdited({ edited_at: AT, author_type: 'user' })).toBe(true);
  expect(bots()).toBe(true);
});

it('polls and runs of agents change by themselves', () => {
  expect(isEdited({ edited_at: AT, author_type: 'system' })).toBe(false);
  expect(bots({ version: 1, kind: 'agent_run', agent_run: { status: 'completed' } })).toBe(false);
});

it('a bot that only speaks of runs has edited its message', () => {
  expect(bots({ version: 1, blocks: [], of: { kind: 'agent_run' } })).toBe(true);
});
