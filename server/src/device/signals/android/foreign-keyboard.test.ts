import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone } from '../../testdata/phones.ts'
import { foreignKeyboard } from './foreign-keyboard.ts'

const judged = (inputMethod: object) => foreignKeyboard.judge(androidPhone({ inputMethod }))

test('a keyboard that was installed is foreign, and that of the system is not', () => {
  const installed = judged({ package: 'com.example.keys', isSystem: false })
  assert.deepEqual(installed, { verdict: { result: true }, reasons: ['com.example.keys'] })
  assert.equal(foreignKeyboard.judge(androidPhone())?.verdict.result, false)
})

test('a package alone does not say where it came from', () => {
  assert.equal(judged({ package: 'com.example.keys' }), undefined)
  assert.equal(judged({}), undefined)
})
