import { createElement, Fragment, memo, useMemo } from 'react';
import type { ReactNode } from 'react';
import { useNames } from '../names.js';
import styles from './markdown.module.css';
import { limitedNodes } from './limited.js';
import type { Node } from '@tieline/markup';

/** Renders Markdown. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const nodes = useMemo(() => limitedNodes(text), [text]);
  return <div className={styles.markdown}>{drawn(nodes)}</div>;
});

function drawn(nodes: readonly Node[]): ReactNode {
  // The position is the only identity of a text.
  return nodes.map((node, index) => <Fragment key={index}>{one(node)}</Fragment>);
}

function one(node: Node): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'plain':
      return <p className={styles.plain}>{node.text}</p>;
    case 'break':
      return <br />;
    case 'rule':
      return <hr />;
    case 'mention':
      return <Mention id={node.id} />;
    case 'code':
      return <code>{node.text}</code>;
    case 'block-code':
      return (
        <pre tabIndex={0} data-language={node.language || undefined}>
          <code>{node.text}</code>
        </pre>
      );
    // An external image would reveal to its server who reads the message. Bots that want to show an
    // image send a block.
    case 'image':
      return (
        <a href={node.href} target="_blank" rel="noreferrer noopener">
          {node.alt || node.href}
        </a>
      );
    case 'element':
      return element(node);
  }
}

function element({ name, href, start, children }: Extract<Node, { kind: 'element' }>): ReactNode {
  if (name === 'a')
    return (
      <a href={href} target="_blank" rel="noreferrer noopener">
        {drawn(children)}
      </a>
    );
  // Headings in messages are not headings of the page.
  if (/^h\d$/.test(name)) return <p className={styles[name]}>{drawn(children)}</p>;
  if (name === 'table')
    return (
      <div className={styles.table}>
        <table>{drawn(children)}</table>
      </div>
    );
  return createElement(name, start === undefined ? null : { start }, drawn(children));
}

function Mention({ id }: { id: string }) {
  const names = useNames();
  return <span className={`${styles.mention} ${id === names.ownId ? styles.own : ''}`}>@{names.of(id)}</span>;
}
