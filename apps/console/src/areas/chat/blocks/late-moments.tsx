import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { ComponentProps } from 'react';
import type { ClockField as Clock, DateField as Day } from '../../../ui/forms/date-field.js';
import { Loading } from '../../../ui/page/loading.js';

const LateDay = lazyRouteComponent(() => import('../../../ui/forms/date-field.js'), 'DateField');
const LateClock = lazyRouteComponent(() => import('../../../ui/forms/date-field.js'), 'ClockField');

/** A date field. Calendars are large and rare, so they are loaded on first use. */
export const DateField = (props: ComponentProps<typeof Day>) => (
  <Suspense fallback={<Loading />}>
    <LateDay {...props} />
  </Suspense>
);

/** A time field, loaded on first use. */
export const ClockField = (props: ComponentProps<typeof Clock>) => (
  <Suspense fallback={<Loading />}>
    <LateClock {...props} />
  </Suspense>
);
