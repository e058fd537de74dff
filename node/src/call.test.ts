import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSamples } from '@ringfence/contract'
import { call, type Timing } from './call.ts'
import { RingfenceError, type RingfenceErrorCode } from './error.ts'
import { type CallOptions, checkedSettings, type Fetch, type RingfenceOptions } from './settings.ts'

type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | 'reset' | 'silence'

const swapped = readSamples().SimSwapResult!.swapped
const ok: Reply = { status: 200, body: swapped }

/** One SIM swap check against a service that gives these replies in turn, with a timing that does not wait. */
async function check(
  replies: Reply[],
  client: Partial<RingfenceOptions> = {},
  options: CallOptions = {},
  { duringPause = () => {}, duringSilence = () => {} } = {},
) {
  const requests: { url: string; headers: Record<string, string>; body: string | ArrayBuffer | undefined }[] = []
  const pausesMs: number[] = []
  let nowMs = 0
  const timing: Timing = {
    now: () => nowMs,
    random: () => 0.5,
    sleep: async (durationMs, signal) => {
      pausesMs.push(durationMs)
      nowMs += durationMs
      duringPause()
      signal?.throwIfAborted()
    },
  }
  const fetch: Fetch = async (url, { headers, body, signal }) => {
    requests.push({ url, headers, body })
    const reply = replies.shift() ?? assert.fail('one request too many')
    if (reply === 'reset') throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') })
    if (reply === 'silence') {
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          nowMs += client.attemptTimeoutMs ?? 0
          reject(signal.reason)
        })
        duringSilence()
      })
    }
    return new Response(JSON.stringify(reply.body ?? {}), reply)
  }
  const settings = checkedSettings({ baseUrl: 'http://x', clientId: 'id', clientSecret: 'secret', ...client, fetch })
  const outcome = await call(
    'simSwapCheck',
    { phoneNumber: '917020141726', maxAge: 72 },
    options,
    settings,
    timing,
  ).then(
    (answer) => ({ answer, error: undefined }),
    (error: unknown) => ({
      answer: undefined,
      error: error instanceof RingfenceError ? error : assert.fail(`${error}`),
    }),
  )
  return { ...outcome, requests, pausesMs }
}

const repeated: [string, Reply][] = [
  ['429', { status: 429 }],
  ['502', { status: 502 }],
  ['503', { status: 503 }],
  ['504', { status: 504 }],
  ['a broken connection', 'reset'],
]
for (const [what, reply] of repeated) {
  test(`retries a check after ${what}, at most twice, with growing pauses`, async () => {
    const { answer, requests, pausesMs } = await check([reply, reply, ok])
    assert.deepEqual(answer, swapped)
    assert.equal(requests.length, 3)
    assert.deepEqual(pausesMs, [187.5, 375])
    const given = await check([reply, reply, reply])
    assert.ok(given.error)
    assert.equal(given.requests.length, 3)
  })
}

const final: [string, Reply, RingfenceErrorCode][] = [
  ['400', { status: 400, body: { message: 'm', errorCode: 'P7102', description: 'd' } }, 'invalid_request'],
  ['401', { status: 401, body: { message: 'm', errorCode: '70002', description: 'd' } }, 'invalid_credentials'],
  ['404', { status: 404, body: { message: 'm', errorCode: '70404', description: 'd' } }, 'not_found'],
  ['500', { status: 500 }, 'server'],
  ['an answer outside of the contract', { status: 200 }, 'unexpected_response'],
  ['a redirect', { status: 307, headers: { location: 'http://elsewhere' } }, 'unexpected_response'],
]
for (const [what, reply, code] of final) {
  test(`does not retry a check after ${what}`, async () => {
    const { error, requests, pausesMs } = await check([reply])
    assert.equal(error?.code, code)
    assert.deepEqual([requests.length, pausesMs], [1, []])
  })
}

test('returns success false, and neither throws nor retries', async () => {
  const body = readSamples().SimSwapResult!.failed
  const { answer, requests } = await check([{ status: 200, body }])
  assert.deepEqual(answer, body)
  assert.equal(requests.length, 1)
})

