/**
 * Types that a browser executes or renders as a page. Uploads of such types are served as plain
 * bytes.
 */
const ACTIVE =
  /^(?:text\/(?:html|xml|xsl|css|javascript|ecmascript|jscript|livescript|vbscript|x-.*script.*)|multipart\/.*|image\/svg.*|application\/(?:xml.*|x-?html.*|.*javascript|.*ecmascript|x-shockwave-flash|wasm)|.*\+xml)$/;
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;
const BYTES = 'application/octet-stream';

/**
 * Returns the `Content-Type` that an uploaded object is served with. Drops parameters, except for
 * the charset of plain text.
 */
export function servedType(contentType: string): string {
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (!MEDIA_TYPE.test(type) || ACTIVE.test(type)) return BYTES;
  const charset = parameters.find((parameter) => /^charset=[a-z0-9._-]{1,40}$/.test(parameter));
  return type.startsWith('text/') && charset ? `${type}; ${charset}` : type;
}

/**
 * Control characters, path separators, and text direction marks, which could make `exe.txt` look
 * like another name.
 */
const MISLEADING = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069/\\]/gu;

/**
 * Returns the `Content-Disposition` of a download (RFC 6266): always an attachment. Contains the
 * name twice, for old clients in ASCII. The name cannot end the header or lead into another folder.
 */
export function contentDisposition(fileName: string): string {
  const name = Buffer.from(fileName, 'utf8').toString('utf8').replace(MISLEADING, '_').trim() || 'file';
  const ascii = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
