import { Field } from '@tieline/platform/http';

/* Messages of a socket, for the OpenAPI document. */

const ENVELOPE = '1795251600123000000';

class SocketHello {
  @Field({ enum: ['hello'] })
  type: 'hello';

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d71' })
  connection_id: string;
}

class SocketEnvelope {
  @Field({ enum: ['event', 'interaction', 'command', 'options'] })
  type: 'event' | 'interaction' | 'command' | 'options';

  @Field({ example: ENVELOPE, description: 'id to acknowledge' })
  envelope_id: string;

  @Field({ example: 1, description: 'number of the attempt, starting at 1' })
  attempt: number;

  @Field({
    example: { event_type: 'MESSAGE_CREATED' },
    description: 'the same object as in a push or callback',
  })
  payload: Record<string, unknown>;
}

class SocketError {
  @Field({ enum: ['error'] })
  type: 'error';

  @Field({ example: ENVELOPE })
  envelope_id: string;

  @Field({ example: 'invalid_answer' })
  code: string;

  @Field({ example: 'ephemeral_text: must be a text of 1 to 4000 characters' })
  error: string;
}

class SocketDisconnect {
  @Field({ enum: ['disconnect'] })
  type: 'disconnect';

  @Field({ enum: ['shutdown', 'mode', 'token', 'slow'], description: 'shutdown: connect again' })
  reason: string;
}

class SocketTold {
  @Field({ enum: ['told'] })
  type: 'told';

  @Field({
    example: ENVELOPE,
    description: 'the envelope that was answered with `later`: the person has received the answer',
  })
  envelope_id: string;
}

class SocketPong {
  @Field({ enum: ['pong'] })
  type: 'pong';
}

/** The acknowledgement that a bot sends. */
class SocketAcknowledgement {
  @Field({ example: ENVELOPE })
  envelope_id: string;

  @Field({ example: { ephemeral_text: 'Thanks' }, optional: true, description: 'for the waiting person' })
  answer?: Record<string, unknown>;

  @Field({
    example: true,
    optional: true,
    description: 'true: answers the person now, without acknowledging the envelope yet',
  })
  later?: boolean;
}

class SocketPing {
  @Field({ enum: ['ping'] })
  type: 'ping';
}

/** Every message of a socket, for the OpenAPI document. */
export const SOCKET_MESSAGES = {
  received: [SocketHello, SocketEnvelope, SocketError, SocketTold, SocketDisconnect, SocketPong],
  sent: [SocketAcknowledgement, SocketPing],
};
