import {
  isFinal,
  isRunStatus,
  MAX_SEQUENCE,
  nextSequence,
  RUN_STATUSES,
  statusText,
} from './agent-run.states.js';

test('statuses, their exact texts, and which are final', () => {
  expect(RUN_STATUSES.map((status) => [status, isFinal(status), statusText(status)])).toEqual([
    ['accepted', false, 'Запрос принят'],
    ['queued', false, 'В очереди'],
    ['gathering_context', false, 'Ищу контекст'],
    ['using_tool', false, 'Использую инструмент'],
    ['waiting_tool', false, 'Жду ответ инструмента'],
    ['waiting_user', false, 'Жду ответа пользователя'],
    ['finalizing', false, 'Готовлю финальный ответ'],
    ['completed', true, 'Готово'],
    ['failed', true, 'Не удалось выполнить'],
    ['cancelled', true, 'Остановлено'],
    ['expired', true, 'Остановлено по тайм-ауту'],
  ]);
});

test.each(['', 'Accepted', 'running', 'toString', 5, null, undefined, ['queued']])(
  '%p is not a status',
  (value) => {
    expect(isRunStatus(value)).toBe(false);
  },
);

test('the server increments a sequence up to the 64-bit maximum', () => {
  expect([nextSequence(1n), nextSequence(MAX_SEQUENCE - 1n), nextSequence(MAX_SEQUENCE)]).toEqual([
    2n,
    MAX_SEQUENCE,
    MAX_SEQUENCE,
  ]);
});
