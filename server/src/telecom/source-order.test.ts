// Are the sources asked in the order of the number's country, and does every answer say why a source counts or not?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Call } from '../clients/call.ts'
import type { SourceOrder } from '../core/config/source-order-settings.ts'
import { parsePhoneNumber } from '../phone/phone-number.ts'
import { testClock } from '../testing/test-clock.ts'
import type { Answers } from './answers.ts'
import { operatorRegistry } from './operator-registry.ts'
import { type AdmittedNumber, operators } from './operators.ts'
import type { PortabilityAnswer, PortabilitySource } from './portability-sources/source.ts'
import { checkSourceOrder, orderSources } from './source-order.ts'

const source = (name: string, answer: Omit<PortabilityAnswer, 'asOf'>, local = false): PortabilitySource => ({
  name,
  local,
  lookUp: async () => ({ ...answer, asOf: 0 }),
})
const file = source('gb-ported', { operator: '234-10', ported: true }, true)
const ranges = source('gb-ranges', { homeOperator: '234-15' }, true)
const tree = source('tree', { operator: '234-20', homeOperator: '234-15', ported: true })
const hub = source('hub', { operator: '234-30' })
const all = [file, ranges, tree, hub]
const british = parsePhoneNumber('447400123456') as AdmittedNumber

const names = (sources: readonly PortabilitySource[]) => sources.map(({ name }) => name)

function open(order?: SourceOrder) {
  const askAlways = {
    find: async (q, ask) => ({ answer: await ask(q.call.signal) }),
    lines: { servedBy: async () => {} } as Partial<Answers['lines']>,
  } as Partial<Answers> as Answers
  return operators({
    registry: operatorRegistry([]),
    order,
    sources: () => all,
    metadata: { origin: 'test', lookUp: () => ({ timeZones: [] }) },
    answers: askAlways,
    portabilityReuseSeconds: 0,
    clock: testClock(),
    log: pino({ level: 'silent' }),
  })
}

test('asks imported data and then the configured sources, unless the configuration says otherwise', () => {
  assert.deepEqual(orderSources(all, 'GB'), { asked: all, leftOut: [] })
  const order = { countries: { GB: ['tree', 'imported'] }, otherwise: ['hub'] }
  const { asked, leftOut, by } = orderSources(all, 'GB', order)
  assert.deepEqual([names(asked), names(leftOut), by], [['tree', 'gb-ported', 'gb-ranges'], ['hub'], 'country'])
  assert.equal(orderSources(all, 'FR', order).by, 'otherwise')
  assert.deepEqual(names(orderSources(all, undefined, order).asked), ['hub'])
  assert.deepEqual(orderSources(all, 'FR', { countries: { GB: [] } }).asked, all)
})

test('gives one set of imported data a place of its own', () => {
  const order = { countries: { GB: ['imported:gb-ported', 'tree', 'imported'] } }
  assert.deepEqual(names(orderSources(all, 'GB', order).asked), ['gb-ported', 'tree', 'gb-ranges'])
  const later = { countries: { GB: ['imported', 'tree', 'imported:gb-ported'] } }
  assert.deepEqual(names(orderSources(all, 'GB', later).asked), ['gb-ranges', 'tree', 'gb-ported'])
})

test('takes the operator from the first source in the order of the country', async () => {
  const call = { signal: new AbortController().signal, provenance: {}, caller: {} } as Call
  const operatorBy = async (order?: SourceOrder) => (await open(order).identify(british, call)).operator?.id
  assert.equal(await operatorBy(), '234-10')
  assert.equal(await operatorBy({ countries: { GB: ['hub', 'imported'] } }), '234-30')
  assert.equal(await operatorBy({ countries: { FR: ['hub'] } }), '234-10')
  assert.equal(await operatorBy({ countries: { GB: [] } }), undefined)
})

test('says of each source whether it counts', async () => {
  const stored = new Map([
    ['tree', { answer: await tree.lookUp(british, {} as never) }],
    ['hub', { answer: await hub.lookUp(british, {} as never) }],
  ]) as Parameters<ReturnType<typeof open>['uses']>[1]
  const uses = async (list: string[]) =>
    Object.fromEntries(await open({ countries: { GB: list } }).uses(british, stored))
  assert.deepEqual(await uses(['imported', 'tree']), { 'gb-ported': 'used', 'gb-ranges': 'used', tree: 'notNeeded' })
  assert.deepEqual(await uses(['hub', 'imported:gb-ported', 'tree']), {
    hub: 'used',
    'gb-ported': 'used',
    tree: 'used',
  })
  assert.deepEqual(await uses(['imported:gb-ported', 'hub']), { 'gb-ported': 'used', hub: 'nothingNew' })
})

test('refuses at start an order that names what is not there', () => {
  const check = (order: SourceOrder) => () => checkSourceOrder(order, new Set(['tree']))
  assert.doesNotThrow(check({ countries: { GB: ['imported', 'tree', 'imported:gb-ported'] } }))
  assert.throws(check({ countries: { UK: ['tree'] } }), /^ConfigurationError: portability\.countries\.UK: no country/)
  assert.throws(check({ countries: { GB: ['tree', 'gb'] } }), /portability\.countries\.GB\.1 is gb, which/)
  assert.throws(check({ otherwise: ['tre'] }), /portability\.otherwise\.0 is tre/)
})
