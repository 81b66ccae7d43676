import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useWords } from '../../language/use-words.js';
import { Button } from '../actions/button.js';
import { SecretOnce } from '../data/secret.js';
import { Form, FormActions } from '../forms/form.js';
import { Select } from '../forms/select.js';
import { uiWords } from '../words.js';
import { Dialog } from './dialog.js';

const HOURS = ['24', '1', '168', '0'] as const;

interface RotateSecretProps {
  /** Title with the name of the owner. */
  title: string;
  /** Explains the overlap. */
  children: ReactNode;
  /** Name of the secret. Default: signing secret. */
  secretName?: string;
  /** @returns the new secret */
  rotate: (overlapSeconds: number) => Promise<string>;
  /** Query reloaded afterwards. */
  queryKey: readonly string[];
  onClose: () => void;
}

/** Dialog that rotates a secret, with an optional overlap. */
export function RotateSecret({ title, children, secretName, rotate, queryKey, onClose }: RotateSecretProps) {
  const words = useWords(uiWords);
  const queries = useQueryClient();
  const [hours, setHours] = useState<(typeof HOURS)[number]>('24');
  const made = useMutation({
    mutationFn: () => rotate(Number(hours) * 3600),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    gcTime: 0,
  });
  return (
    <Dialog isOpen title={title} onClose={onClose} isKept={!!made.data}>
      {made.data ? (
        <>
          <SecretOnce name={secretName ?? words.newSecret} value={made.data} />
          <FormActions>
            <Button kind="primary" onPress={onClose}>
              {words.done}
            </Button>
          </FormActions>
        </>
      ) : (
        <Form onSubmit={() => made.mutate()} error={made.error}>
          <p>{children}</p>
          <Select
            label={words.overlap}
            name="overlap_seconds"
            value={hours}
            options={HOURS.map((id) => ({ id, label: words[`overlap${id}`] }))}
            onChange={setHours}
          />
          <FormActions>
            <Button onPress={onClose}>{words.cancel}</Button>
            <Button type="submit" kind={hours === '0' ? 'danger' : 'primary'} isPending={made.isPending}>
              {words.makeSecret}
            </Button>
          </FormActions>
        </Form>
      )}
    </Dialog>
  );
}
