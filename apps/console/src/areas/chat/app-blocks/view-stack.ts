import type { AppView, Submitted } from './app-api.js';

/** Modals that are open. The last one is on top. */
export type ViewStack = readonly AppView[];

/** An event of the person's stream about views. */
export type ViewEvent =
  | { event: 'view.opened'; view: AppView }
  | { event: 'view.updated'; view: AppView }
  | { event: 'view.closed'; view_id: string };

/** Returns the modals after an event. An event and the answer to a submission may tell the same. */
export function stackAfterEvent(stack: ViewStack, event: ViewEvent): ViewStack {
  if (event.event === 'view.closed') return stack.filter(({ id }) => id !== event.view_id);
  if (event.view.type !== 'modal') return stack;
  const isOpen = stack.some(({ id }) => id === event.view.id);
  if (isOpen) return stack.map((one) => (one.id === event.view.id ? event.view : one));
  return event.event === 'view.opened' ? [...stack, event.view] : stack;
}

/** Returns the modals after the answer to a submission of one of them. */
export function stackAfterSubmit(stack: ViewStack, viewId: string, { result, view }: Submitted): ViewStack {
  switch (result) {
    case 'cleared':
      return [];
    case 'closed':
      return stack.filter(({ id }) => id !== viewId);
    case 'updated':
      return view ? stack.map((one) => (one.id === viewId ? view : one)) : stack;
    case 'pushed':
      return view ? stackAfterEvent(stack, { event: 'view.opened', view }) : stack;
    default:
      return stack;
  }
}
