/** Code, which stays as it is, and the emphasis and links of Markdown. */
const MARKUP =
  /(```[\s\S]*?```|`[^`\n]*`)|\*\*(?=\S)([^*\n]+)\*\*|__(?=\S)([^_\n]+)__|\[([^\][\n]*)\]\((https?:\/\/[^\s()<>|]+)\)|^#{1,6} +([^\n]+)$/gm;

/**
 * Slack's markup of a Markdown text, as far as Slack has it: bold, links and headings, which become
 * bold. Everything else is the same in both.
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
