import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Confirm } from './confirm.js';
import { useToast } from './toast.js';

interface RemovalProps {
  /** A question that names the object: “Delete the bot deploy?” */
  title: string;
  /** What is destroyed with it, and what is kept. */
  children: ReactNode;
  /** A verb with its object: “Delete bot”. */
  action: string;
  remove: () => Promise<unknown>;
  /** What is said once it is gone. */
  done: string;
  /** What follows: leaving its page, reading lists anew. */
  onRemoved: () => unknown;
  onClose: () => void;
}

/** Asks, removes, and says so; what goes wrong stands in the question. */
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
