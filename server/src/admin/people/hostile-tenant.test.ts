import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../core/storage/database.ts'
import type { Ending } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { openAuditLine } from '../audit/chain.ts'
import { auditLinesAfter } from '../store/audit-lines.ts'
import { findMember } from '../store/members.ts'
import { openPerson, peopleWithEmail, personOfTenant } from './person.ts'
import { accept, browserOf, join, linkFor, linkIn, maya, password } from './testing.ts'

type Joined = Awaited<ReturnType<typeof accept>>

const squatter = { ...maya, name: 'Mallory', password: 'seven kettles under a bridge' }

/** A service with a second tenant, which belongs to somebody hostile. */
async function scene(t: Ending, database: Database) {
  const service = await startTestService(t, database, { settings: { appRateBurst: 1000 } })
  const { id: hostileId } = await service.parts.tenantKeyring.createTenant('hostile')
  const linkOfHostile = (role: string, email = '') => linkFor(service, role, { tenantId: hostileId, email })
  const signIn = async (who: { email: string; password: string }, code: string, browser = browserOf(service)) => {
    const { status, body } = await browser.call('signIn', { email: who.email, password: who.password, code })
    service.clock.advance({ seconds: 30 })
    return status === 200 ? (body.tenants as { name: string }[]).map(({ name }) => name).join() : body.type
  }
  return {
    service,
    hostileId,
    signIn,
    linkOfHostile,
    squat: async () => accept(service, await linkOfHostile('viewer', maya.email), squatter),
  }
}

const failed = '/problems/console-sign-in-failed'

async function linesOf({ parts: needs }: TestService, tenantId: string) {
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const rows = await auditLinesAfter(needs.database, { tenantId, after: 0, limit: 200 })
  return rows.map((row) => openAuditLine(row, keys))
}

