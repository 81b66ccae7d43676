import { closeModalAsPerson } from '@tieline/sdk/api';
import { lazyRouteComponent } from '@tanstack/react-router';
import { createContext, Suspense, use, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useLiveEvents } from '../live/live-context.js';
import { stackAfter, stackOnFailure, stackOnMessage, stackOnQueued, stackOnSubmit } from './stack.js';
import type { Answer, OpenModal } from './stack.js';

interface Modals {
  /** Shows the form in an answer, if there is one. */
  answered(answer: Answer, conversationId?: string): void;
  /** @returns a function that removes the listener */
  whenShown(listener: () => void): () => void;
}

const Context = createContext<Modals | undefined>(undefined);

/** Returns the bots' forms. */
export function useModals(): Modals {
  const modals = use(Context);
  if (!modals) throw new Error('no forms: render inside <ModalProvider>');
  return modals;
}

const ModalDialog = lazyRouteComponent(() => import('./modal-dialog.js'), 'ModalDialog');

const AS_RESULT: Readonly<Record<string, string>> = {
  'modal.open': 'open_modal',
  'modal.push': 'push_modal',
  'modal.update': 'update_modal',
  'modal.errors': 'errors',
};

/** Shows forms from answers and from the stream, stacked. */
export function ModalProvider({ children }: { children: ReactNode }) {
  const client = useApi();
  const [stack, setStack] = useState<readonly OpenModal[]>([]);
  const listeners = useRef(new Set<() => void>());
  const modals = useMemo<Modals>(
    () => ({
      answered(answer, conversationId = '') {
        setStack((open) => stackAfter(open, answer, conversationId));
        if (answer.modal) for (const listener of listeners.current) listener();
      },
      whenShown(listener) {
        listeners.current.add(listener);
        return () => void listeners.current.delete(listener);
      },
    }),
    [],
  );
  useLiveEvents((event) => {
    const result = AS_RESULT[event.event];
    if (result !== undefined && 'modal_token' in event)
      modals.answered({ ...event, result }, event.conversation_id);
    if (event.event === 'ephemeral' || event.event === 'message.new' || event.event === 'message.edited')
      setStack(stackOnMessage);
  });
  const top = stack.at(-1);
  return (
    <Context value={modals}>
      {children}
      {top && (
        <Suspense>
          <ModalDialog
            key={`${top.token} ${top.version}`}
            open={top}
            onSubmit={() => setStack((open) => stackOnSubmit(open, top.token))}
            onQueued={() => setStack((open) => stackOnQueued(open, top.token))}
            onFailure={() => setStack((open) => stackOnFailure(open, top.token))}
            onAnswer={(answer) => {
              if (['errors', 'update_modal', 'push_modal'].includes(answer.result))
                return modals.answered(answer, top.conversationId);
              setStack((open) => open.filter(({ token }) => token !== top.token));
            }}
            onClose={() => {
              setStack((open) => open.filter(({ token }) => token !== top.token));
              // A form that was used up or has expired counts as closed.
              void closeModalAsPerson({ client, path: { modal_token: top.token } }).catch(() => undefined);
            }}
          />
        </Suspense>
      )}
    </Context>
  );
}
