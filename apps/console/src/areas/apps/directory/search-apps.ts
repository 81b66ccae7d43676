import type { DirectoryAppView } from '@tieline/sdk/api';

/** Returns the apps whose name or description contains every word of the text. */
export function searchApps<App extends Pick<DirectoryAppView, 'name' | 'description'>>(
  apps: readonly App[],
  text: string,
): App[] {
  const wanted = text.toLocaleLowerCase().split(/\s+/);
  return apps.filter(({ name, description }) => {
    const content = `${name} ${description}`.toLocaleLowerCase();
    return wanted.every((word) => content.includes(word));
  });
}
