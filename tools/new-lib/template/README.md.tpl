# @nouns@

What @nouns@ are for, in one sentence.

## Endpoints

| method and path | body | answer |
|---|---|---|
| `POST /api/v1/admin/@nouns_@` | `name` | 201 `@noun_@` |
| `GET /api/v1/admin/@nouns_@` | | `@nouns_@`, `next_cursor` |

## Tables

`@nouns_@`: one row each, by space.

## Limits

`name` 1..64 characters.
