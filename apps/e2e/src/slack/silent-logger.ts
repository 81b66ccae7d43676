/** A logger of Slack's libraries. They report refusals and late answers, which tests provoke. */
export const SILENT = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => 'error',
  setName() {},
};
