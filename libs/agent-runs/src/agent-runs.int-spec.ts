import type { TestApi } from '@tieline/spaces/testing';
import { RunsFixture, startRunsApi } from './testing/index.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let api: TestApi;
let fx: RunsFixture;

beforeAll(async () => {
  api = await startRunsApi();
});
beforeEach(async () => {
  fx = await RunsFixture.of(api);
});
afterAll(() => api?.close());

test('a run from its beginning to its end', async () => {
  const { status, body } = await fx.create({}, { headers: { 'idempotency-key': 'key:1' } });
  expect(status).toBe(200);
  const { id, message_id } = body.agent_run;
  expect(body).toEqual({
    ok: true,
    agent_run: {
      id, idempotency_key: 'key:1', conversation_id: fx.tasks.channel, trigger_message_id: fx.trigger, message_id, status: 'accepted', status_text: 'Запрос принят', sequence: 1,
      is_terminal: false, public_text: '', error_code: '', bot_metadata_json: expect.any(String), attachments: [], attachment_status: 'none', started_at: TIME, updated_at: TIME,
      completed_at: null,
    },
  });
  expect(JSON.parse(body.agent_run.bot_metadata_json)).toEqual({
    version: 1, kind: 'agent_run',
    agent_run: {
      run_id: id, status: 'accepted', status_text: 'Запрос принят', sequence: 1, is_terminal: false, trigger_message_id: fx.trigger, updated_at: body.agent_run.updated_at,
      completed_at: null, error_code: '',
    },
  });
  expect(await fx.placeholders()).toEqual([{ id: message_id, text: 'Запрос принят', metadata_json: body.agent_run.bot_metadata_json, thread_id: null }]);
  const changed = await fx.patch(id, { status: 'using_tool', sequence: 2 });
  expect(changed).toMatchObject({ status: 200, body: { ok: true, agent_run: { id, status: 'using_tool', sequence: 2 } } });
  const done = await fx.patch(id, { status: 'completed', sequence: 5, public_text: 'It **works**' });
  expect(done).toMatchObject({ status: 200, body: { agent_run: { status: 'completed', status_text: 'Готово', sequence: 5, is_terminal: true, public_text: 'It **works**', completed_at: TIME } } });
  expect((await fx.get(id)).body).toEqual(done.body);
  expect((await fx.edits(message_id)).map(({ text, envelope }) => [text, envelope.agent_run.status])).toEqual([['Использую инструмент', 'using_tool'], ['It **works**', 'completed']]);
  expect((await fx.cancel(id)).status).toBe(409);
});