async function storedOf({ parts: needs }: TestService, tenantId: string, { personId }: Joined) {
  return openPerson((await findMember(needs.database, tenantId, personId))!, needs.keyring)
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(
    it('who took an address in one tenant blocks no invitation of another, and each signs in to their own'),
    async (t) => {
      const { service, squat, signIn } = await scene(t, await open(t))
      const mallory = await squat()
      const own = await join(service, 'owner', maya)
      assert.notEqual(own.personId, mallory.personId)
      assert.equal(await signIn(maya, own.code()), 'test')
      assert.equal(await signIn(squatter, mallory.code()), 'hostile')
      assert.equal(await signIn(maya, mallory.code()), failed)
      assert.equal(await signIn(squatter, own.code()), failed)
    },
  )

  test(it('an invitation of another tenant replaces nothing of a person, nor does its removal or reset'), async (t) => {
    const { service, squat, signIn, hostileId, linkOfHostile } = await scene(t, await open(t))
    const own = await join(service, 'owner', maya)
    const owner = await accept(service, await linkOfHostile('owner'), { ...squatter, email: 'm@hostile.example' })
    const mallory = await squat()
    const target = { personId: mallory.personId }
    const change = { 'if-match': '"1"' }
    const reset = await owner.browser.call('resetPerson', target, change)
    assert.equal(reset.status, 200, JSON.stringify(reset.body))
    const again = await accept(service, linkIn(reset.body), squatter)
    assert.equal(again.personId, mallory.personId)
    assert.equal((await own.browser.call('me')).status, 200)
    assert.equal(await signIn(maya, own.code()), 'test')
    const foreign = await owner.browser.call('resetPerson', { personId: own.personId }, change)
    assert.equal(foreign.body.type, '/problems/person-unknown')
    await owner.browser.call('removePerson', target, change)
    assert.equal(await findMember(service.parts.database, hostileId, mallory.personId), undefined)
    assert.equal(await signIn(maya, own.code()), 'test')
    assert.equal(await signIn(squatter, again.code()), failed)
  })

  test(it('the browser of an account of another tenant uses up no attempts of the browser of a person'), async (t) => {
    const { service, squat, signIn } = await scene(t, await open(t))
    const mallory = await squat()
    const own = await join(service, 'owner', maya)
    for (let guess = 0; guess < 30; guess++)
      await mallory.browser.call('signIn', { email: maya.email, password: `guess ${guess}`, code: '123456' })
    const refused = await mallory.browser.call('signIn', { email: maya.email, password, code: own.code() })
    assert.equal(refused.status, 429, 'guesses at one address are bounded, whichever account they are for')
    assert.equal(await signIn(maya, own.code(), own.browser), 'test')
  })

  test(
    it('guesses from the browser of one account at another of the address count as those of strangers'),
    async (t) => {
      const { service, squat } = await scene(t, await open(t))
      const own = await join(service, 'owner', maya)
      const stranger = browserOf(service)
      for (let guess = 0; guess < 10; guess++)
        await stranger.call('signIn', { email: maya.email, password: `guess ${guess}`, code: '123456' })
      const mallory = await squat()
      const { body } = await mallory.browser.call('signIn', { email: maya.email, password, code: own.code() })
      assert.equal(body.type, failed)
    },
  )

  test(
    it('somebody with one password in two tenants gets to the one whose authenticator app has the code'),
    async (t) => {
      const { service, signIn, linkOfHostile } = await scene(t, await open(t))
      const first = await join(service, 'owner', maya)
      const second = await accept(service, await linkOfHostile('owner'), maya)
      for (const browser of [undefined, first.browser, second.browser]) {
        assert.equal(await signIn(maya, second.code(), browser), 'hostile')
        assert.equal(await signIn(maya, first.code(), browser), 'test')
      }
      assert.equal(await signIn(maya, '000000'), failed)
    },
  )

  test(it('whoever has an account may accept an invitation of another tenant with it'), async (t) => {
    const { service, signIn, linkOfHostile } = await scene(t, await open(t))
    const own = await join(service, 'owner', maya)
    const link = await linkOfHostile('viewer', maya.email)
    const opened = await own.browser.call('openInvitation', { link })
    assert.equal(opened.body.person, undefined, 'nothing shows that there is an account')
    const accepted = await own.browser.call('acceptInvitation', { link, ...maya, code: own.code() })
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
    service.clock.advance({ seconds: 30 })
    assert.equal(await signIn(maya, own.code()), 'test,hostile')
    const again = await linkOfHostile('analyst', maya.email)
    await assert.rejects(accept(service, again, squatter), /401/, 'who has an account in the tenant proves it')
  })

  test(it('a wrong password does not tell another tenant with the address where the person is'), async (t) => {
    const { service, squat, hostileId, signIn } = await scene(t, await open(t))
    const mallory = await squat()
    const own = await join(service, 'owner', maya)
    const before = [await linesOf(service, service.tenantId), await linesOf(service, hostileId)]
    await signIn({ ...maya, password: 'a typing mistake' }, own.code(), own.browser)
    await signIn({ ...maya, password: 'a typing mistake' }, own.code())
    await signIn(maya, own.code())
    await signIn(maya, '000000')
    const since = async (tenantId: string, count: number) =>
      (await linesOf(service, tenantId))
        .slice(count)
        .map(({ action, details }) => [action, details.wrong, 'ipAddress' in details])
    assert.deepEqual(await since(service.tenantId, before[0]!.length), [
      ['signInFailed', 'password', true],
      ['signInFailed', 'password', false],
      ['signIn', undefined, true],
      ['signInFailed', 'code', true],
    ])
    assert.deepEqual(await since(hostileId, before[1]!.length), [
      ['signInFailed', 'password', false],
      ['signInFailed', 'password', false],
    ])
    assert.ok(mallory.personId)
  })

  test(
    it('accounts of one address have one salt, so that a sign-in takes as long for one as for several'),
    async (t) => {
      const { service, squat, hostileId } = await scene(t, await open(t))
      const mallory = await squat()
      const own = await join(service, 'owner', maya)
      const saltOf = async (tenantId: string, joined: Joined) =>
        (await storedOf(service, tenantId, joined)).password!.salt
      const salt = await saltOf(hostileId, mallory)
      assert.equal(await saltOf(service.tenantId, own), salt)
      const newPassword = 'another long sentence'
      const change = { password, code: own.code(), newPassword }
      assert.equal((await own.browser.call('changePassword', change)).status, 200)
      assert.equal(await saltOf(service.tenantId, own), salt)
      const other = await join(service, 'viewer', { ...maya, email: 'tim@store.example' })
      assert.notEqual(await saltOf(service.tenantId, other), salt)
    },
  )

  test(it('a session proves again who it is with the factors of its own account only'), async (t) => {
    const { service, squat } = await scene(t, await open(t))
    const mallory = await squat()
    const own = await join(service, 'owner', maya)
    const newPassword = 'another long sentence'
    const foreign = { password, code: own.code(), newPassword }
    assert.equal((await mallory.browser.call('changePassword', foreign)).body.type, failed)
    service.clock.advance({ seconds: 30 })
    const right = { password: squatter.password, code: mallory.code(), newPassword }
    assert.equal((await mallory.browser.call('changePassword', right)).status, 200)
  })

  test(it('accounts that an older server made sign in as before, and are found by invitation and reset'), async (t) => {
    const database = await open(t)
    const { service, signIn, linkOfHostile } = await scene(t, database)
    const own = await join(service, 'owner', maya)
    const shared = await linkOfHostile('viewer')
    await own.browser.call('acceptInvitation', { link: shared, ...maya, code: own.code() })
    service.clock.advance({ seconds: 30 })
    await database.query('update person_role set email_hash = null')
    assert.equal(await signIn(maya, own.code()), 'test,hostile')
    await assert.rejects(accept(service, await linkOfHostile('owner', maya.email), squatter), /401/)
    const { keyring } = service.parts
    assert.equal((await personOfTenant(database, service.tenantId, maya.email, keyring))?.id, own.personId)
  })

  test(
    it('of two links of a tenant that are accepted at once with one email address, one makes an account'),
    async (t) => {
      const { service } = await scene(t, await open(t))
      const links = [await linkFor(service, 'viewer'), await linkFor(service, 'viewer')]
      const accepted = await Promise.allSettled(links.map((link) => accept(service, link, maya)))
      assert.deepEqual(accepted.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      const { database, keyring } = service.parts
      assert.equal((await peopleWithEmail(database, maya.email, keyring)).length, 1)
    },
  )
})
