import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { botIn, ChildBot } from './child-bot.js';
import { RUNS_TYPESCRIPT } from './scaffold.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tieline-child-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('the user sees that the bot is ready once, when the bot reports it', async () => {
  const script = `for (const line of ['ready to read the settings', 'x INFO ready: My bot by socket', 'ready: My bot by socket'])
    console.log(line);`;
  const heard: string[] = [];
  const ended = new Promise<void>((done) => {
    const bot = { command: process.execPath, args: ['-e', script] };
    const child = new ChildBot(bot, {
      ...{ folder, env: {}, tie: () => () => undefined, ready: () => heard.push('READY') },
      say: (line) => {
        heard.push(line);
        if (line.includes('ended')) done();
      },
    });
    child.start();
  });
  await ended;
  expect(heard.filter((line) => !line.includes('ended'))).toEqual([
    '[bot] ready to read the settings',
    '[bot] x INFO ready: My bot by socket',
    'READY',
    '[bot] ready: My bot by socket',
  ]);
});

test('TypeScript runs with Node.js, or with tsx on older versions, else an error names what is missing', async () => {
  await writeFile(path.join(folder, 'bot.ts'), '');
  if (RUNS_TYPESCRIPT) return expect(await botIn(folder)).toMatchObject({ args: ['bot.ts'] });
  await expect(botIn(folder)).rejects.toMatchObject({
    message: expect.stringContaining('does not run bot.ts'),
    hint: expect.stringContaining('npm install --save-dev tsx'),
  });
  await mkdir(path.join(folder, 'node_modules/tsx'), { recursive: true });
  await writeFile(path.join(folder, 'node_modules/tsx/index.js'), '');
  expect(await botIn(folder)).toMatchObject({ args: ['--import', 'tsx', 'bot.ts'] });
});
