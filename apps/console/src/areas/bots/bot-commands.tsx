import { deleteCommandAsAdmin, listCommandsAsAdmin } from '@tieline/sdk/api';
import type { AdminBotView, CommandView } from '@tieline/sdk/api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Badge } from '../../ui/data/badge.js';
import { Table } from '../../ui/data/table.js';
import { Removal } from '../../ui/overlays/removal.js';
import { Empty } from '../../ui/page/empty.js';
import { Failure } from '../../ui/page/failure.js';
import { Loading } from '../../ui/page/loading.js';
import { Section } from '../../ui/page/page.js';
import { activityWords } from './activity/activity-words.js';
import styles from './bots.module.css';
import { BotClicks } from './clicks/bot-clicks.js';
import { botsWords } from './words.js';

/** The bot's slash commands and its address for clicks. */
export function BotCommands({ bot }: { bot: AdminBotView }) {
  return (
    <>
      <Commands bot={bot} />
      <BotClicks bot={bot} />
    </>
  );
}

function Commands({ bot }: { bot: AdminBotView }) {
  const words = useWords(activityWords);
  const states = useWords(botsWords);
  const client = useApi();
  const [doomed, setDoomed] = useState<CommandView>();
  const { data, error, refetch } = useQuery({
    queryKey: ['bots', 'commands', bot.id],
    queryFn: () => listCommandsAsAdmin({ client, path: { id: bot.id } }),
  });
  return (
    <Section title={words.commandsTitle} intro={words.commandsIntro} isPlain>
      {!data && (error ? <Failure failure={error} onRetry={refetch} /> : <Loading />)}
      {data && (
        <Table
          label={words.commandsTitle}
          rows={data.commands}
          rowId={({ id }) => id}
          empty={<Empty title={words.noCommands}>{words.noCommandsText}</Empty>}
          columns={[
            { id: 'name', title: words.commandName, cell: ({ name }) => <code>{name}</code> },
            { id: 'description', title: words.description, cell: ({ description }) => description },
            {
              id: 'callback',
              title: words.callback,
              cell: ({ callback_url: url }) =>
                url ? <code className={styles.clipped}>{url}</code> : words.byPoll,
            },
            {
              id: 'state',
              title: words.status,
              cell: ({ is_active: isActive }) => (
                <Badge kind={isActive ? 'good' : 'plain'}>{isActive ? states.active : states.inactive}</Badge>
              ),
            },
            {
              id: 'delete',
              title: words.deleteCommand,
              isActions: true,
              cell: (command) => (
                <Button
                  isSmall
                  aria-label={words.deleteCommandNamed(command.name)}
                  onPress={() => setDoomed(command)}
                >
                  {words.deleteCommand}
                </Button>
              ),
            },
          ]}
        />
      )}
      {doomed && <DeleteCommand bot={bot} command={doomed} onClose={() => setDoomed(undefined)} />}
    </Section>
  );
}

interface DeleteCommandProps {
  bot: AdminBotView;
  command: CommandView;
  onClose: () => void;
}

function DeleteCommand({ bot, command, onClose }: DeleteCommandProps) {
  const words = useWords(activityWords);
  const client = useApi();
  const queries = useQueryClient();
  return (
    <Removal
      title={words.deleteCommandTitle(command.name)}
      action={words.deleteCommandAction}
      remove={() => deleteCommandAsAdmin({ client, path: { id: bot.id, command_id: command.id } })}
      done={words.commandDeleted(command.name)}
      onRemoved={() => {
        onClose();
        return queries.invalidateQueries({ queryKey: ['bots', 'commands', bot.id] });
      }}
      onClose={onClose}
    >
      {words.deleteCommandText}
    </Removal>
  );
}
