import { openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import { createTestDatabase } from '../servers/test-database.js';
import type { TestDatabase } from '../servers/test-database.js';
import { entityProblems } from './entity-problems.js';

@Entity('things')
class Thing {
  @PrimaryColumn('uuid')
  id: string;

  @Column('bigint')
  size: number;

  @Column('int', { name: 'in_use' })
  inUse: number;

  @Column('uuid', { name: 'tag_ids', array: true, nullable: true })
  tagIds: string[] | null;

  @Column('jsonb')
  facts: object;

  @CreateDateColumn({ name: 'made_at', type: 'timestamptz' })
  madeAt: Date;
}

@Entity('things')
class Wrong {
  @PrimaryColumn('uuid')
  id: string;

  @PrimaryColumn('text')
  size: string;

  @Column('int', { name: 'in_use', nullable: true })
  inUse: number | null;

  @Column('uuid', { name: 'tag_ids', nullable: true })
  tagIds: string | null;

  @Column('jsonb')
  facts: object;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}

@Entity('nowhere')
class Lost {
  @PrimaryColumn('uuid')
  id: string;
}

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url, poolMax: 1 });
  await db.query(
    `CREATE TABLE things (id uuid PRIMARY KEY, size int8 NOT NULL, in_use int4 NOT NULL, tag_ids uuid[], facts jsonb NOT NULL,
       made_at timestamptz NOT NULL DEFAULT now())`,
  );
});

afterAll(async () => {
  await db?.close();
  await database?.drop();
});

test('an entity that matches its table is no problem', async () => {
  expect(await entityProblems(database.url, [Thing])).toEqual([]);
});

test('a different type, nullability or key, and extra or missing columns are found', async () => {
  expect(await entityProblems(database.url, [Wrong])).toEqual([
    'Wrong.size: declared is text, primary key, the table has bigint',
    'Wrong.in_use: declared is integer or null, the table has integer',
    'Wrong.tag_ids: declared is uuid or null, the table has uuid[] or null',
    'Wrong.created_at: declared is timestamp with time zone, the table has nothing',
    'Wrong.made_at: declared is nothing, the table has timestamp with time zone',
  ]);
});

test('an entity without a table and an empty list are problems', async () => {
  expect(await entityProblems(database.url, [Lost])).toEqual(['Lost: there is no table nowhere']);
  expect(await entityProblems(database.url, [])).toEqual(['no entity is given']);
});
