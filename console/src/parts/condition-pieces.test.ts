import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { pieces } from './condition-pieces.ts'

test('names words, texts, numbers and signs', () => {
  const kinds = pieces('velocity.cards24h >= 3 and account.knownDevice == "no"')
    .filter(({ kind }) => kind !== undefined)
    .map(({ kind, text }) => `${kind} ${text}`)
  assert.deepEqual(kinds, ['sign >=', 'figure 3', 'word and', 'sign ==', 'text "no"'])
})

test('leaves nothing out: the pieces of every default rule are its text', () => {
  const source = readFileSync(new URL('../../../server/src/rules/defaults/default-rules.ts', import.meta.url), 'utf8')
  const conditions = [...source.matchAll(/^ {4}when: '([^']+)'/gm)].map(([, when]) => when!)
  assert.ok(conditions.length > 10)
  for (const when of conditions) {
    const text = pieces(when)
      .map((piece) => piece.text)
      .join('')
    assert.equal(text, when)
  }
})
