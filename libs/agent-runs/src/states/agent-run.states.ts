/** Statuses of a run that works, each with the text that people are shown (contract, States). */
const WORKING_TEXTS = {
  accepted: 'Запрос принят',
  queued: 'В очереди',
  gathering_context: 'Ищу контекст',
  using_tool: 'Использую инструмент',
  waiting_tool: 'Жду ответ инструмента',
  waiting_user: 'Жду ответа пользователя',
  finalizing: 'Готовлю финальный ответ',
} as const;

/** The same of a run that has ended. */
const FINAL_TEXTS = {
  completed: 'Готово',
  failed: 'Не удалось выполнить',
  cancelled: 'Остановлено',
  expired: 'Остановлено по тайм-ауту',
} as const;

export type FinalStatus = keyof typeof FINAL_TEXTS;
export type RunStatus = keyof typeof WORKING_TEXTS | FinalStatus;

const TEXTS: Readonly<Record<RunStatus, string>> = { ...WORKING_TEXTS, ...FINAL_TEXTS };

/** Every status of a run. Between those that are not final any order is allowed. */
export const RUN_STATUSES = Object.keys(TEXTS) as RunStatus[];

/** Whether a text is the name of a status. */
export function isRunStatus(value: unknown): value is RunStatus {
  return typeof value === 'string' && Object.hasOwn(TEXTS, value);
}

/** Whether a status is final. */
export function isFinal(status: RunStatus): status is FinalStatus {
  return Object.hasOwn(FINAL_TEXTS, status);
}

/** The text that people see for a status; bots can't change it. */
export function statusText(status: RunStatus): string {
  return TEXTS[status];
}

/** Sequences are 64-bit integers. */
export const MAX_SEQUENCE = 2n ** 63n - 1n;

/**
 * What the server's own changes (cancel, expiry) make of a sequence: one more, as long as there is
 * more.
 */
export function nextSequence(sequence: bigint): bigint {
  return sequence < MAX_SEQUENCE ? sequence + 1n : sequence;
}
