import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wayBack } from './loopback.ts'

const callback = (host: string) => ({
  hostname: new URL(`http://${host}`).hostname,
  href: `http://${host}/console/sso/callback/c?code=x&state=s`,
})

test('leads back to the name under which the sign-in began, on the same port', () => {
  assert.equal(
    wayBack(callback('127.0.0.1:8080'), 's_at_localhost'),
    'http://localhost:8080/console/sso/callback/c?code=x&state=s',
  )
  assert.equal(wayBack(callback('localhost:8080'), 's_at_ipv6')?.slice(0, 17), 'http://[::1]:8080')
})

test('leads nowhere when it is there already, says no name, or is not on this machine', () => {
  assert.equal(wayBack(callback('localhost:8080'), 's_at_localhost'), undefined)
  assert.equal(wayBack(callback('127.0.0.1:8080'), 's'), undefined)
  assert.equal(wayBack(callback('127.0.0.1:8080'), 's_at_evil.example'), undefined)
  assert.equal(wayBack(callback('console.shop.example'), 's_at_localhost'), undefined)
})
