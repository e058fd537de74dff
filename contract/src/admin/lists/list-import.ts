// What would an import add to a list? The console asks piece by piece, and writes nothing before a person has confirmed it.

import Type, { type Static } from 'typebox'
import { ListName } from '../../lists.ts'
import { closed } from '../../schema-parts.ts'

/** Bounds of a file that the console imports, and of a piece of it. */
export const listImport = { bytes: 10_000_000, lines: 100_000, linesOfPiece: 1_000, pieceLength: 50_000 } as const

export const PreviewListImportRequest = Type.Object(
  {
    name: ListName,
    lines: Type.String({
      minLength: 1,
      maxLength: listImport.pieceLength,
      description:
        'Whole lines of a file: one value in a line, or CSV. The first line may be a head with value, expires and note. At most 1,000 lines',
    }),
    head: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'The first line of the file, for a piece that does not begin it' }),
    ),
    fromLine: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000_000, default: 1, description: 'Number of the first line, from 1' }),
    ),
  },
  { $id: 'PreviewListImportRequest' },
)
export type PreviewListImportRequest = Static<typeof PreviewListImportRequest>

const PreviewedLine = Type.Object(
  {
    line: Type.Integer({ description: 'From 1' }),
    state: Type.Enum(['new', 'changed', 'unchanged', 'malformed'], {
      description: 'changed: the value is in the list with another note or expiry',
    }),
    value: Type.Optional(Type.String({ description: 'In the form in which it is compared; absent when malformed' })),
    note: Type.Optional(Type.String()),
    expiresAt: Type.Optional(Type.String({ description: 'ISO 8601 UTC' })),
    mistake: Type.Optional(Type.String({ description: 'What is wrong with a malformed line' })),
  },
  closed,
)

export const PreviewedListImport = Type.Object(
  { lines: Type.Array(PreviewedLine, { description: 'In their order; without empty lines, comments and the head' }) },
  { $id: 'PreviewedListImport', ...closed, description: 'What an import would change' },
)
export type PreviewedListImport = Static<typeof PreviewedListImport>
