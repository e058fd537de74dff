// Which calls wait for the next sign-in, and until when?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient } from '@tanstack/react-query'
import type { Call } from './call.ts'
import { CallFailed } from './problem.ts'
import { isOfEndedSession, outlivingCall } from './session-end.ts'
import type { Me } from './types.ts'

const meOf = (personId: string, sessionId: string) =>
  ({ person: { personId }, tenant: { tenantId: 'one' }, session: { sessionId } }) as Me

const refusal = new CallFailed({
  ...{ type: '/problems/not-signed-in', title: '', status: 401, detail: '', requestId: '' },
})

/** A service that refuses every call of the session `first`. */
function started() {
  const client = new QueryClient()
  const signIn = (me: Me) => client.setQueryData(['me'], me)
  const meNow = () => client.getQueryData<Me>(['me'])
  const sent: unknown[] = []
  const ended: string[] = []
  const service = (async (_name: string, request: unknown) => {
    sent.push(request)
    if (meNow()?.session?.sessionId === 'first') throw refusal
    return request
  }) as unknown as Call
  const call = outlivingCall(service, { client, meNow, onEnd: (sessionId) => ended.push(sessionId) })
  signIn(meOf('maya', 'first'))
  return { call, signIn, sent, ended, isWaiting: () => client.getQueryCache().hasListeners() }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('of the reads that were refused, only the one that somebody still waits for is sent again', async () => {
  const { call, signIn, sent, ended, isWaiting } = started()
  const texts = ['a', 'ab', 'abc']
  const waiting = texts.map((text) => ({ text, abort: new AbortController() }))
  const answers = waiting.map(({ text, abort: { signal } }) =>
    call('checkRules', { text }, { signal, outlivesSession: true }),
  )
  await turn()
  for (const { abort } of waiting.slice(0, 2)) abort.abort()
  for (const answer of answers.slice(0, 2)) await assert.rejects(answer, isOfEndedSession)
  assert.deepEqual([ended, isWaiting()], [['first', 'first', 'first'], true])
  signIn(meOf('maya', 'second'))
  assert.deepEqual(await answers[2], { text: 'abc' })
  assert.deepEqual(
    sent,
    [...texts, 'abc'].map((text) => ({ text })),
  )
  assert.equal(isWaiting(), false, 'nothing is kept')
})

test('a read that was ended before its refusal came does not wait', async () => {
  const { call, isWaiting } = started()
  const gone = { signal: AbortSignal.abort(), outlivesSession: true }
  await assert.rejects(call('checkRules', { text: '' }, gone), isOfEndedSession)
  assert.equal(isWaiting(), false)
})

test('a read without a signal waits, for the same person only; acts and reads of the cache do not', async () => {
  const { call, signIn, sent, isWaiting } = started()
  const { signal } = new AbortController()
  await assert.rejects(call('checkRules', { text: 'cache' }, { signal }), isOfEndedSession)
  await assert.rejects(call('signOut', {}), isOfEndedSession)
  assert.equal(isWaiting(), false)
  const refused = assert.rejects(call('checkRules', { text: 'mine' }), isOfEndedSession)
  await turn()
  signIn(meOf('ravi', 'second'))
  await refused
  assert.equal(sent.length, 3, 'nothing is sent as somebody else')
})
