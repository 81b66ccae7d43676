import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Confirm } from './confirm.js';
import { useToast } from './toast.js';

interface RemovalProps {
  /** A question that names the object: “Delete the bot deploy?” */
  title: string;
  /** What is destroyed and what is kept. */
  children: ReactNode;
  /** A verb with its object: “Delete bot”. */
  action: string;
  remove: () => Promise<unknown>;
  /** Confirmation shown after the deletion. */
  done: string;
  /** Called afterwards: leaves the page and reloads lists. */
  onRemoved: () => unknown;
  onClose: () => void;
}

/** Asks for confirmation, deletes, and confirms. Errors are shown in the dialog. */
export function Removal({ title, children, action, remove, done, onRemoved, onClose }: RemovalProps) {
  const toast = useToast();
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      toast({ kind: 'good', text: done });
      await onRemoved();
    },
  });
  return (
    <Confirm
      isOpen
      title={title}
      action={action}
      onClose={onClose}
      onConfirm={() => removal.mutate()}
      isPending={removal.isPending}
      error={removal.error}
    >
      {children}
    </Confirm>
  );
}
