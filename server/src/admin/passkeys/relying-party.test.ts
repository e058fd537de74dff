import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../core/errors.ts'
import { relyingPartyOf } from './relying-party.ts'

test('passkeys are made for the host name of the public URL, and used on its origin only', () => {
  assert.deepEqual(relyingPartyOf('https://fraud.example'), { id: 'fraud.example', origin: 'https://fraud.example' })
  const other = { id: 'fraud.example', origin: 'https://fraud.example:8443' }
  assert.deepEqual(relyingPartyOf('https://FRAUD.example:8443'), other)
})

test('a service on a loopback address is localhost, for development', () => {
  for (const host of ['127.0.0.1', '[::1]', '0.0.0.0', '[::]', 'localhost'])
    assert.deepEqual(relyingPartyOf(`http://${host}:8080`), { id: 'localhost', origin: 'http://localhost:8080' }, host)
})

test('without https or a host name, there are no passkeys', () => {
  for (const address of ['http://fraud.example', 'https://203.0.113.7', 'https://[2001:db8::1]:8443'])
    assert.throws(
      () => relyingPartyOf(address),
      (error) => error instanceof Refusal && error.failure === 'passkeysUnavailable',
    )
})
