import { Field } from '@tieline/platform/http';

/* What goes over a socket (decisions, section 11.7), as the document says it. */

const ENVELOPE = '1795251600123000000';

export class SocketHello {
  @Field({ enum: ['hello'] })
  type: 'hello';

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d71' })
  connection_id: string;
}

export class SocketEnvelope {
  @Field({ enum: ['event', 'interaction', 'command', 'options'] })
  type: 'event' | 'interaction' | 'command' | 'options';

  @Field({ example: ENVELOPE, description: 'what the acknowledgement names' })
  envelope_id: string;

  @Field({ example: 1, description: 'grows when it is sent again' })
  attempt: number;

  @Field({
    example: { event_type: 'MESSAGE_CREATED' },
    description: 'as a push or a callback would bring it',
  })
  payload: Record<string, unknown>;
}

export class SocketError {
  @Field({ enum: ['error'] })
  type: 'error';

  @Field({ example: ENVELOPE })
  envelope_id: string;

  @Field({ example: 'invalid_answer' })
  code: string;

  @Field({ example: 'ephemeral_text: must be a text of 1 to 4000 characters' })
  error: string;
}

export class SocketDisconnect {
  @Field({ enum: ['disconnect'] })
  type: 'disconnect';

  @Field({ enum: ['shutdown', 'mode', 'token', 'slow'], description: 'shutdown: connect again' })
  reason: string;
}

export class SocketTold {
  @Field({ enum: ['told'] })
  type: 'told';

  @Field({ example: ENVELOPE, description: 'of which `later` was said: the person has the answer' })
  envelope_id: string;
}

export class SocketPong {
  @Field({ enum: ['pong'] })
  type: 'pong';
}

/** What a bot sends. */
export class SocketAcknowledgement {
  @Field({ example: ENVELOPE })
  envelope_id: string;

  @Field({ example: { ephemeral_text: 'Thanks' }, optional: true, description: 'to the person who waits' })
  answer?: Record<string, unknown>;

  @Field({
    example: true,
    optional: true,
    description: 'no acknowledgement yet: the person is answered, and the work goes on',
  })
  later?: boolean;
}

export class SocketPing {
  @Field({ enum: ['ping'] })
  type: 'ping';
}

/** Every message of a socket, for the document. */
export const SOCKET_MESSAGES = {
  received: [SocketHello, SocketEnvelope, SocketError, SocketTold, SocketDisconnect, SocketPong],
  sent: [SocketAcknowledgement, SocketPing],
};
