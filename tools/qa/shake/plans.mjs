/** Query plans that PostgreSQL would not choose by itself. */
import pg from 'pg';
import { withClient } from '../sql.mjs';

/** Settings of the role that tests connect as, in turns. */
export const PLANS = [
  {},
  { enable_hashjoin: 'off', enable_mergejoin: 'off', enable_material: 'off' },
  { enable_indexscan: 'off', enable_indexonlyscan: 'off', enable_bitmapscan: 'off' },
  { enable_seqscan: 'off', enable_nestloop: 'off', random_page_cost: '0.1' },
  { plan_cache_mode: 'force_generic_plan', enable_sort: 'off' },
];

const LOOKS_AT_PLANS = /\bEXPLAIN\b|\bdescribePlans\b|\bplanProblems\b/;

/**
 * Tests that look at plans themselves see the first settings only.
 * @param {number} round from 0
 * @param {string} text of the test file
 */
export function runsIn(round, text) {
  return round % PLANS.length === 0 || !LOOKS_AT_PLANS.test(text);
}

/** Sets the planner settings of new sessions. @param {string} url @param {object} settings */
export function planWith(url, settings) {
  return withClient(url, async (client) => {
    await client.query('ALTER ROLE CURRENT_USER RESET ALL');
    for (const [name, value] of Object.entries(settings))
      await client.query(`ALTER ROLE CURRENT_USER SET ${name} = ${pg.escapeLiteral(value)}`);
  });
}
