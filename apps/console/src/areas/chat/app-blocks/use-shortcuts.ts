import { useMutation, useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { listShortcuts, runShortcut } from './app-api.js';
import type { Shortcut } from './app-api.js';

/** Returns the shortcuts of bots that the person can use. */
export function useShortcuts(type: Shortcut['type']): readonly Shortcut[] {
  const client = useApi();
  const { data } = useQuery({
    queryKey: ['chat', 'shortcuts'],
    queryFn: () => listShortcuts(client),
    staleTime: 60_000,
    retry: false,
  });
  return (data?.shortcuts ?? []).filter((one) => one.type === type);
}

/** Runs a shortcut. The app's modals and messages arrive through the stream. */
export function useRunShortcut() {
  const client = useApi();
  const toast = useToast();
  const run = useMutation({
    mutationFn: ({ id, ...body }: { id: string; message_id?: string }) => runShortcut(client, id, body),
    onError: (failure) => toast({ kind: 'bad', failure }),
  });
  return run.mutate;
}
