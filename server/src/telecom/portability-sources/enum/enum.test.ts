// Does the ENUM source say what a zone states, and never more? Against nsd, and against sockets that misbehave.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { suite, test } from 'node:test'
import { decode, encode, streamDecode, streamEncode } from 'dns-packet'
import fc from 'fast-check'
import { ConfigurationError } from '../../../core/config/config.ts'
import { openKind } from '../../../core/config/open-kind.ts'
import type { Ending } from '../../../testing/at-end.ts'
import { freePorts } from '../../../testing/free-ports.ts'
import { UpstreamError } from '../../../upstream/upstream-error.ts'
import { portabilitySourceKinds } from '../index.ts'
import type { SourceResources } from '../source.ts'
import { inquiry, phoneNumber, stoppedClock } from '../test-numbers.ts'
import { naptr, startNsd, whyWithoutNsd } from './testing.ts'

const home = { 4179: '228-01' }

function open(t: Ending, servers: readonly string[], more: object = {}) {
  const clock = stoppedClock()
  const outcomes: string[] = []
  const metrics = {
    observe: (_: string, __: number, ...labels: string[]) => outcomes.push(labels[2]!),
    set: () => undefined,
  }
  const entry = { type: 'enum', zone: 'e164.test', servers, timeoutMs: 10_000, ...more }
  const source = openKind('portabilitySources', 'enum', entry, portabilitySourceKinds, {
    clock,
    metrics,
  } as unknown as SourceResources)
  t.after(() => source.close?.())
  const ask = (digits: string, options: object = {}) =>
    source.lookUp(phoneNumber(digits, '41'), { ...inquiry, ...options })
  const statement = async (digits: string) => {
    const { asOf, ...said } = (await ask(digits)) ?? {}
    return asOf === undefined ? undefined : said
  }
  return { ask, statement, clock, outcomes, source }
}

