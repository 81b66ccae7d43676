/** Code, which stays unchanged, and the emphasis, links and headings of Markdown. */
const MARKUP =
  /(```[\s\S]*?```|`[^`\n]*`)|\*\*(?=\S)([^*\n]+)\*\*|__(?=\S)([^_\n]+)__|\[([^\][\n]*)\]\((https?:\/\/[^\s()<>|]+)\)|^#{1,6} +([^\n]+)$/gm;

/**
 * Converts Markdown to Slack's markup, as far as Slack supports it: bold, links, and headings,
 * which become bold. The rest is the same in both.
 */
export function slackMarkup(markdown: string): string {
  return markdown.replaceAll(
    MARKUP,
    (
      whole,
      code?: string,
      bold?: string,
      bolder?: string,
      label?: string,
      url?: string,
      heading?: string,
    ) => {
      if (code !== undefined) return whole;
      if (url !== undefined) return `<${url}|${label ?? ''}>`;
      return `*${bold ?? bolder ?? heading ?? ''}*`;
    },
  );
}
