import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkTo, recognise } from './recognise.ts'

const kindOf = (text: string) => recognise(text)?.kind

test('tells decisions from devices by the version of the UUID', () => {
  assert.equal(kindOf('01a208ff-f430-78ef-9507-d380bbbfbee6'), 'decisionId')
  assert.equal(kindOf('2724B9EA-8069-8b7c-8fb2-5a953bf32ce2'), 'deviceId')
})

test('reads phone numbers as people write them', () => {
  for (const text of ['917020141726', '+91 70201 41726', '0091-70201-41726', '+49 (30) 1234']) {
    assert.equal(kindOf(text), 'phoneNumber', text)
  }
  for (const text of ['＋９１ ７０２０１ ４１７２６', '+39 (0)6 1234 5678', '\u202a+91 70201\u201141726\u202c']) {
    assert.equal(kindOf(text), 'phoneNumber', text)
  }
  assert.equal(recognise(' +91 70201 41726')?.value, '+91 70201 41726', 'the server reads it')
})

test('takes short numbers and words as ids of users', () => {
  for (const text of ['1001', 'u-1001', 'Ångström 7', 'asha@shop']) assert.equal(kindOf(text), 'userId', text)
})

test('recognises IP addresses of both versions', () => {
  for (const text of ['134.157.0.1', '2001:db8::1', '::1']) assert.equal(kindOf(text), 'ipAddress', text)
})

test('recognises email addresses, whatever their case', () => {
  assert.deepEqual(recognise(' Asha@Example.com '), { kind: 'email', name: 'Email address', value: 'asha@example.com' })
})

test('leads each id to its page', () => {
  const pageOf = (text: string) => linkTo(recognise(text)!)
  assert.deepEqual(pageOf('2724B9EA-8069-8b7c-8fb2-5a953bf32ce2'), {
    to: '/devices/2724b9ea-8069-8b7c-8fb2-5a953bf32ce2',
  })
  assert.deepEqual(pageOf('+49 170 1234567'), { to: '/number', hash: '%2B49%20170%201234567' })
  assert.deepEqual(pageOf('0D5F7B9B1C3E4A6F8A7B6C5D4E3F2A1B'), {
    to: '/search',
    hash: 'dfrId=0d5f7b9b1c3e4a6f8a7b6c5d4e3f2a1b',
  })
  assert.deepEqual(linkTo({ kind: 'transaction', value: 'order 1' }), { to: '/search', hash: 'transaction=order%201' })
})

test('finds nothing in an empty text', () => {
  assert.equal(recognise('  '), undefined)
})

test('puts who is searched for into the fragment, escaped', () => {
  assert.deepEqual(linkTo({ kind: 'userId', value: 'a/b?c#d' }), { to: '/user', hash: 'a%2Fb%3Fc%23d' })
  assert.deepEqual(linkTo({ kind: 'phoneNumber', value: '917020141726' }), {
    to: '/number',
    hash: '917020141726',
  })
})
