import { requestFor } from './resource-kinds.js';

const [A, B] = ['0198f3a2-7c1b-7000-8000-00000000ffff', '0198f3a2-7c1b-7000-8000-00000000fffe'];

test.each([
  [`tieline://conversations/${A}`, `/api/v1/bot/conversations/${A}`, undefined],
  [`tieline://conversations/${A}/messages`, `/api/v1/channels/${A}/messages`, undefined],
  [`tieline://messages/${A}`, `/api/v1/bot/messages/${A}`, undefined],
  [`tieline://conversations/${A}/files/${B}`, `/api/v1/bot/files/${B}/download_url`, { conversation_id: A }],
])('%s is an endpoint', (uri, path, query) => {
  expect(requestFor(uri, 'bot')).toEqual({ method: 'GET', path, ...(query && { query }) });
  expect(requestFor(uri, 'user')?.path).toBe(path.replace('/bot/', '/client/'));
});

test.each([
  'tieline://messages/me',
  'tieline://messages/..',
  `tieline://messages/${A}/`,
  `tieline://messages/${A}?x=1`,
  `TIELINE://messages/${A}`,
  `xtieline://messages/${A}`,
  'file:///etc/passwd',
  '',
])('%s is no resource', (uri) => {
  expect(requestFor(uri, 'bot')).toBeUndefined();
});
