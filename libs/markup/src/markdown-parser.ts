import MarkdownIt from 'markdown-it';

export type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

/**
 * Returns a parser of the Markdown of messages (docs/blocks.md). HTML is text, and only web and
 * mail addresses are links. Escaped characters stay separate tokens (`text_special`), because
 * an escaped "@" must not start a mention. The console renders with it and the server counts
 * mentions with it, so both find the same links.
 */
export function markdownParser(): InstanceType<typeof MarkdownIt> {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
  markdown.validateLink = isAllowed;
  return markdown.disable('text_join');
}

const isAllowed = (address: string): boolean => /^(https?:\/\/|mailto:)/i.test(address.trim());
