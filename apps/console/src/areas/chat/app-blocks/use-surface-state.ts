import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useToast } from '../../../ui/overlays/toast.js';
import type { Fields } from '../blocks/metadata.js';
import type { ActionBody } from './app-api.js';
import { sentState, sentValue, stateOf, withValue } from './state.js';
import type { Place, State } from './state.js';
import type { Suggestions, Surface } from './surface.js';

interface Connection {
  id: string;
  blocks: readonly Fields[];
  isOff?: boolean;
  errors?: Readonly<Record<string, string>>;
  /** Values that the server has. Those entered here win. */
  stored?: State;
  /** The current conversation in Slack's spelling. */
  conversation?: string | undefined;
  send: (body: ActionBody) => Promise<unknown>;
  suggest: (body: { block_id: string; action_id: string; query: string }) => Promise<Suggestions>;
  fileConversation: () => Promise<string>;
}

const NOTHING = {};

/** Keeps the values of elements and sends actions. Shows a failed action as a toast. */
export function useSurfaceState(connection: Connection): Surface {
  const { id, blocks, isOff = false, errors = NOTHING, stored, conversation } = connection;
  const toast = useToast();
  const [entered, setEntered] = useState<State>({});
  const state = useMemo(
    () => stateOf(blocks, { ...stored, ...entered }, conversation),
    [blocks, stored, entered, conversation],
  );
  const action = useMutation({
    mutationFn: ({ place, value }: { place: Place; value: Fields }) =>
      connection.send({
        block_id: place.blockId,
        action_id: place.actionId,
        value: sentValue(value),
        // The value of this element is in no state that was rendered yet.
        state: sentState(state[place.blockId]?.[place.actionId] ? withValue(state, place, value) : state),
      }),
    onError: (failure) => toast({ kind: 'bad', failure }),
  });
  return {
    id,
    state,
    errors,
    isOff,
    pending: action.isPending ? action.variables.place : undefined,
    change: (place, value) =>
      setEntered((before) => {
        const known = { ...state, ...before };
        return { ...before, [place.blockId]: { ...known[place.blockId], [place.actionId]: value } };
      }),
    act: (place, value, onDone) => action.mutate({ place, value }, { onSuccess: () => onDone?.() }),
    suggest: (place, query) =>
      connection.suggest({ block_id: place.blockId, action_id: place.actionId, query }),
    fileConversation: connection.fileConversation,
  };
}
