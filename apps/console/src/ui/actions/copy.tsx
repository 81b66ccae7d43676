import { useEffect, useState } from 'react';
import { useWords } from '../../language/use-words.js';
import { Check, CopyIcon } from '../icons.js';
import { useToast } from '../overlays/toast.js';
import { uiWords } from '../words.js';
import { Button } from './button.js';

/** Copies a text and confirms it. `what` names the text for screen readers. */
export function CopyButton({ text, what, kind }: { text: string; what: string; kind?: 'quiet' | 'primary' }) {
  const words = useWords(uiWords);
  const toast = useToast();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toast({ kind: 'bad', text: words.notCopied }),
    );
  return (
    <Button
      isSmall
      kind={kind ?? 'secondary'}
      icon={isCopied ? <Check size={14} /> : <CopyIcon size={14} />}
      aria-label={`${isCopied ? words.copied : words.copy}: ${what}`}
      onPress={() => void copy()}
    >
      {isCopied ? words.copied : words.copy}
    </Button>
  );
}
