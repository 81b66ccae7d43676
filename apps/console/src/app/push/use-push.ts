import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useApi } from '../../api/api-context.js';
import { renewPush } from './push-device.js';

/** Keeps push notifications active for the person, and opens the page of a clicked notification. */
export function usePush(personId: string): void {
  const client = useApi();
  const router = useRouter();
  useEffect(() => {
    // The settings show the resulting state.
    void renewPush(client, personId).catch(() => undefined);
  }, [client, personId]);
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    const go = ({ data }: MessageEvent<{ goTo?: unknown }>) => {
      const address = data?.goTo;
      if (typeof address === 'string' && address.startsWith('/')) void router.navigate({ href: address });
    };
    navigator.serviceWorker.addEventListener('message', go);
    return () => navigator.serviceWorker.removeEventListener('message', go);
  }, [router]);
}
