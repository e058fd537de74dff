// Has the console one link, one way to send what a person does, and one place that says in which language numbers and dates are written?

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('..', import.meta.url))
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.(tsx?|css)$/.test(file) && !file.includes('.test.'),
)
const filesWith = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(`${source}${file}`, 'utf8')))

test('only parts/link.tsx is a link of the router, and sheets read one state of it', () => {
  assert.deepEqual(filesWith(/import \{[^}]*\bLink\b[^}]*\} from '@tanstack\/react-router'/), [])
  assert.deepEqual(filesWith(/\[aria-current=|\[data-status|activeProps/), [])
})

test('only parts/values/locale.ts names a language for numbers and dates', () => {
  assert.deepEqual(filesWith(/(?:Intl\.\w+|toLocale\w+)\((?!\s*(?:locale|language)\b)/), [])
})

test('only api/use-call.ts sends what a person does, so that every act outlives the session that refused it', () => {
  assert.deepEqual(filesWith(/\buseMutation\b/), ['api/use-call.ts'])
})
