import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Piece, piecesOf } from './pieces.ts'

const split = (text: string) => piecesOf(text) as Piece[]

test('a file is split at line ends, each piece with its line number and the head of the file', () => {
  const lines = Array.from({ length: 2_500 }, (_, i) => `u${i},note`)
  const pieces = split(`\uFEFF\n# users\nvalue,note\r\n${lines.join('\r\n')}\n`)
  assert.deepEqual(
    pieces.map(({ fromLine, head }) => [fromLine, head]),
    [
      [1, undefined],
      [1_001, 'value,note'],
      [2_001, 'value,note'],
    ],
  )
  assert.equal(pieces.map((piece) => piece.lines).join('\n'), `\n# users\nvalue,note\n${lines.join('\n')}`)
})

test('no piece is too large for a call, also when its lines grow in JSON', () => {
  const pieces = split(Array.from({ length: 300 }, () => '"é"'.repeat(300)).join('\n'))
  assert.ok(pieces.length > 1)
  for (const piece of pieces) assert.ok(Buffer.byteLength(JSON.stringify(piece)) < 60_000)
  const [long] = split('x'.repeat(5_000_000))
  assert.ok(Buffer.byteLength(JSON.stringify(long)) < 60_000)
})

test('a file of too many lines is refused, and an empty one has no pieces', () => {
  assert.deepEqual(split(''), [])
  assert.deepEqual(split('\n\n'), [])
  assert.match((piecesOf('u\n'.repeat(100_001)) as { tooLarge: string }).tooLarge, /100,001 lines/)
  assert.equal(split('u\n'.repeat(100_000)).length, 100)
})
