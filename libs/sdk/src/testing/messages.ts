/** A button, select or other element of a message, as clients receive it. */
export interface Element {
  readonly type: string;
  readonly action_id?: string;
  readonly signed_token?: string;
  readonly text?: unknown;
  readonly options?: readonly { readonly label: string; readonly value: string }[];
  readonly [field: string]: unknown;
}

/** A message as members of its conversation see it. */
export interface SeenMessage {
  readonly id: string;
  readonly conversation_id: string;
  readonly author_id: string;
  readonly author_type: 'user' | 'bot' | 'webhook' | 'system' | (string & {});
  readonly text: string;
  readonly metadata_json?: string;
  readonly edited_at?: string | null;
  readonly deleted_at?: string | null;
  readonly msg_index: number;
  readonly sent_at: string;
  readonly [field: string]: unknown;
}

/** Returns the interactive elements of a message, in the order of its blocks. */
export function elementsOf({ metadata_json: json }: { readonly metadata_json?: unknown }): Element[] {
  if (typeof json !== 'string' || json === '') return [];
  const { blocks } = JSON.parse(json) as { blocks?: { elements?: Element[]; accessory?: Element }[] };
  return (blocks ?? []).flatMap(({ elements }) => elements ?? []);
}

/** Returns the newest message with the element, if there is one. */
export function newestWith(
  messages: readonly SeenMessage[],
  actionId: string,
): { message: SeenMessage; element: Element } | undefined {
  const found = messages
    .map((message) => ({ message, element: elementsOf(message).find((one) => one.action_id === actionId) }))
    .findLast(({ element }) => element !== undefined);
  return found && { message: found.message, element: found.element as Element };
}
