import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { inviteIn } from './app/session/invite.js';
import './app/theme/fonts.css';
import './app/theme/theme.css';

// Out of the address before anything else runs: whoever looks at the screen, or at the history,
// finds no invite.
const invite = inviteIn(window.location.hash);
if (invite !== undefined)
  window.history.replaceState(null, '', window.location.pathname + window.location.search);

const root = document.getElementById('root');
if (root) createRoot(root).render(<App invite={invite} />);
