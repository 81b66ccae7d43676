import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useLiveEvents } from '../live/live-context.js';
import { closeView } from './app-api.js';
import { stackAfterEvent, stackAfterSubmit } from './view-stack.js';
import type { ViewEvent, ViewStack } from './view-stack.js';

const ViewDialog = lazyRouteComponent(() => import('./view-dialog.js'), 'ViewDialog');

/** Shows modals of apps, which arrive through the stream. Closing one shows the one below it. */
export function Views() {
  const client = useApi();
  const [stack, setStack] = useState<ViewStack>([]);
  useLiveEvents((event) => {
    const { event: name } = event as { event: string };
    if (name.startsWith('view.')) setStack((open) => stackAfterEvent(open, event as unknown as ViewEvent));
  });
  const top = stack.at(-1);
  if (!top) return null;
  return (
    <Suspense>
      <ViewDialog
        key={top.id}
        view={top}
        onAnswer={(answer) => setStack((open) => stackAfterSubmit(open, top.id, answer))}
        onClose={(isCleared) => {
          setStack((open) => (isCleared ? [] : open.slice(0, -1)));
          // A view that the app has already closed counts as closed.
          void closeView(client, top.id, isCleared).catch(() => undefined);
        }}
      />
    </Suspense>
  );
}
