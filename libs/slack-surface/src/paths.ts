/** The base address of Slack's clients, below PUBLIC_URL. */
export const SLACK_PATH = '/slack/';
/** The Web API; a method follows. */
export const WEB_API_PATH = 'slack/api';
/** Sockets of apps, opened with a ticket in the query. */
export const SOCKET_PATH = 'slack/socket';
/** Name of the ticket in the query. */
export const TICKET = 'ticket';
/** Later answers; the space and a token follow. */
export const RESPONSES_PATH = 'slack/responses';
/** Starts the installation of an app. */
export const SLACK_AUTHORIZE_PATH = 'slack/oauth/v2/authorize';
/** Uploads of files; a token follows. */
export const UPLOADS_PATH = 'slack/uploads';
