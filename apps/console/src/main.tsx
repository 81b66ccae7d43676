import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { inviteIn } from './app/session/invite.js';
import './app/theme/fonts.css';
import './app/theme/theme.css';

// Removes the invite from the address first, so that it is not visible on the screen or in the
// history.
const invite = inviteIn(window.location.hash);
if (invite !== undefined)
  window.history.replaceState(null, '', window.location.pathname + window.location.search);

const root = document.getElementById('root');
if (root) createRoot(root).render(<App invite={invite} />);
