/**
 * Milliseconds that a wait may last beyond its bound on a machine that is kept busy on purpose:
 * `npm run shake` asks whether anything is lost, doubled or stuck. How long something takes is
 * judged everywhere else, where there are none.
 */
export const slackMs = Number(process.env.TIELINE_SLACK_MS ?? 0);
