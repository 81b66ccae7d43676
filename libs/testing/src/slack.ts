/**
 * Milliseconds that waits may exceed their bounds on a machine that is kept busy on purpose. `npm
 * run shake` checks whether anything is lost, duplicated or stuck. Otherwise it is 0, so that
 * durations are tested.
 */
export const slackMs = Number(process.env.TIELINE_SLACK_MS ?? 0);
