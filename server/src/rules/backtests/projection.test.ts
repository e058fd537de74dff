// Does a projected input have all that rules read? Every path of the vocabulary, and names that integrators choose.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inputOf } from '../cases.ts'
import { findPath, paths } from '../language/paths.ts'
import { requirementPaths } from '../requirements/required.ts'
import { ruleSetOf } from '../rule-set.ts'
import { pathsReadBy, projectionOf } from './projection.ts'

const valueFor = { flag: true, number: 7, text: 'x', any: 'x' }

test('takes each path of the vocabulary, and nothing else', () => {
  const whole = inputOf(
    Object.fromEntries(paths.map(({ path, kind, values }) => [path, values?.[0] ?? valueFor[kind]])),
  )
  for (const { path, read } of paths) {
    const part = JSON.parse(projectionOf([path])(JSON.stringify(whole)))
    assert.deepEqual(read(part), read(whole), path)
    assert.notEqual(read(part), undefined, path)
    assert.equal(JSON.stringify(part), JSON.stringify(inputOf({ [path]: read(whole) as string })), path)
  }
})

test('takes params whose names are special, and does not change a prototype', () => {
  const json = '{"params":{"__proto__":{"a":1},"a.b":2,"a":3,"constructor":4},"vpn":true}'
  const part = JSON.parse(projectionOf(['params.__proto__', 'params.a.b', 'params.toString'])(json))
  assert.equal(JSON.stringify(part), '{"params":{"__proto__":{"a":1},"a.b":2}}')
  assert.equal(Object.getPrototypeOf(part.params), Object.prototype)
})

test('takes what is absent, null or infinite as it is', () => {
  const project = projectionOf(['params.amount', 'telecom.simSwap.swapped', 'ip'])
  assert.equal(project('{}'), '{}')
  assert.equal(project('{"telecom":null,"params":{}}'), '{"params":{},"telecom":null}')
  const { read } = findPath('params.amount')!
  for (const number of ['1e400', '-1e400', '0.1', '12345678901234567890']) {
    assert.equal(read(JSON.parse(project(`{"params":{"amount":${number}}}`))), Number(number))
  }
})

test('names every path that rules, velocities, lists and requirements read', () => {
  const rule = { id: 'r', name: 'R', action: 'WARN', score: 1 }
  const set = ruleSetOf({
    velocity: {
      cards: { distinct: 'params.card', per: 'device', within: '24h', when: 'not vpn' },
      network: { count: 'decisions', per: 'ipPrefix', within: '1h' },
      shop: { sum: 'params.amount', per: 'params.shop', within: '1h' },
    },
    rules: [
      {
        ...rule,
        when: 'velocity.cards > 3 and inList("a", email.address) or not (ipDetails.country != telecom.country)',
      },
    ],
  })
  assert.deepEqual(
    pathsReadBy([set, set]).sort(),
    [
      ...['deviceId', 'email.address', 'ip', 'ipDetails.country', 'params.amount', 'params.card', 'params.shop'],
      ...['telecom.country', 'velocity.cards', 'vpn'],
      ...requirementPaths,
    ].sort(),
  )
})
