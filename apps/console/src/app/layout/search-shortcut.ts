import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Letters of the shortcut's key on Latin and Russian keyboards. */
const KEYS = ['k', 'л'];

const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys that open the search. */
export const searchKeys = (): string => (isApple() ? '⌘ K' : 'Ctrl K');

/** Opens the search with Ctrl+K or ⌘K, except over an open dialog. */
export function useSearchShortcut(): void {
  const router = useRouter();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isHeld = isApple() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
      if (!isHeld || event.altKey || event.shiftKey || !KEYS.includes(String(event.key).toLowerCase()))
        return;
      if (document.querySelector('[role=dialog], [role=alertdialog]')) return;
      event.preventDefault();
      const box = document.querySelector<HTMLInputElement>('main input[type=search][maxlength]');
      if (router.state.location.pathname !== '/search') return void router.navigate({ href: '/search' });
      box?.focus();
      box?.select();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [router]);
}
