/** Nest token of the relay's observer; the observability of the worker provides it. */
export const RELAY_EVENTS = Symbol('RELAY_EVENTS');
