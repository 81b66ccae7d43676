import { Argument } from 'commander';
import type { Command } from 'commander';
import { action } from '../action.js';
import type { Terminal } from '../terminal/terminal.js';
import { Session } from '../profiles/session.js';
import type { GlobalOptions } from '../profiles/session.js';
import { candidates } from './candidates.js';
import { KnownNames } from './known-names.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Completion scripts. Each calls `tieline __complete <words>`. */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_tieline() {
  local IFS=$'\\n'
  COMPREPLY=($(tieline __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1 | while read -r one; do printf '%q\\n' "$one"; done))
}
complete -o default -F _tieline tieline`,
  zsh: `#compdef tieline
_tieline() {
  local -a found
  found=("\${(@f)$(tieline __complete -- "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null | sed 's/:/\\\\:/g; s/\\t/:/')}")
  _describe tieline found
}
compdef _tieline tieline`,
  fish: `function __tieline
  set -l words (commandline -opc) (commandline -ct)
  tieline __complete -- $words[2..-1] 2>/dev/null
end
complete -c tieline -f -a '(__tieline)'`,
};

/** `completion <shell>` and the hidden command that its scripts call. */
export function addCompletion(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .summary('print a completion script for your shell')
    .description(
      'Prints a script. bash: eval "$(tieline completion bash)" in ~/.bashrc; zsh: the same with zsh in ~/.zshrc, after compinit; fish: tieline completion fish > ~/.config/fish/completions/tieline.fish',
    )
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action(action(terminal, async ({ terminal: place }, shell: Shell) => place.out(SCRIPTS[shell])));
  program
    .command('__complete [words...]', { hidden: true })
    .allowUnknownOption()
    .action(
      action(terminal, async ({ terminal: place }, words: string[] = []) => {
        const names = new KnownNames(new Session(place, profileIn(words)));
        for (const [word, about] of await candidates(program, words, (kind) => names.of(kind)))
          place.out(`${word}\t${about}`);
      }),
    );
}

/** Returns the profile options of an unfinished line. */
function profileIn(words: readonly string[]): GlobalOptions {
  const profile = words.slice(0, -1)[words.indexOf('--profile') + 1];
  return words.includes('--profile') && profile ? { profile } : {};
}
