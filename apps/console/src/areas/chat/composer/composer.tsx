import { invokeCommandAsPerson, listCommandsAsPerson } from '@tieline/sdk/api';
import type { ConversationView } from '@tieline/sdk/api';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useApi } from '../../../app/api/api-context.js';
import { useWords } from '../../../app/words/use-words.js';
import { failureText } from '../../../ui/page/failure-text.js';
import { uiWords } from '../../../ui/words.js';
import {
  commandName,
  completed,
  isCommand,
  missingOptions,
  sameCommand,
  typingAt,
} from '../command/command-line.js';
import { Send, Slash } from '../../../ui/icons.js';
import { useRoom } from '../live/rooms-context.js';
import { useModals } from '../modal/modal-provider.js';
import { useNames } from '../names.js';
import { AttachButton } from './attach-button.js';
import { ChosenFiles } from './chosen-files.js';
import styles from './composer.module.css';
import { Suggestions } from './suggestions.js';
import { useSuggestions } from './use-suggestions.js';
import { useDropped, useUploads } from './use-uploads.js';
import type { Suggestion } from './use-suggestions.js';
import { MOST_FILES } from './uploads.js';
import type { ChosenFile } from './uploads.js';
import { composerWords } from './words.js';

/**
 * The message input: Markdown, files, `/` for commands and `@` for people. Enter sends, Shift+Enter
 * inserts a line break.
 */
export function Composer({ conversation, rootId }: { conversation: ConversationView; rootId?: string }) {
  const words = useWords(composerWords);
  const general = useWords(uiWords);
  const names = useNames();
  const room = useRoom(conversation.id, rootId);
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const [text, setText] = useState('');
  const [cursor, setCursor] = useState(0);
  const [active, setActive] = useState(0);
  const [hidden, setHidden] = useState<string>();
  const [notice, setNotice] = useState('');
  const commands = useCommands();
  const all = commands.data?.commands ?? [];
  const typing = typingAt(text, cursor, all);
  const suggestions = useSuggestions(conversation.id, typing, all, commandName(text));
  const shown = hidden === text ? [] : suggestions;
  const at = Math.min(active, shown.length - 1);
  // Set before the next key press. A later frame would move the cursor while the user types.
  const caret = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    grow(field.current);
    if (caret.current !== undefined) field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text]);

  const { frame, uploads, files, addFiles, isOver } = useFiles(conversation.id, field, setNotice);

  const invoke = useInvocation(conversation.id, rootId, (failure, line) => {
    setText((now) => (now === '' ? line : now));
    setNotice(failureText(failure, general));
  });

  const write = (next: string, place: number) => {
    setText(next);
    setCursor(place);
    setActive(0);
    setNotice('');
    caret.current = place;
  };
  const choose = (suggestion: Suggestion) => {
    if (!typing) return;
    const done = completed(text, cursor, typing, suggestion.value);
    write(done.text, done.cursor);
    field.current?.focus();
  };
  const begin = () => (write('/', 1), field.current?.focus());
  const send = () => {
    const line = text.trim();
    if (line === '' && files.length === 0) return;
    const isGiven = isCommand(text);
    const command = isGiven ? all.find(({ name }) => sameCommand(name, commandName(line))) : undefined;
    if (isGiven && !command && commands.isSuccess) return setNotice(words.noCommand(commandName(line)));
    const missing = missingOptions(line, command?.options);
    if (missing.length > 0) return setNotice(words.missing(missing.join(', ')));
    if (isGiven && files.length > 0) return setNotice(words.noFilesWithCommand);
    const ready = uploads.take();
    if (!ready) return setNotice(files.some(isFailed) ? words.someFailed : words.stillUploading);
    write('', 0);
    if (isGiven) invoke.mutate(line);
    else void room.send({ text: line, files: ready });
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const isTaken = takeKey(
      event,
      { shown, at, typed: typing?.typed },
      { move: setActive, choose, hide: () => setHidden(text) },
    );
    if (isTaken) event.preventDefault();
    else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send();
    }
  };
  const label = rootId === undefined ? words.message(names.conversation(conversation)) : words.replyLabel;
  return (
    <div ref={frame} className={styles.composer}>
      {shown.length > 0 && (
        <Suggestions
          id={listId}
          suggestions={shown}
          active={at}
          onChoose={choose}
          label={words.suggestions}
        />
      )}
      <Notice text={notice} />
      <ChosenFiles files={files} uploads={uploads} />
      {isOver && <p className={styles.drop}>{words.drop}</p>}
      <div className={styles.box} data-over={isOver ? '' : undefined}>
        <AttachButton onFiles={addFiles} />
        <CommandButton onPress={begin} />
        <textarea
          ref={field}
          rows={1}
          className={styles.text}
          value={text}
          role="combobox"
          aria-expanded={shown.length > 0}
          aria-controls={shown.length > 0 ? listId : undefined}
          aria-activedescendant={shown.length > 0 ? `${listId}-${at}` : undefined}
          aria-autocomplete="list"
          aria-label={label}
          placeholder={label}
          onChange={(event) => {
            setText(event.target.value);
            setCursor(event.target.selectionStart);
            setActive(0);
            setNotice('');
          }}
          onSelect={(event) => setCursor(event.currentTarget.selectionStart)}
          onKeyDown={press}
          onPaste={(event) => takePasted(event, addFiles)}
        />
        <SendButton
          isDisabled={text.trim() === '' && files.length === 0}
          isPending={invoke.isPending}
          onPress={send}
        />
      </div>
    </div>
  );
}

