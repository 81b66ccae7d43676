import type { Tx } from '@tieline/platform/database';
import { OverBudget } from './fairness/planning-budget.js';

/**
 * An event that can't be planned: planner code threw on what it says, or the database refused what
 * follows from it. Trying again would fail again. Anything else (the connection, the server, a
 * lock) says nothing about the event.
 */
export class Unplannable extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/**
 * SQLSTATE: data exception, integrity constraint violation, syntax error or access rule violation.
 */
const ABOUT_THE_EVENT = /^(22|23|42)[0-9A-Z]{3}$/;
const SQLSTATE = /^[0-9A-Z]{5}$/;
/**
 * System calls (EPIPE, ETIMEDOUT) and name lookups (EAI_AGAIN); Node's own ERR_… are faults of
 * code.
 */
const OF_THE_SYSTEM = /^E(?!RR_)[A-Z]+(_[A-Z]+)?$/;

/**
 * Runs the subscribers' planning and tells the event's faults from passing ones.
 * @throws Unplannable, or the passing fault as it was
 */
export async function planningIn(tx: Tx, plan: () => Promise<void>): Promise<void> {
  try {
    await plan();
  } catch (error) {
    if (error instanceof OverBudget) throw error;
    const code = (error as { code?: unknown }).code;
    if (typeof code === 'string' && OF_THE_SYSTEM.test(code)) throw error;
    if (typeof code === 'string' && SQLSTATE.test(code))
      throw ABOUT_THE_EVENT.test(code) ? new Unplannable(error) : error;
    // The driver has no code for a lost connection or its own timeout: the connection itself is
    // asked.
    throw (await isAlive(tx)) ? new Unplannable(error) : error;
  }
}

/** A connection that works says so, or that its transaction has failed already. */
async function isAlive(tx: Tx): Promise<boolean> {
  const probe = await tx.query('SELECT 1').catch((error: { code?: string }) => error.code);
  return Array.isArray(probe) || probe === '25P02';
}
