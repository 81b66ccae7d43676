import type { Type } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import { exampleOf } from '../answers.js';

/** A request that Tieline sends to another server. */
export interface Sent {
  /** Value of `X-Service-Event`. */
  event: string;
  /** Its name in the document. Default: {@link nameOfEvent}. */
  name?: string;
  summary: string;
  /** The class of its body. */
  payload: Type;
  /** The class of the answer; without it, only the status counts. */
  answer?: Type;
}

/** A group of receivers, and the headers of its requests. */
export interface SentTo {
  /** The tag in the document. */
  tag: string;
  /** Descriptions of the headers. */
  headers: Readonly<Record<string, string>>;
  /** What counts as success. */
  answered: string;
  sent: readonly Sent[];
}

type Sending = OpenAPIObject['paths'];

/** Returns the requests as the document describes them. */
export function sendings(groups: readonly SentTo[]): Sending {
  return Object.fromEntries(
    groups.flatMap(({ sent, ...group }) =>
      sent.map((one) => [one.event, { post: operation(one, group) }] as const),
    ),
  ) as Sending;
}

/** Returns the classes that the document needs for them. */
export const modelsOf = (groups: readonly SentTo[]): Type[] =>
  groups.flatMap(({ sent }) =>
    sent.flatMap(({ payload, answer }) => (answer ? [payload, answer] : [payload])),
  );

/** Returns the classes of the answers. */
export const answersTo = (groups: readonly SentTo[]): Type[] =>
  groups.flatMap(({ sent }) => sent.flatMap(({ answer }) => answer ?? []));

function operation(
  { event, name = nameOfEvent(event), summary, payload, answer }: Sent,
  { tag, headers, answered }: Omit<SentTo, 'sent'>,
): object {
  return {
    operationId: `on${name}`,
    summary,
    tags: [tag],
    parameters: Object.entries(headers).map(([name, description]) => ({
      ...{ name, in: 'header', required: true, description },
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: json(payload, exampleOf(payload)) },
    responses: { 200: { description: answered, ...(answer && { content: json(answer) }) } },
  };
}

const json = (type: Type, example?: object): object => ({
  'application/json': { schema: { $ref: getSchemaPath(type) }, ...(example && { example }) },
});

/** Turns `MESSAGE_CREATED` and `button.click` into MessageCreated and ButtonClick. */
export const nameOfEvent = (event: string): string =>
  event
    .toLowerCase()
    .split(/[._]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/**
 * Documents the events of a stream, by the name of its operation, with one of them as the example:
 * the value of a `data:` line.
 */
export function describeStreams(
  document: OpenAPIObject,
  streams: Readonly<Record<string, readonly Type[]>>,
): void {
  for (const { get } of Object.values(document.paths)) {
    const events = streams[get?.operationId ?? ''];
    const answer = get?.responses['200'];
    if (!events || !answer || '$ref' in answer) continue;
    const media = answer.content?.['text/event-stream'];
    if (!media) continue;
    const alternatives = events.map((event) => ({ $ref: getSchemaPath(event) }));
    media.schema = alternatives.length === 1 ? alternatives[0] : { oneOf: alternatives };
    media.example = exampleOf(events[0] as Type);
  }
}
