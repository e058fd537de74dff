// In which order does a test end?

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { atEnd, type Ending } from './at-end.ts'

/** A test whose end this one decides. */
function ending(): { t: Ending; end: () => Promise<void> } {
  const works: (() => unknown)[] = []
  const after = ((work: () => unknown) => works.push(work)) as TestContext['after']
  return {
    t: { after },
    async end() {
      for (const work of works) await work()
    },
  }
}

test('ends what was made last first, and each only after the one before has ended', async () => {
  const { t, end } = ending()
  const ended: string[] = []
  atEnd(t, () => ended.push('folder'))
  atEnd(t, async () => {
    await new Promise((resolve) => setImmediate(resolve))
    ended.push('service')
  })
  await end()
  assert.deepEqual(ended, ['service', 'folder'])
})

test('ends everything when one of them fails, and reports each failure', async () => {
  const { t, end } = ending()
  const ended: string[] = []
  const failing = (message: string) => () => Promise.reject(new Error(message))
  atEnd(t, () => ended.push('folder'))
  atEnd(t, failing('stuck'))
  await assert.rejects(end(), { message: 'stuck' })
  assert.deepEqual(ended, ['folder'])

  const other = ending()
  for (const message of ['one', 'two']) atEnd(other.t, failing(message))
  await assert.rejects(other.end(), { errors: [new Error('two'), new Error('one')] })
})

test('ends what is made while it ends', async () => {
  const { t, end } = ending()
  const ended: string[] = []
  atEnd(t, () => ended.push('folder'))
  atEnd(t, () => atEnd(t, () => ended.push('late')))
  await end()
  assert.deepEqual(ended, ['late', 'folder'])
})
