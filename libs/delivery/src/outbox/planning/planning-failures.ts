import type { Tx } from '@tieline/platform/database';
import { OverBudget } from '../fairness/planning-budget.js';

/**
 * An event that can't be planned: the planner threw an error about its content, or the database
 * rejected the rows. Retrying would fail again. Other errors (connection, server, locks) do not
 * concern the event.
 */
export class Unplannable extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** SQLSTATE classes of data exceptions, integrity violations, and syntax or access errors. */
const ABOUT_THE_EVENT = /^(22|23|42)[0-9A-Z]{3}$/;
const SQLSTATE = /^[0-9A-Z]{5}$/;
/**
 * Errors of system calls (EPIPE, ETIMEDOUT) and name lookups (EAI_AGAIN). Node's ERR_… codes are
 * programming errors.
 */
const OF_THE_SYSTEM = /^E(?!RR_)[A-Z]+(_[A-Z]+)?$/;

/**
 * Runs the subscribers' planning and separates errors about an event from transient ones.
 * @throws Unplannable, or the transient error unchanged
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
    // The driver sets no code for lost connections and its own timeouts, so check the connection.
    throw (await isAlive(tx)) ? new Unplannable(error) : error;
  }
}

/** Returns whether the connection works. A failed transaction counts as working. */
async function isAlive(tx: Tx): Promise<boolean> {
  const probe = await tx.query('SELECT 1').catch((error: { code?: string }) => error.code);
  return Array.isArray(probe) || probe === '25P02';
}
