import type { Type } from '@nestjs/common';
import { Field, nameOfEvent } from '@tieline/platform/http';
import type { Sent } from '@tieline/platform/http';
import { EventEnvelope } from '../event-envelope.view.js';

/** Who can subscribe to events. */
export type Subscriber = 'bots' | 'outgoing webhooks';

/**
 * An event type. Lists of types, planners, streams, API documents and the SDK are derived from
 * these declarations.
 */
export interface EventType extends Sent {
  /** Fields of `data` that a thin payload keeps. Receivers fetch the rest. */
  ids: readonly string[];
  subscribers: readonly Subscriber[];
  /** Whether the `trigger` of a subscription applies. Other types ignore it. */
  hasTrigger?: true;
  /** Name on people's streams. Streams carry no events without one. */
  streamName?: string;
}

/** An event type with the type of its body. */
interface TypedEventType<Name extends string, Data extends object> extends EventType {
  event: Name;
  payload: Type<{ event_type: Name; data: Data }>;
}

interface Declaration<Name extends string, Data extends object> extends Omit<EventType, 'payload'> {
  event: Name;
  /** The class of `data`. */
  data: Type<Data>;
  /** Describes `data` in the API documents. */
  dataNote?: string;
  ids: readonly (keyof Data & string)[];
}

/** Declares an event type. Its body is the envelope with `data`. */
export function eventType<const Name extends string, Data extends object>({
  data: dataClass,
  dataNote,
  ...declared
}: Declaration<Name, Data>): TypedEventType<Name, Data> {
  class Body extends EventEnvelope {
    @Field({ enum: [declared.event] })
    override event_type: Name;

    @Field({ type: dataClass, description: dataNote })
    data: Data;
  }
  // The name of the schema in the API documents.
  Object.defineProperty(Body, 'name', { value: `${declared.name ?? nameOfEvent(declared.event)}Event` });
  return { ...declared, payload: Body };
}

/** Returns the names of the types that `who` can subscribe to. */
export function typesFor(who: Subscriber, types: readonly EventType[]): string[] {
  return types.filter(({ subscribers }) => subscribers.includes(who)).map(({ event }) => event);
}
