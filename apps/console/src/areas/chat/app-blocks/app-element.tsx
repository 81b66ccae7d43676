import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { FormActions } from '../../../ui/forms/form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { Loading } from '../../../ui/page/loading.js';
import { asFields, text } from '../blocks/metadata.js';
import type { Fields } from '../blocks/metadata.js';
import { AppText } from './app-text.js';
import { AppButton, FeedbackButtons, IconButton, OverflowMenu } from './buttons.js';
import { Checks, OneOption, Radios } from './choices.js';
import type { ElementProps } from './element-props.js';
import { AppFileInput } from './app-file-input.js';
import { Line } from './inputs.js';
import { Lookup } from './lookup.js';
import { ManyOptions } from './many-options.js';
import { heldBy, valueOf } from './state.js';
import type { Place } from './state.js';
import { isPendingAt, useSurface } from './surface.js';
import { appWords } from './words.js';

interface AppElementProps {
  element: Fields;
  blockId: string;
  label?: string | undefined;
  hint?: string | undefined;
  isRequired?: boolean;
  /** Element of an input block: it shows its label and sends actions only if the block says so. */
  isInput?: boolean;
  isDispatching?: boolean;
}

/** An interactive element of an app. Asks for its `confirm` before it sends anything. */
export function AppElement(props: AppElementProps) {
  const { element, blockId, label = '', isInput = false, isDispatching = !isInput } = props;
  const surface = useSurface();
  const [asked, setAsked] = useState<(() => void) | undefined>();
  const type = text(element.type);
  const place: Place = { blockId, actionId: text(element.action_id) };
  const confirm = element.confirm == null ? undefined : asFields(element.confirm);
  const value = surface.state[blockId]?.[place.actionId];
  const act = (sent: Fields, onDone?: () => void) => {
    if (confirm) setAsked(() => () => surface.act(place, sent, onDone));
    else surface.act(place, sent, onDone);
  };
  const placeholder = text(element.placeholder);
  const Shape = SHAPES[type];
  if (!Shape) return null;
  return (
    <>
      <Shape
        element={element}
        type={type}
        label={label || placeholder}
        isLabelled={isInput}
        hint={props.hint}
        isRequired={props.isRequired ?? false}
        error={surface.errors[blockId]}
        isOff={surface.isOff}
        isPending={isPendingAt(surface, place)}
        isDispatching={isDispatching}
        placeholder={placeholder}
        held={heldBy(type, value)}
        set={(held, { isSent = true } = {}) => {
          const next = valueOf(type, held);
          surface.change(place, next);
          if (isDispatching && isSent) act(next);
        }}
        press={(more, onDone) => act({ type, ...more }, onDone)}
        send={() => isDispatching && value && act(value)}
        suggest={(query) => surface.suggest(place, query)}
        id={`${surface.id} ${blockId} ${place.actionId}`}
      />
      {confirm && (
        <Confirmation
          confirm={confirm}
          isDanger={(confirm.style ?? element.style) === 'danger'}
          isOpen={asked !== undefined}
          onClose={() => setAsked(undefined)}
          onConfirm={() => {
            asked?.();
            setAsked(undefined);
          }}
        />
      )}
    </>
  );
}

const LateMoment = lazyRouteComponent(() => import('./moments.js'), 'Moment');

/** Dates and times. Calendars are large and rare, so they are loaded on first use. */
const Moment = (props: ElementProps) => (
  <Suspense fallback={<Loading />}>
    <LateMoment {...props} />
  </Suspense>
);

/** Elements by type. Other elements are left out. */
const SHAPES: Readonly<Record<string, (props: ElementProps) => React.ReactNode>> = {
  button: AppButton,
  icon_button: IconButton,
  feedback_buttons: FeedbackButtons,
  overflow: OverflowMenu,
  static_select: OneOption,
  radio_buttons: Radios,
  checkboxes: Checks,
  external_select: Lookup,
  users_select: Lookup,
  conversations_select: Lookup,
  channels_select: Lookup,
  multi_static_select: ManyOptions,
  multi_external_select: ManyOptions,
  multi_users_select: ManyOptions,
  multi_conversations_select: ManyOptions,
  multi_channels_select: ManyOptions,
  datepicker: Moment,
  timepicker: Moment,
  datetimepicker: Moment,
  plain_text_input: Line,
  number_input: Line,
  email_text_input: Line,
  url_text_input: Line,
  rich_text_input: Line,
  file_input: AppFileInput,
};

interface ConfirmationProps {
  confirm: Fields;
  isDanger: boolean;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

function Confirmation({ confirm, isDanger, isOpen, onClose, onConfirm }: ConfirmationProps) {
  const words = useWords(appWords);
  return (
    <Dialog title={text(confirm.title) || words.sure} isOpen={isOpen} onClose={onClose}>
      {text(confirm.text) !== '' && <AppText part={confirm.text} />}
      <FormActions>
        <Button onPress={onClose}>{text(confirm.deny) || words.cancel}</Button>
        <Button kind={isDanger ? 'danger' : 'primary'} onPress={onConfirm} autoFocus>
          {text(confirm.confirm) || words.yes}
        </Button>
      </FormActions>
    </Dialog>
  );
}
