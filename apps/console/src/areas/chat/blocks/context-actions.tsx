import { Button, ToggleButton, Tooltip, TooltipTrigger } from 'react-aria-components';
import type { ReactNode } from 'react';
import { useWords } from '../../../language/use-words.js';
import * as icons from '../../../ui/icons.js';
import type { Room } from '../log/room.js';
import styles from './context-actions.module.css';
import { asFields, objects, text } from './metadata.js';
import type { Fields } from './metadata.js';
import { useClick } from './use-click.js';
import { useFeedback } from './use-feedback.js';
import { blockWords } from './words.js';

interface ElementProps {
  element: Fields;
  messageId: string;
  room: Room | undefined;
}

/** Icons that bots can choose. */
const ICONS: Readonly<Record<string, (props: { size?: number }) => ReactNode>> = {
  copy: icons.CopyIcon,
  refresh: icons.Refresh,
  delete: icons.Trash,
  edit: icons.Pencil,
  share: icons.Share,
  download: icons.Download,
  bookmark: icons.Bookmark,
  flag: icons.Flag,
  info: icons.Info,
  settings: icons.Sliders,
};

/** A block of type `context_actions`: small buttons below an answer. */
export function ContextActions({ block, ...rest }: { block: Fields } & Omit<ElementProps, 'element'>) {
  return (
    <div className={styles.row}>
      {objects(block.elements).map((element) => {
        const key = text(element.action_id);
        if (element.type === 'feedback_buttons') return <Feedback key={key} element={element} {...rest} />;
        return element.type === 'icon_button' ? <IconButton key={key} element={element} {...rest} /> : null;
      })}
    </div>
  );
}

/** Thumbs for a judgment of the message. Pressing the chosen one withdraws it. */
function Feedback({ element, messageId, room }: ElementProps) {
  const words = useWords(blockWords);
  const click = useClick(element, messageId, room);
  const feedback = useFeedback(room, messageId);
  const thumb = (choice: 'positive' | 'negative', label: string, Icon: typeof icons.ThumbUp) => {
    const own = text(asFields(element[choice]).text);
    const count = feedback?.[choice] ?? 0;
    return (
      <ToggleButton
        className={styles.button}
        aria-label={words.feedback(own || label, count)}
        isSelected={feedback?.mine === choice}
        isDisabled={click.isOff || click.isSending}
        onChange={(isSelected) => click.judge(isSelected ? choice : 'none')}
      >
        <Icon size={16} />
        {own !== '' && <span>{own}</span>}
        {count > 0 && <span>{count}</span>}
      </ToggleButton>
    );
  };
  return (
    <div role="group" aria-label={words.feedbackGroup} className={styles.row}>
      {thumb('positive', words.good, icons.ThumbUp)}
      {thumb('negative', words.bad, icons.ThumbDown)}
    </div>
  );
}

function IconButton({ element, messageId, room }: ElementProps) {
  const click = useClick(element, messageId, room);
  const label = text(element.text);
  const Icon = ICONS[text(element.icon)] ?? icons.Dots;
  return (
    <TooltipTrigger delay={400}>
      <Button
        className={styles.button}
        aria-label={label}
        isDisabled={click.isOff}
        isPending={click.isPending}
        onPress={() => click.send()}
      >
        <Icon size={16} />
      </Button>
      <Tooltip className={styles.tooltip}>{label}</Tooltip>
    </TooltipTrigger>
  );
}
