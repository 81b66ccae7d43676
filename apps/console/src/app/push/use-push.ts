import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useApi } from '../api/api-context.js';
import { renewPush } from './push-device.js';

/**
 * Keeps pushes coming to this browser for the person who wanted them, and goes where one of them
 * leads.
 */
export function usePush(personId: string): void {
  const client = useApi();
  const router = useRouter();
  useEffect(() => {
    // Whoever looks at their settings sees what became of it.
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
