import { Injectable } from '@nestjs/common';
import { AppBotParts } from '@tieline/bots';
import { setShortcutsIn, shortcutsOfBot } from '@tieline/interactive';
import { CopyCommands } from '@tieline/slash';

/** Gives the bots of an app the commands and shortcuts of its first bot. */
@Injectable()
export class CopiedParts extends AppBotParts {
  constructor(private readonly commands: CopyCommands) {
    super();
  }

  async copy(...[tx, first, bot]: Parameters<AppBotParts['copy']>): Promise<void> {
    if (bot.scopes.includes('commands')) await this.commands.in(tx, first, bot);
    if (!bot.scopes.includes('interactive')) return;
    const shortcuts = await shortcutsOfBot(tx, first.spaceId, first.botId);
    if (shortcuts.length > 0) await setShortcutsIn(tx, bot, shortcuts);
  }
}