function Notice({ text }: { text: string }) {
  return text === '' ? null : (
    <p className={styles.notice} role="alert">
      {text}
    </p>
  );
}

function CommandButton({ onPress }: { onPress: () => void }) {
  const words = useWords(composerWords);
  return (
    <AriaButton className={styles.tool} aria-label={words.command} onPress={onPress}>
      <Slash size={18} />
    </AriaButton>
  );
}

interface SendButtonProps {
  isDisabled: boolean;
  isPending: boolean;
  onPress: () => void;
}

function SendButton(props: SendButtonProps) {
  const words = useWords(composerWords);
  return (
    <AriaButton className={styles.send} aria-label={words.send} {...props}>
      <Send size={18} />
    </AriaButton>
  );
}

/** State of the files for the next message. */
function useFiles(
  conversationId: string,
  field: RefObject<HTMLTextAreaElement | null>,
  say: (notice: string) => void,
) {
  const words = useWords(composerWords);
  const { uploads, files } = useUploads(conversationId);
  const frame = useRef<HTMLDivElement>(null);
  const addFiles = useCallback(
    (some: readonly File[]) => {
      say(uploads.add(some) ? '' : words.tooManyFiles(MOST_FILES));
      field.current?.focus();
    },
    [uploads, words, say, field],
  );
  return { frame, uploads, files, addFiles, isOver: useDropped(frame, addFiles) };
}

/**
 * Takes files from the clipboard. Office programs add an image of copied text; the text is used
 * then.
 */
function takePasted(event: ClipboardEvent, addFiles: (files: readonly File[]) => void): void {
  const pasted = [...event.clipboardData.files];
  if (pasted.length === 0 || event.clipboardData.types.includes('text/plain')) return;
  event.preventDefault();
  addFiles(pasted);
}

const isFailed = ({ failure }: ChosenFile): boolean => failure !== undefined;

/** Returns the available commands. */
function useCommands() {
  const client = useApi();
  return useQuery({
    queryKey: ['chat', 'commands'],
    queryFn: () => listCommandsAsPerson({ client }),
    staleTime: 60_000,
  });
}

/** Runs a command and shows the ephemeral answer. */
function useInvocation(
  conversationId: string,
  rootId: string | undefined,
  failed: (failure: unknown, line: string) => void,
) {
  const client = useApi();
  const room = useRoom(conversationId, rootId);
  const modals = useModals();
  return useMutation({
    mutationFn: (line: string) =>
      invokeCommandAsPerson({
        client,
        path: { id: conversationId },
        body: { text: line, ...(rootId !== undefined && { thread_id: rootId }) },
      }),
    onSuccess: (answer) => {
      if ((answer.result === 'ephemeral' || answer.result === 'ack') && answer.text)
        room.whisper({
          text: answer.text,
          messageId: answer.message_id,
          metadata: answer.metadata_json,
        });
      modals.answered(answer, conversationId);
      void room.catchUp();
    },
    onError: failed,
  });
}

/** Handles keys that select suggestions. Returns whether the key was handled. */
function takeKey(
  event: KeyboardEvent,
  { shown, at, typed }: { shown: readonly Suggestion[]; at: number; typed: string | undefined },
  act: { move: (to: number) => void; choose: (suggestion: Suggestion) => void; hide: () => void },
): boolean {
  const chosen = shown[at];
  if (!chosen) return false;
  if (event.key === 'ArrowDown') act.move((at + 1) % shown.length);
  else if (event.key === 'ArrowUp') act.move((at + shown.length - 1) % shown.length);
  else if (event.key === 'Escape') act.hide();
  else if (event.shiftKey) return false;
  else if (event.key === 'Tab' || (event.key === 'Enter' && !isWhole(typed, chosen))) act.choose(chosen);
  else return false;
  return true;
}

/** Whether nothing is left to complete, so that Enter sends. */
const isWhole = (typed: string | undefined, { value }: Suggestion = { value: '', label: '' }): boolean =>
  typed !== undefined && typed !== '' && typed.replace(/^\//, '') === value.replace(/^\//, '');

/** Adjusts the height to the text, up to a third of the screen. */
function grow(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  field.style.height = 'auto';
  field.style.height = `${Math.min(field.scrollHeight, window.innerHeight / 3)}px`;
}
