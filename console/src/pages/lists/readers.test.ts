import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIdle, readersOf } from './readers.ts'

const rule = (name: string, when: string) => ({ id: name, name, when, action: 'BLOCK' as const, score: 50 })

test('finds the rules and velocities that read a list, each once', () => {
  const readers = readersOf({
    rules: [
      rule('Mules', 'inList("mules", request.phoneNumber) or not inList("mules", userId)'),
      rule('Names', 'userId == "inList(\\"thieves\\", userId)"'),
      rule('Both', 'inList("ips", ip) and inList("mules", userId)'),
    ],
    velocity: { fromIps: { count: 'decisions', per: 'user', within: '24h', when: 'inList("ips", ip)' } },
  })
  assert.deepEqual(Object.fromEntries(readers), { mules: ['Mules', 'Both'], ips: ['Both', 'velocity.fromIps'] })
})

test('calls a list to block or watch idle when it is known that no rule reads it', () => {
  assert.equal(isIdle({ purpose: 'block' }, []), true)
  assert.equal(isIdle({ purpose: 'watch' }, []), true)
  assert.equal(isIdle({ purpose: 'allow' }, []), false)
  assert.equal(isIdle({ purpose: 'block' }, ['Mules']), false)
  assert.equal(isIdle({ purpose: 'block' }, undefined), false)
})
