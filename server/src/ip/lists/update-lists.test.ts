import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parseAddress } from '../../core/address/address.ts'
import { longestWaitMs } from '../../core/files/newer-files.ts'
import { atEnd } from '../../testing/at-end.ts'
import { holdTimers } from '../../testing/held-timers.ts'
import { testClock } from '../../testing/test-clock.ts'
import { startPublisher } from '../testing/publisher.ts'
import { openAddressListLookUp } from './address-list-look-up.ts'
import { addressListFile, updateLists } from './update-lists.ts'

async function start(t: TestContext) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'ringfence-lists-'))
  atEnd(t, () => rm(dataFolder, { recursive: true }))
  holdTimers(t, longestWaitMs) // a look waits for the disk, however slow it is
  const clock = testClock()
  const errors: string[] = []
  const lookUp = openAddressListLookUp({
    dataFolder,
    clock,
    log: { error: (_: object, text: string) => errors.push(text) } as never,
  })
  const publisher = await startPublisher(t)
  const lists = {
    tor: { kind: 'tor', url: `${publisher.url}/tor` },
    abuse: { kind: 'abuse', url: `${publisher.url}/abuse` },
  } as const
  return {
    dataFolder,
    clock,
    errors,
    publisher,
    update: (options = {}) => updateLists({ dataFolder, lists, now: clock.now(), ...options }),
    find: (address: string) => lookUp.find(parseAddress(address)!),
    async isOn(kind: 'tor' | 'abuse', address: string) {
      clock.advance({ seconds: 10 })
      return (await lookUp.find(parseAddress(address)!))?.lists.some((list) => list.kind === kind) ?? false
    },
  }
}

test('data update: a running server uses the lists without a restart', async (t) => {
  const { publisher, update, isOn } = await start(t)
  assert.equal(await isOn('tor', '8.8.8.8'), false)
  publisher.answers['/tor'] = { body: '8.8.8.8\n' }
  publisher.answers['/abuse'] = { body: '9.9.9.0/24\n' }
  assert.deepEqual(await update(), [
    { name: 'tor', outcome: 'updated', entries: 1 },
    { name: 'abuse', outcome: 'updated', entries: 1 },
  ])
  assert.equal(await isOn('tor', '8.8.8.8'), true)
  publisher.answers['/tor'] = { body: '8.8.4.4\n' }
  await update()
  assert.equal(await isOn('tor', '8.8.8.8'), false)
  assert.equal(await isOn('tor', '8.8.4.4'), true)
  assert.equal(await isOn('abuse', '9.9.9.77'), true)
})

test('an update that fetched nothing leaves the lists unknown, not empty', async (t) => {
  const { update, find, clock } = await start(t)
  assert.equal(await find('8.8.8.8'), undefined)
  const outcomes = (await update()).map(({ outcome }) => outcome)
  assert.deepEqual(outcomes, ['missing', 'missing'])
  clock.advance({ seconds: 10 })
  assert.equal(await find('8.8.8.8'), undefined)
})

test('keeps the old data after a failed download, and says why', async (t) => {
  const { publisher, update, isOn, clock } = await start(t)
  publisher.answers['/tor'] = { body: '8.8.8.8\n' }
  assert.deepEqual(await update(), [
    { name: 'tor', outcome: 'updated', entries: 1 },
    { name: 'abuse', outcome: 'missing', entries: 0, reason: 'HTTP 404' },
  ])
  for (const [answer, reason] of [
    [{ status: 500, body: '' }, 'HTTP 500'],
    [{ body: '<html>maintenance</html>' }, 'it names no IP address'],
    [{ body: '0.0.0.0/0' }, 'it names a block of /0, which is too wide to be plausible'],
  ] as const) {
    publisher.answers['/tor'] = answer
    clock.advance({ seconds: 60 })
    const [tor] = await update()
    assert.deepEqual(tor, { name: 'tor', outcome: 'kept', entries: 1, reason })
    assert.equal(await isOn('tor', '8.8.8.8'), true)
  }
  const unreachable = await update({
    fetch: () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })),
  })
  assert.equal(unreachable[0]?.reason, 'fetch failed: ECONNREFUSED')
  assert.equal(await isOn('tor', '8.8.8.8'), true)
})

test('requires --force for a list that lost more than half of its entries', async (t) => {
  const { publisher, update } = await start(t)
  publisher.answers['/tor'] = { body: '8.8.8.1\n8.8.8.3\n8.8.8.5\n' }
  await update()
  publisher.answers['/tor'] = { body: '8.8.8.1\n' }
  assert.match((await update())[0]?.reason ?? '', /it has 1 entries, and the one in use 3; --force accepts it$/)
  assert.equal((await update({ force: true }))[0]?.outcome, 'updated')
})

test('reports a damaged file once, continues with the previous lists and leaves no draft behind', async (t) => {
  const { publisher, update, isOn, dataFolder, errors } = await start(t)
  publisher.answers['/tor'] = { body: '8.8.8.8\n' }
  await update()
  assert.equal(await isOn('tor', '8.8.8.8'), true)
  await writeFile(addressListFile(dataFolder), 'garbage that is long enough for a head')
  assert.equal(await isOn('tor', '8.8.8.8'), true)
  assert.equal(await isOn('tor', '8.8.8.8'), true)
  assert.deepEqual(errors, ['cannot use the newer IP address lists; continuing with the previous ones'])
  await update()
  assert.equal(await isOn('tor', '8.8.8.8'), true)
  assert.deepEqual((await readdir(dirname(addressListFile(dataFolder)))).toSorted(), ['anonymity.bin', 'tor.list'])
})
