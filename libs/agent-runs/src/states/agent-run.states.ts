/** Statuses of unfinished runs with the text shown to people: docs/agent-runs.md#statuses. */
const WORKING_TEXTS = {
  accepted: 'Запрос принят',
  queued: 'В очереди',
  gathering_context: 'Ищу контекст',
  using_tool: 'Использую инструмент',
  waiting_tool: 'Жду ответ инструмента',
  waiting_user: 'Жду ответа пользователя',
  finalizing: 'Готовлю финальный ответ',
} as const;

/** Final statuses with their texts. */
const FINAL_TEXTS = {
  completed: 'Готово',
  failed: 'Не удалось выполнить',
  cancelled: 'Остановлено',
  expired: 'Остановлено по тайм-ауту',
} as const;

export type FinalStatus = keyof typeof FINAL_TEXTS;
export type RunStatus = keyof typeof WORKING_TEXTS | FinalStatus;

const TEXTS: Readonly<Record<RunStatus, string>> = { ...WORKING_TEXTS, ...FINAL_TEXTS };

/** All statuses. Any order is allowed between those that are not final. */
export const RUN_STATUSES = Object.keys(TEXTS) as RunStatus[];

/** Whether a text is a status. */
export function isRunStatus(value: unknown): value is RunStatus {
  return typeof value === 'string' && Object.hasOwn(TEXTS, value);
}

/** Returns whether a status is final. */
export function isFinal(status: RunStatus): status is FinalStatus {
  return Object.hasOwn(FINAL_TEXTS, status);
}

/** Returns the text people see for a status. Bots cannot change it. */
export function statusText(status: RunStatus): string {
  return TEXTS[status];
}

/** Sequences are 64-bit integers. */
export const MAX_SEQUENCE = 2n ** 63n - 1n;

/**
 * Returns the sequence after a change by the server (cancel, expiry): one more, up to the maximum.
 */
export function nextSequence(sequence: bigint): bigint {
  return sequence < MAX_SEQUENCE ? sequence + 1n : sequence;
}
