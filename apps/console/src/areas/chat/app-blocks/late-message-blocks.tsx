import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { ComponentProps } from 'react';
import { Markdown } from '../markdown/markdown.js';
import type { MessageBlocks as Blocks } from './message-blocks.js';

const Late = lazyRouteComponent(() => import('./message-blocks.js'), 'MessageBlocks');

/** Blocks of a Slack app, loaded with the first message that has some. The text until then. */
export const LateMessageBlocks = ({ text, ...props }: ComponentProps<typeof Blocks> & { text: string }) => (
  <Suspense fallback={<Markdown text={text} />}>
    <Late {...props} />
  </Suspense>
);