suite('with nsd', { skip: await whyWithoutNsd() }, () => {
  test('reads the forms in which zones state operators', async (t) => {
    const server = await startNsd(t, [
      naptr('41791000001', 'tel:\\1;npdi;spn=41077;q_stat=001'),
      naptr('41791000002', 'tel:\\1;npdi;spn=41079'),
      naptr('41791000003', 'tel:+41791000003;npdi;rn=D2701;rn-context=+7'),
      naptr('41791000004', 'tel:\\1;npdi'),
      naptr('41791000005', 'tel:\\1;mcc=310;mnc=012'),
      naptr('41791000006', 'tel:\\1;npdi;spn=99999'),
      naptr('41791000007', 'tel:\\1;spn=41077'),
      naptr('41791000008', 'tel:\\1'),
      naptr('41761000009', 'tel:\\1;npdi;spn=41077'),
      naptr('41791000010', 'sip:a@b.example', { services: 'E2U+sip' }),
    ])
    const { statement } = open(t, [server], {
      home,
      spn: { 41077: '228-02', 41079: '228-01' },
      rn: { d27: '250-01', d: '250-99' },
    })
    const homeOperator = '228-01'
    assert.deepEqual(await statement('41791000001'), { operator: '228-02', homeOperator, ported: true })
    assert.deepEqual(await statement('41791000002'), { operator: '228-01', homeOperator, ported: false })
    assert.deepEqual(await statement('41791000003'), { operator: '250-01', homeOperator, ported: true })
    assert.deepEqual(await statement('41791000004'), { homeOperator, ported: false })
    assert.deepEqual(await statement('41791000005'), { operator: '310-012', homeOperator })
    assert.deepEqual(await statement('41791000006'), { operator: 'spn:99999', homeOperator })
    assert.deepEqual(await statement('41791000007'), { operator: '228-02', homeOperator })
    assert.deepEqual(await statement('41791000008'), { homeOperator })
    assert.deepEqual(await statement('41761000009'), { operator: '228-02' })
    assert.equal(await statement('41791000010'), undefined)
    assert.equal(await statement('41791999999'), undefined)
  })

  test('takes the first record by order and then preference', async (t) => {
    const server = await startNsd(t, [
      naptr('41791000001', 'tel:\\1;npdi;rn=3', { order: 200, preference: 1 }),
      naptr('41791000001', 'tel:\\1;npdi;rn=2', { preference: 20 }),
      naptr('41791000001', 'tel:\\1;npdi;rn=1', { preference: 10 }),
      naptr('41791000001', 'sip:a@b.example', { order: 1, services: 'E2U+sip' }),
    ])
    const { statement } = open(t, [server], { rn: { 1: 'ch:first', 2: 'ch:second', 3: 'ch:third' } })
    assert.deepEqual(await statement('41791000001'), { operator: 'ch:first', ported: true })
  })

  test('asks over TCP for an answer that is too long for a datagram', async (t) => {
    const many = Array.from({ length: 40 }, (_, i) =>
      naptr('41791000001', `tel:\\1;npdi;rn=${String(i).padStart(2, '0')};q_stat=${'0'.repeat(40)}`, {
        order: 100 + i,
      }),
    )
    const { statement } = open(t, [await startNsd(t, many)], { rn: { '00': 'ch:first' } })
    assert.deepEqual(await statement('41791000001'), { operator: 'ch:first', ported: true })
  })

  test('keeps an answer for its time to live, and that there is none', async (t) => {
    const server = await startNsd(t, [naptr('41791000001', 'tel:\\1;npdi')])
    const { ask, clock, outcomes } = open(t, [server])
    for (const digits of ['41791000001', '41791000002']) for (let i = 0; i < 3; i++) await ask(digits)
    assert.equal(outcomes.length, 2)
    clock.advance(60_000)
    await ask('41791000002')
    assert.equal(outcomes.length, 3, 'the minimum of the SOA record has passed')
    assert.equal((await ask('41791000001'))?.asOf, clock.now() - 60_000)
    clock.advance(240_000)
    await ask('41791000001')
    assert.equal(outcomes.length, 4)
    await ask('41791000001', { maxAgeSeconds: 0 })
    assert.equal(outcomes.length, 5, 'the caller wanted a new one')
  })

  test('keeps no more answers than configured', async (t) => {
    const { ask, outcomes } = open(t, [await startNsd(t, [])], { cacheEntries: 2 })
    for (const last of [1, 2, 3, 3, 2, 1]) await ask(`4179100000${last}`)
    assert.equal(outcomes.length, 4)
  })

  test('fails for a zone that the server does not have, and for another number in the record', async (t) => {
    const server = await startNsd(t, [
      naptr('41791000001', 'tel:+41791000002;npdi'),
      '2.0.0.0.0.0.1.9.7.1.4 NAPTR 1 1 "u" "E2U+pstn:tel" "!^((.*)*)*$!tel:\\\\1;npdi!" .',
    ])
    const { ask } = open(t, [server])
    await assert.rejects(ask('41791000001'), { reason: 'format', message: /another number/ })
    await assert.rejects(ask('41791000002'), { reason: 'format', message: /an expression beyond/ })
    await assert.rejects(open(t, [server], { zone: 'e164.elsewhere' }).ask('41791000001'), { reason: 'status' })
  })

  test('fails for a zone that the server cannot read: SERVFAIL is not "not ported"', async (t) => {
    const { ask, outcomes } = open(t, [await startNsd(t, [])], { zone: 'broken.test' })
    for (let i = 0; i < 2; i++) {
      await assert.rejects(ask('41791000001'), { reason: 'status', message: /answered with code 2/ })
    }
    assert.equal(outcomes.length, 2, 'a failure is not kept')
  })

  test('follows aliases, and knows nothing of a number whose aliases go in a circle or out of the zone', async (t) => {
    const alias = (digits: string, to: string) => `${[...digits].reverse().join('.')} CNAME ${to}`
    const nameOf = (digits: string) => `${[...digits].reverse().join('.')}.e164.test.`
    const server = await startNsd(t, [
      naptr('41791000001', 'tel:\\1;npdi;rn=1'),
      alias('41791000002', nameOf('41791000001')),
      alias('41791000003', nameOf('41791000004')),
      alias('41791000004', nameOf('41791000003')),
      alias('41791000005', nameOf('41791000005')),
      alias('41791000006', 'elsewhere.example.'),
      ...Array.from({ length: 60 }, (_, i) => alias(`417920000${10 + i}`, nameOf(`417920000${11 + i}`))),
    ])
    const { statement } = open(t, [server], { rn: { 1: 'ch:first' } })
    assert.deepEqual(await statement('41791000002'), { operator: 'ch:first', ported: true })
    for (const last of [3, 4, 5, 6]) assert.equal(await statement(`4179100000${last}`), undefined, String(last))
    assert.equal(await statement('41792000010'), undefined, 'a chain of 60')
  })

  test('asks the next server when the first one is closed', async (t) => {
    const server = await startNsd(t, [naptr('41791000001', 'tel:\\1;npdi')])
    const [closed] = await freePorts(1)
    assert.deepEqual(await open(t, [`127.0.0.1:${closed}`, server]).statement('41791000001'), { ported: false })
  })
})

