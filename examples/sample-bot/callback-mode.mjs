/** Tieline POSTs what people do, and the answer to the request is the answer to the person. It has 3 seconds. */
import { createServer } from 'node:http';
import { answerEvent, answerInvocation, answerTyping, isTyping } from './answers.mjs';
import { isGenuine } from './signature.mjs';

/** Clicks and each command are signed with secrets of their own. */
export function serveCallbacks({ port, clicksSecret, commandSecret, planSecret }) {
  if (!clicksSecret || !commandSecret || !planSecret)
    throw new Error('CLICKS_SECRET, COMMAND_SECRET and PLAN_SECRET are needed');
  const doors = new Map([
    ['/clicks', { secret: clicksSecret, answer: answerClick }],
    ['/commands', { secret: commandSecret, answer: answerInvocation }],
    ['/plans', { secret: planSecret, answer: answerOfPlan }],
  ]);
  const server = createServer((request, response) => {
    receive(doors.get(request.url), request, response).catch((error) => {
      console.error(error);
      response.writeHead(500).end();
    });
  });
  server.listen(port, () => console.log(`ready: called back at port ${server.address().port}`));
}

async function receive(door, request, response) {
  const body = Buffer.concat(await request.toArray());
  if (!door || !isGenuine(door.secret, request.headers, body)) return response.writeHead(401).end();
  const answer = await door.answer(JSON.parse(body.toString('utf8')));
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer && JSON.stringify(answer));
}

const answerClick = (event) =>
  isTyping(event) ? answerTyping(event) : answerEvent(event, { canChainModals: false });

const answerOfPlan = (asked) => (isTyping(asked) ? answerTyping(asked) : answerInvocation(asked));
