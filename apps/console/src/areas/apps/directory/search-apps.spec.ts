import { searchApps } from './search-apps.js';

const APPS = [
  { name: 'Deploys', description: 'Tells channels what was deployed' },
  { name: 'Отпуска', description: 'Спрашивает об отпуске' },
];
const search = (text: string) => searchApps(APPS, text).map(({ name }) => name);

it('finds apps by words of the name and the description, in any order and case', () => {
  expect(search('DEPLOYED channels')).toEqual(['Deploys']);
  expect(search('отпуск')).toEqual(['Отпуска']);
  expect(search('deploys vacation')).toEqual([]);
});

it('finds all apps without a text', () => {
  expect(search('')).toHaveLength(2);
  expect(search('  ')).toHaveLength(2);
});
