// How panels ask: `$__rate_interval` is Grafana's, at least four scrapes long.

const WINDOW = '[$__rate_interval]';

const selector = (name, where) => `${name}${where ? `{${where}}` : ''}`;
const sumOf = (by, inner) => `sum${by ? ` by (${by})` : ''} (${inner})`;

/**
 * How often something happens in a second, over all processes.
 * @param {string} name of a counter @param {{ by?: string, where?: string, orZero?: boolean }}
 * [how] `orZero`: what has never happened has no series
 */
export function rate(name, { by, where, orZero } = {}) {
  return `${sumOf(by, `rate(${selector(name, where)}${WINDOW})`)}${orZero ? ' or vector(0)' : ''}`;
}

/** The share of those with certain labels. */
export const ratio = (name, where) => `(${rate(name, { where, orZero: true })}) / ${rate(name)}`;

/** @param {number} q 0 to 1 @param {string} name of a histogram */
export function quantile(q, name, { by, where } = {}) {
  const labels = by ? `le, ${by}` : 'le';
  return `histogram_quantile(${q}, ${sumOf(labels, `rate(${selector(`${name}_bucket`, where)}${WINDOW})`)})`;
}

/** A metric of Node.js, of our processes alone and with their kind. */
export function processMetric(inner) {
  return {
    expr: `${inner} * on (job, instance) group_left (process) tieline_build_info`,
    legend: '{{process}} {{instance}}',
  };
}
