/** The base address of Slack's clients, below PUBLIC_URL. */
export const SLACK_PATH = '/slack/';
/** The Web API; a method follows. */
export const WEB_API_PATH = 'slack/api';
