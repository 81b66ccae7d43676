import { invokeCommandAsPerson, listCommandsAsPerson } from '@tieline/sdk/api';
import type { ConversationView } from '@tieline/sdk/api';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useId, useRef, useState } from 'react';
import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Send, Slash } from '../../../ui/icons.js';
import { failureText } from '../../../ui/page/failure-text.js';
import { uiWords } from '../../../ui/words.js';
import { ShortcutsButton } from '../app-blocks/shortcuts-button.js';
import { commandName, isCommand, missingOptions, sameCommand } from '../command/command-line.js';
import { useRoom } from '../live/rooms-context.js';
import { useModals } from '../modal/modal-provider.js';
import { useNames } from '../names.js';
import { AttachButton } from './attach-button.js';
import { ChosenFiles } from './chosen-files.js';
import styles from './composer.module.css';
import { Prompts } from './prompts.js';
import { Suggestions } from './suggestions.js';
import { MOST_FILES } from './uploads.js';
import type { ChosenFile } from './uploads.js';
import { useComposerText } from './use-composer-text.js';
import { useDropped, useUploads } from './use-uploads.js';
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
  const listId = useId();
  const [notice, setNotice] = useState('');
  const commands = useCommands();
  const all = commands.data?.commands ?? [];
  const input = useComposerText(conversation.id, rootId, all, () => setNotice(''));
  const { field, text, shown, at, write } = input;
  const { frame, uploads, files, addFiles, isOver } = useFiles(conversation.id, field, setNotice);
  const invoke = useInvocation(conversation.id, rootId, (failure, line) => {
    input.restore(line);
    setNotice(failureText(failure, general));
  });

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
    if (input.takeKey(event)) event.preventDefault();
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
          onChoose={input.choose}
          label={words.suggestions}
        />
      )}
      <Prompts
        conversationId={conversation.id}
        rootId={rootId}
        onChoose={(message) => void room.send({ text: message, files: [] })}
      />
      <Notice text={notice} />
      <ChosenFiles files={files} uploads={uploads} />
      {isOver && <p className={styles.drop}>{words.drop}</p>}
      <div className={styles.box} data-over={isOver ? '' : undefined}>
        <AttachButton onFiles={addFiles} />
        <CommandButton onPress={begin} />
        <ShortcutsButton className={styles.tool} />
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
          onChange={({ target }) => input.edit(target.value, target.selectionStart)}
          onSelect={(event) => input.moveCursor(event.currentTarget.selectionStart)}
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
