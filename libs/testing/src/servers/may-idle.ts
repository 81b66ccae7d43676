/**
 * Removes the time limit of an idle transaction, for a test that holds locks while it waits for
 * other sessions: a busy machine may take longer than the six seconds of the product.
 */
export async function mayIdle(tx: { query(sql: string): Promise<unknown> }): Promise<void> {
  await tx.query('SET LOCAL idle_in_transaction_session_timeout = 0');
}