/** A server whose every answer is what `answer` makes of a right one. */
async function strangeServer(t: Ending, answer: (right: Buffer) => Buffer[] | Promise<Buffer[]>, port = 0) {
  const socket = createSocket('udp4')
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  const ports: number[] = []
  socket.on('message', async (message, { port, address }) => {
    ports.push(port)
    const { id = 0, questions = [] } = decode(message)
    const data = {
      order: 1,
      preference: 1,
      flags: 'u',
      services: 'E2U+pstn:tel',
      regexp: '!^(.*)$!tel:\\1;npdi!',
      replacement: '',
    }
    const answers = [{ type: 'NAPTR' as const, name: questions[0]!.name, ttl: 0, data }]
    const right = encode({ type: 'response', id, questions, answers })
    for (const each of await answer(right)) socket.send(each, port, address)
  })
  return { address: `127.0.0.1:${(socket.address() as AddressInfo).port}`, ports }
}

test('ignores datagrams with another id, another question or garbage, and takes the right one after them', async (t) => {
  const server = await strangeServer(t, (right) => {
    const otherId = Buffer.from(right)
    otherId[0]! ^= 0xff
    const otherQuestion = Buffer.from(right)
    otherQuestion[13] = 0x38
    return [otherId, otherQuestion, Buffer.from('garbage'), Buffer.alloc(0), right]
  })
  assert.deepEqual(await open(t, [server.address]).statement('41791000001'), { ported: false })
})

/** Sets the flag "truncated", so that the question comes again over TCP. */
function truncated(right: Buffer): Buffer[] {
  right[2]! |= 2
  return [right]
}

/** UDP and TCP on the same port: over UDP, all is truncated. `send` writes the answer to the question. */
async function strangeTcpServer(t: Ending, send: (socket: Socket, id: number, name: string) => void): Promise<string> {
  // The system's own port of a datagram socket may be that of somebody's connection.
  const [port] = await freePorts(1)
  const { address } = await strangeServer(t, truncated, port)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', (query: Buffer) => {
      const { id = 0, questions = [] } = streamDecode(query)!
      send(socket, id, questions[0]!.name)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return address
}

const manyRecords = (id: number, name: string, regexp: (i: number) => string, count: number) =>
  streamEncode({
    type: 'response',
    id,
    questions: [{ type: 'NAPTR', name }],
    answers: Array.from({ length: count }, (_, i) => ({
      type: 'NAPTR' as const,
      name,
      ttl: 0,
      data: { order: i, preference: 1, flags: 'u', services: 'E2U+pstn:tel', regexp: regexp(i), replacement: '' },
    })),
  })

test('reads the longest answer there is, whatever the records before the one that counts are', async (t) => {
  const count = 700
  for (const regexp of ['!^.*.*.*00000$!tel:\\1!', '!^(.*)*(.*)*z$!tel:\\1!']) {
    const server = await strangeTcpServer(t, (socket, id, name) =>
      socket.end(manyRecords(id, name, (i) => (i === count - 1 ? '!^(.*)$!tel:\\1;npdi!' : regexp), count)),
    )
    assert.deepEqual(await open(t, [server]).statement('41791000001'), { ported: false })
  }
})

