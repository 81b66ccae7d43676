import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Answers, Field, OkAnswer } from './answers.js';

class Part {
  @Field({ example: 1 })
  count: number;

  @Field({ example: 0.5, optional: true })
  share?: number;

  @Field({ enum: ['on', 'off'], description: 'what it is' })
  state: 'on' | 'off';
}

class WholeAnswer extends OkAnswer {
  @Field({ type: Part, nullable: true })
  part: Part | null;

  @Field({ type: () => Part, isArray: true })
  parts: Part[];

  @Field({ example: ['a'], nullable: true })
  names: string[] | null;

  @Field({ example: { any: 'thing' } })
  facts: Record<string, unknown>;
}

@Controller()
class WholeController {
  @Get()
  @Answers(WholeAnswer, { status: 202, description: 'taken' })
  whole(): WholeAnswer {
    return { ok: true, part: null, parts: [], names: null, facts: {} };
  }
}

@Module({ controllers: [WholeController] })
class WholeModule {}

let document: OpenAPIObject;
beforeAll(async () => {
  const app = await NestFactory.create(WholeModule, new FastifyAdapter(), { logger: false });
  await app.init();
  document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  await app.close();
});

test('the class of an answer is its schema', () => {
  expect(document.components?.schemas).toEqual({
    Part: {
      type: 'object',
      required: ['count', 'state'],
      properties: {
        count: { type: 'integer', example: 1 },
        share: { type: 'number', example: 0.5 },
        state: { type: 'string', enum: ['on', 'off'], example: 'on', description: 'what it is' },
      },
    },
    WholeAnswer: {
      type: 'object',
      required: ['ok', 'part', 'parts', 'names', 'facts'],
      properties: {
        ok: { type: 'boolean', example: true },
        part: { type: 'object', nullable: true, allOf: [{ $ref: '#/components/schemas/Part' }] },
        parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
        names: { type: 'array', nullable: true, items: { type: 'string', example: 'a' }, example: ['a'] },
        facts: { type: 'object', additionalProperties: true, example: { any: 'thing' } },
      },
    },
  });
});

test('a route shows one whole example, built from those of its fields', () => {
  const part = { count: 1, share: 0.5, state: 'on' };
  expect(document.paths['/']?.get?.responses).toEqual({
    202: {
      description: 'taken',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/WholeAnswer' },
          example: { ok: true, part, parts: [part], names: ['a'], facts: { any: 'thing' } },
        },
      },
    },
  });
});

test('null needs an explicit type: it would pass for an object', () => {
  expect(() => Field({ example: null, nullable: true })).toThrow('null tells no type');
  expect(() => Field({ example: null, nullable: true, enum: ['on', 'off'] })).not.toThrow();
});