test('a retry sends the same request with the same request id', async () => {
  const { requests } = await check(['reset', ok])
  assert.deepEqual(requests[0], requests[1])
  assert.match(requests[0]!.headers['x-request-id']!, /^[0-9a-f-]{36}$/)
  assert.equal(requests[0]!.body, '{"phoneNumber":"917020141726","maxAge":72}')
})

test('waits for Retry-After, plus a random time', async () => {
  const { pausesMs } = await check([{ status: 429, headers: { 'retry-after': '3' } }, ok])
  assert.deepEqual(pausesMs, [3187.5])
})

test('fails at once when Retry-After is beyond the time limit of the call', async () => {
  const { error, requests, pausesMs } = await check([{ status: 503, headers: { 'retry-after': '60' } }])
  assert.deepEqual([error?.code, error?.retryAfterSeconds], ['overloaded', 60])
  assert.deepEqual([requests.length, pausesMs], [1, []])
})

test('sends once with retries 0', async () => {
  const { error, requests } = await check(['reset'], { retries: 0 })
  assert.equal(error?.code, 'connection')
  assert.equal(requests.length, 1)
})

test('limits pauses to 4 seconds', async () => {
  const { pausesMs } = await check(Array<Reply>(8).fill('reset'), { retries: 7, timeoutMs: 60_000 })
  assert.deepEqual(pausesMs, [187.5, 375, 750, 1500, 3000, 3000, 3000])
})

test('retries an attempt that timed out while the call has time', async (t) => {
  // Otherwise a busy machine could time out the attempt that has an answer, too.
  let timeIsUp = () => {}
  t.mock.method(globalThis, 'setTimeout', (end: () => void) => {
    timeIsUp = end
  })
  const timers = { duringSilence: () => timeIsUp() }
  const { answer, requests } = await check(['silence', ok], { attemptTimeoutMs: 5 }, {}, timers)
  assert.deepEqual(answer, swapped)
  assert.equal(requests.length, 2)
  const spent = await check(['silence'], { attemptTimeoutMs: 5, timeoutMs: 5 }, {}, timers)
  assert.equal(spent.error?.code, 'timeout')
  assert.match(spent.error?.message ?? '', /within 5 ms/)
})

test('a connection error has the reason, the cause and the request id', async () => {
  const { error } = await check(['reset'], { retries: 0 }, { requestId: 'request-1' })
  assert.match(error?.message ?? '', /^No response from http:\/\/x\/v1\/telecom\/sim-swap-check: read ECONNRESET$/)
  assert.equal(error?.requestId, 'request-1')
  assert.ok(error?.cause instanceof TypeError)
})

test('an aborted signal ends the call before sending, during an attempt and during a pause', async () => {
  const before = await check([], {}, { signal: AbortSignal.abort('changed my mind') })
  assert.deepEqual([before.error?.code, before.error?.cause, before.requests], ['aborted', 'changed my mind', []])

  const during = new AbortController()
  const attempt = check(['silence'], {}, { signal: during.signal })
  during.abort('gone')
  assert.deepEqual([(await attempt).error?.code, (await attempt).error?.cause], ['aborted', 'gone'])

  const pausing = new AbortController()
  const pause = await check(
    [{ status: 503 }],
    {},
    { signal: pausing.signal },
    {
      duringPause: () => pausing.abort('gone'),
    },
  )
  assert.deepEqual([pause.error?.code, pause.error?.cause, pause.requests.length], ['aborted', 'gone', 1])
})

test('removes its listener from the signal when the call ends', async () => {
  const { signal } = new AbortController()
  let listeners = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...all: Parameters<typeof add>) => {
    listeners++
    add(...all)
  }
  signal.removeEventListener = (...all: Parameters<typeof remove>) => {
    listeners--
    remove(...all)
  }
  await check(['reset', ok], {}, { signal })
  assert.equal(listeners, 0)
})
