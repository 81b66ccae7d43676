import type { KeyboardEvent } from 'react';

/** Marks elements that the arrow keys reach. */
export const resultProps = { 'data-result': '' } as const;

/** Moves the focus among the search box and the results with the arrow keys. */
export function moveAmongResults(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const focused = event.target as HTMLElement;
  if (step === undefined || !focused.matches('input[type=search], [data-result] *')) return;
  const stops = [
    ...event.currentTarget.querySelectorAll<HTMLElement>(
      'input[type=search], [data-result] > :is(a, button)',
    ),
  ];
  const next = stops[stops.indexOf(focused) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