test('fails in time for an answer over TCP that drips, ends early, is too long or answers something else', async (t) => {
  const answer = (id: number, name: string) => manyRecords(id, name, () => '!^(.*)$!tel:\\1;npdi!', 100)
  const dripping = await strangeTcpServer(t, (socket, id, name) => {
    const bytes = answer(id, name)
    let at = 0
    const timer = setInterval(() => socket.write(bytes.subarray(at, ++at)), 5)
    socket.on('close', () => clearInterval(timer))
  })
  await assert.rejects(open(t, [dripping], { timeoutMs: 200 }).ask('41791000001'), { reason: 'timeout' })
  const early = await strangeTcpServer(t, (socket, id, name) => socket.end(answer(id, name).subarray(0, -1)))
  await assert.rejects(open(t, [early]).ask('41791000001'), { reason: 'unreachable' })
  const endless = await strangeTcpServer(t, (socket) => socket.write(Buffer.alloc(1_000_000, 0xff)))
  await assert.rejects(open(t, [endless]).ask('41791000001'), { reason: 'format' })
  const other = await strangeTcpServer(t, (socket, id, name) => socket.end(answer(id ^ 1, name)))
  await assert.rejects(open(t, [other]).ask('41791000001'), { reason: 'format' })
})

test('survives any datagram: it is ignored, or states something that the right one could', async (t) => {
  let damage: (right: Buffer) => Buffer = (right) => right
  const { address } = await strangeServer(t, (right) => [damage(right)])
  const { ask } = open(t, [address], { timeoutMs: 50, cacheEntries: 0 })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(120), fc.nat(255)), { minLength: 1, maxLength: 4 }), async (changes) => {
      damage = (right) => {
        for (const [at, byte] of changes) if (at < right.length) right[at] = byte
        return right
      }
      const outcome = await ask('41791000001').catch((error) => error)
      if (outcome instanceof UpstreamError) return
      assert.equal(outcome?.operator, undefined)
    }),
    { numRuns: 60 },
  )
})

test('asks each question from a port of its own', async (t) => {
  const all = Promise.withResolvers<void>()
  // The system may give the port of a question that was answered to the next one.
  const { address, ports } = await strangeServer(t, async (right) => {
    if (ports.length === 8) all.resolve()
    await all.promise
    return [right]
  })
  const { ask } = open(t, [address])
  await Promise.all(Array.from({ length: 8 }, (_, i) => ask(`4179100000${i}`)))
  assert.equal(new Set(ports).size, 8)
})

test('fails in time when nothing or SERVFAIL comes, and never says not ported', async (t) => {
  const silent = await strangeServer(t, () => [])
  await assert.rejects(open(t, [silent.address], { timeoutMs: 50 }).ask('41791000001'), { reason: 'timeout' })
  const failing = await strangeServer(t, (right) => {
    right[3] = 2
    return [right]
  })
  await assert.rejects(open(t, [failing.address]).ask('41791000001'), { reason: 'status', message: /code 2/ })
})

test('gives up at the deadline of the request, and refuses more questions than configured', async (t) => {
  const silent = await strangeServer(t, () => [])
  const { ask, source } = open(t, [silent.address], { timeoutMs: 10_000, concurrentCalls: 1 })
  await assert.rejects(ask('41791000001', { signal: AbortSignal.timeout(20) }), { name: 'TimeoutError' })
  await assert.rejects(ask('41791000002'), { reason: 'overloaded' })
  const waiting = ask('41791000001')
  await Promise.all([source.close?.(), assert.rejects(waiting, /stopping/)])
})

test('is not asked about other calling codes', async (t) => {
  const { ask } = open(t, ['127.0.0.1:1'], { callingCodes: ['44'] })
  assert.equal(await ask('41791000001'), undefined)
})

test('refuses a configuration that cannot work, with its path', () => {
  const entry = { type: 'enum', zone: 'e164.test', servers: ['127.0.0.1'] }
  const refusal = (more: object) => {
    try {
      openKind('portabilitySources', 'x', { ...entry, ...more }, portabilitySourceKinds, {} as SourceResources)
    } catch (error) {
      assert.ok(error instanceof ConfigurationError)
      return error.message
    }
    return undefined
  }
  assert.match(refusal({ servers: ['999.0.0.1'] })!, /^portabilitySources\.x: servers\.0 is 999\.0\.0\.1/)
  assert.match(refusal({ servers: ['127.0.0.1:70000'] })!, /a port from 1 to 65535/)
  assert.match(refusal({ servers: ['ns.example'] })!, /^portabilitySources\.x\.servers/)
  assert.match(refusal({ spn: { 41077: 'ACME' } })!, /spn\.41077 is ACME; expected an operator id/)
  assert.match(refusal({ home: { '+41': '228-01' } })!, /home\.\+41/)
  assert.match(refusal({ zone: '' })!, /portabilitySources\.x\.zone/)
})
