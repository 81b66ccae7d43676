/** Returns a page that tells a person why a request cannot be sent back to the app. */
export function errorPageOf(text: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tieline</title><h1>This app could not be connected</h1><p>${escaped(text)}</p></html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
