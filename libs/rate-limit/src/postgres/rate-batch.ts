import type { ValuesOf } from '@tieline/platform/database';
import type { CONSUME, REFUND } from './rate-limit.statements.js';
import type { RateRule } from '../rate-rule.js';

/** One call: a hit for each rule, or (`wanted` > 0) up to that many hits of the only rule. */
export interface RateCall {
  rules: readonly RateRule[];
  wanted: number;
}

interface Counter {
  rule: RateRule;
  wanted: number;
  tightest: number;
}

/**
 * Returns the parameters of `rate_consume` for a batch of calls: distinct keys in the order of
 * their UTF-16 code units. Every process locks them in this order, so that batches never deadlock.
 */
export function consumeParameters(calls: readonly RateCall[]): ValuesOf<typeof CONSUME> {
  const counters = new Map<string, Counter>();
  const ruleCounter: Counter[] = [];
  const ruleLimit: number[] = [];
  for (const { rules, wanted } of calls) {
    for (const rule of rules) {
      const counter = counterOf(counters, rule);
      counter.wanted += Math.max(wanted, 1);
      counter.tightest = Math.min(counter.tightest, rule.limit);
      ruleCounter.push(counter);
      ruleLimit.push(rule.limit);
    }
  }
  const keys = [...counters.keys()].sort();
  const position = new Map<Counter, number>();
  const sorted = keys.map((key, index) => {
    const counter = counters.get(key) as Counter;
    position.set(counter, index + 1);
    return counter;
  });
  return {
    keys,
    windows: intArray(sorted.map((counter) => counter.rule.windowMs)),
    wanted: intArray(sorted.map((counter) => counter.wanted)),
    tightest: intArray(sorted.map((counter) => counter.tightest)),
    callRules: intArray(calls.map((call) => call.rules.length)),
    callWanted: intArray(calls.map((call) => call.wanted)),
    ruleKey: intArray(ruleCounter.map((counter) => position.get(counter) as number)),
    ruleLimit: intArray(ruleLimit),
  };
}

/** A hit to refund that was counted `ageMs` ago. */
export interface RefundEntry {
  key: string;
  ageMs: number;
}

/**
 * Returns the parameters of `rate_refund`, in the same locking order as {@link consumeParameters}.
 */
export function refundParameters(entries: readonly RefundEntry[]): ValuesOf<typeof REFUND> {
  const keys = [...new Set(entries.map((entry) => entry.key))].sort();
  const position = new Map(keys.map((key, index) => [key, index + 1]));
  return {
    keys,
    entryKey: intArray(entries.map((entry) => position.get(entry.key) as number)),
    agesMs: intArray(entries.map((entry) => Math.min(Math.max(Math.floor(entry.ageMs), 0), 2_000_000_000))),
  };
}

function counterOf(counters: Map<string, Counter>, rule: RateRule): Counter {
  const known = counters.get(rule.key);
  if (known !== undefined) return known;
  const counter: Counter = { rule, wanted: 0, tightest: rule.limit };
  counters.set(rule.key, counter);
  return counter;
}

/** Returns a Postgres array literal. */
function intArray(numbers: readonly number[]): string {
  return `{${numbers.join(',')}}`;
}
