import { useState } from 'react';
import { Button as AriaButton, ToggleButton, Tooltip, TooltipTrigger } from 'react-aria-components';
import type { ReactNode } from 'react';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Menu } from '../../../ui/actions/menu.js';
import * as icons from '../../../ui/icons.js';
import blockStyles from '../blocks/blocks.module.css';
import context from '../blocks/context-actions.module.css';
import { address, asFields, text, texts } from '../blocks/metadata.js';
import type { FeedbackChoice } from '../log/message-log.js';
import { useNames } from '../names.js';
import type { ElementProps } from './element-props.js';
import { optionsOf } from './options.js';
import { slackId } from './slack-ids.js';
import { useSurface } from './surface.js';
import { appWords } from './words.js';

/** A button. One with an address opens it, and tells the app as well. */
export function AppButton({ element, press, isOff, isPending }: ElementProps) {
  const url = address(element.url);
  const label = text(element.text);
  const name = text(element.accessibility_label) || undefined;
  if (url !== '')
    return (
      <a
        className={blockStyles.linkButton}
        href={url}
        target="_blank"
        rel="noreferrer noopener"
        aria-label={name}
        onClick={() => !isOff && press()}
      >
        {label}
      </a>
    );
  const kind = element.style === 'primary' || element.style === 'danger' ? element.style : 'secondary';
  return (
    <Button kind={kind} aria-label={name} isDisabled={isOff} isPending={isPending} onPress={() => press()}>
      {label}
    </Button>
  );
}

/** Icons of icon buttons by Slack's names. */
const ICONS: Readonly<Record<string, (props: { size?: number }) => ReactNode>> = {
  trash: icons.Trash,
  delete: icons.Trash,
  copy: icons.CopyIcon,
  refresh: icons.Refresh,
  edit: icons.Pencil,
  share: icons.Share,
  download: icons.Download,
  bookmark: icons.Bookmark,
  flag: icons.Flag,
  info: icons.Info,
  settings: icons.Sliders,
};

/** A small button with an icon. Only people in `visible_to_user_ids` see it, if there are any. */
export function IconButton({ element, press, isOff, isPending }: ElementProps) {
  const names = useNames();
  const label = text(element.accessibility_label) || text(element.text);
  const Icon = ICONS[text(element.icon)] ?? icons.Dots;
  const viewers = texts(element.visible_to_user_ids);
  if (viewers.length > 0 && !viewers.includes(slackId('U', names.ownId))) return null;
  return (
    <TooltipTrigger delay={400}>
      <AriaButton
        className={context.button}
        aria-label={label}
        isDisabled={isOff}
        isPending={isPending}
        onPress={() => press()}
      >
        <Icon size={16} />
      </AriaButton>
      <Tooltip className={context.tooltip}>{text(element.text) || label}</Tooltip>
    </TooltipTrigger>
  );
}

/**
 * Two buttons for an opinion on an answer. The server stores that on a message, and the app does
 * not learn of a withdrawn one.
 */
export function FeedbackButtons({ element, press, isOff, isPending }: ElementProps) {
  const words = useWords(appWords);
  const { feedback } = useSurface();
  const [pressed, setPressed] = useState<FeedbackChoice>('none');
  const mine = feedback?.mine ?? pressed;
  const store = (choice: FeedbackChoice) => {
    setPressed(choice);
    feedback?.take(choice);
  };
  const thumb = (choice: 'positive' | 'negative', fallback: string, Icon: typeof icons.ThumbUp) => {
    const fields = asFields(element[`${choice}_button`]);
    const shown = text(fields.text);
    return (
      <ToggleButton
        className={context.button}
        aria-label={text(fields.accessibility_label) || shown || fallback}
        isSelected={mine === choice}
        isDisabled={isOff || isPending}
        onChange={(isSelected) => {
          if (isSelected) press({ value: text(fields.value) }, () => store(choice));
          else if (feedback) press({ value: null }, () => store('none'));
          else store('none');
        }}
      >
        <Icon size={16} />
        {shown !== '' && <span>{shown}</span>}
      </ToggleButton>
    );
  };
  return (
    <div role="group" aria-label={words.feedback} className={context.row}>
      {thumb('positive', words.good, icons.ThumbUp)}
      {thumb('negative', words.bad, icons.ThumbDown)}
    </div>
  );
}

/** A menu behind three dots. An option with an address opens it, and tells the app as well. */
export function OverflowMenu({ element, press, isOff, label }: ElementProps) {
  const words = useWords(appWords);
  if (isOff) return null;
  return (
    <Menu
      label={label === '' ? words.more : `${words.more}: ${label}`}
      actions={optionsOf(element).map(({ id, label: shown, option }) => {
        const url = address(option.url);
        return {
          id,
          label: shown,
          onAction: () => {
            if (url !== '') window.open(url, '_blank', 'noopener,noreferrer');
            press({ selected_option: option });
          },
        };
      })}
    />
  );
}
