// Does a decision read the lists of its tenant, from the first call on and after each change?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import { eachDatabase } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'
import { decisionCalls } from './testing.ts'

const rule = (id: string, when: string, action: 'REVIEW' | 'CHALLENGE' | 'BLOCK') => ({
  id,
  name: id,
  when,
  action,
  score: 10,
})

eachDatabase(({ engine, open }) => {
  test(`a decision reads lists of several kinds, and follows each change within a second (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, publish } = decisionCalls(service)
    const call = async (name: 'createList' | 'addListEntries' | 'removeListEntries', body: object) => {
      const { status } = await service.post(endpoints[name].path, body)
      assert.equal(status, 200, name)
    }
    await call('createList', { name: 'stolen-cards', kind: 'text', purpose: 'block' })
    await call('createList', { name: 'office', kind: 'ip', purpose: 'allow' })
    await call('createList', { name: 'disposable', kind: 'emailDomain', purpose: 'watch' })
    await call('createList', { name: 'bad-guys', kind: 'email', purpose: 'block' })
    await call('createList', { name: 'bad-mailboxes', kind: 'emailMailbox', purpose: 'watch' })
    await call('createList', { name: 'mules', kind: 'phoneNumber', purpose: 'watch' })
    await publish([
      rule('stolen', 'inList("stolen-cards", params.card) and not inList("office", ip)', 'BLOCK'),
      rule('mail', 'inList("disposable", email.address)', 'CHALLENGE'),
      rule('guy', 'inList("bad-guys", email.address) or inList("bad-guys", params.contact)', 'BLOCK'),
      rule('box', 'inList("bad-mailboxes", email.address) or inList("bad-mailboxes", params.contact)', 'REVIEW'),
      rule('tag', 'email.mailbox == "tagged@gmail.com"', 'REVIEW'),
      rule('mule', 'inList("mules", phoneNumber)', 'REVIEW'),
    ])
    await call('addListEntries', { name: 'stolen-cards', entries: [{ value: 'c1' }] })
    await call('addListEntries', { name: 'office', entries: [{ value: '198.51.100.0/24' }] })
    await call('addListEntries', { name: 'disposable', entries: [{ value: 'mail.example' }] })
    await call('addListEntries', { name: 'bad-guys', entries: [{ value: 'Bad.Guy@Bücher.example' }] })
    await call('addListEntries', { name: 'bad-mailboxes', entries: [{ value: 'One.Person+Shop@GoogleMail.com' }] })
    await call('addListEntries', { name: 'mules', entries: [{ value: '+91 70201 41726' }] })
    service.clock.advance({ seconds: 1 })
    const fired = async (body: object) => {
      const answer = await decide(body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return (answer.body as Decision).rules.fired
    }
    for (const place of ['store', 'memory']) {
      const outside = { ip: '203.0.113.9', params: { card: 'c1' } }
      assert.deepEqual(await fired(outside), ['stolen'], place)
      assert.deepEqual(await fired({ ...outside, ip: '198.51.100.7' }), [], place)
      assert.deepEqual(await fired({ ...outside, params: { card: 'c2' } }), [], place)
      assert.deepEqual(await fired({ email: 'Bob@Mail.Example' }), ['mail'], place)
      assert.deepEqual(await fired({ phoneNumber: '917020141726' }), ['mule'], place)
      for (const guy of ['bad.guy@bücher.example', 'BAD.GUY@xn--bcher-kva.example', 'bad.guy@BÜCHER.example.']) {
        assert.deepEqual(await fired({ email: guy }), ['guy'], `${place} ${guy}`)
        assert.deepEqual(await fired({ userId: 'u', params: { contact: guy } }), ['guy'], `${place} ${guy}`)
      }
      assert.deepEqual(await fired({ email: 'badguy@bücher.example' }), [], place)
      for (const box of ['oneperson@gmail.com', 'one.person+a@gmail.com', 'O.N.E.person@googlemail.com']) {
        assert.deepEqual(await fired({ email: box }), ['box'], `${place} ${box}`)
        assert.deepEqual(await fired({ userId: 'u', params: { contact: box } }), ['box'], `${place} ${box}`)
      }
      assert.deepEqual(await fired({ email: 'oneperson@shop.example' }), [], place)
      assert.deepEqual(await fired({ email: 't.agged+1@gmail.com' }), ['tag'], place)
      await service.parts.rules.lookUps.memory.settled()
    }
    await call('removeListEntries', { name: 'stolen-cards', values: ['c1'] })
    await call('addListEntries', { name: 'stolen-cards', entries: [{ value: 'c2' }] })
    service.clock.advance({ seconds: 1 })
    assert.deepEqual(await fired({ userId: 'u', params: { card: 'c1' } }), [])
    assert.deepEqual(await fired({ userId: 'u', params: { card: 'c2' } }), ['stolen'])
  })
})
