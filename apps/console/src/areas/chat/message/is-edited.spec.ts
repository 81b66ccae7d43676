import { isEdited } from './is-edited.js';

const AT = '2026-11-23T10:00:00Z';
const bots = (metadata?: object) =>
  isEdited({
    edited_at: AT,
    author_type: 'bot',
    ...(metadata && { metadata_json: JSON.stringify(metadata) }),
  });

it('only changes by the author count as edits', () => {
  expect(isEdited({ author_type: 'user' })).toBe(false);
  expect(isEdited({ edited_at: AT, author_type: 'user' })).toBe(true);
  expect(bots()).toBe(true);
});

it('updates of polls, agent runs and approvals are not edits', () => {
  expect(isEdited({ edited_at: AT, author_type: 'system' })).toBe(false);
  expect(bots({ version: 1, kind: 'agent_run', agent_run: { status: 'completed' } })).toBe(false);
  const approvalId = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d71';
  expect(bots({ version: 1, kind: 'approval', approval_id: approvalId })).toBe(false);
});

it('a text that merely mentions runs counts as edited', () => {
  expect(bots({ version: 1, blocks: [], of: { kind: 'agent_run' } })).toBe(true);
});
