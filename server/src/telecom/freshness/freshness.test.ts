import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { operators } from '@ringfence/sandbox'
import { eachDatabase } from '../../testing/databases.ts'
import { answers } from '../answers.ts'
import { knownOfNumber } from '../known-answers.ts'
import { ordinary, type RoutedOptions, type RoutedService, startRoutedService } from '../routing/testing.ts'

const simSwap = endpoints.simSwapCheck.path
const callForwarding = endpoints.callForwardingCheck.path
/** Its SIM was changed 100 hours ago. */
const swapped = '917020140111'
const options: RoutedOptions = {
  routing: { otherwise: [{ connector: 'acme' }] },
  settings: { simSwapReuseSeconds: 600, callForwardingReuseSeconds: 600 },
}

type Ask = (headers?: Record<string, string>) => Promise<string | null>

/** The age of the answer; null: the operator was asked. */
const asking =
  ({ post }: RoutedService, path: string, phoneNumber = ordinary): Ask =>
  async (headers) => {
    const { body, headers: answered } = await post(path, { phoneNumber }, headers)
    assert.equal(body.success, true, JSON.stringify(body))
    return answered.get('age')
  }

/** Answers are stored after the response. */
async function untilStored(ask: Ask): Promise<void> {
  while ((await ask()) === null) await new Promise((later) => setTimeout(later, 10))
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('a caller gets a new answer with no-cache, and one of a certain age with max-age'), async (t) => {
    const service = await startRoutedService(t, await open(t), options)
    const ask = asking(service, simSwap)
    await untilStored(ask)
    service.clock.advance({ seconds: 30 })
    assert.equal(await ask(), '30')
    assert.equal(await ask({ 'cache-control': 'max-age=31' }), '30')
    assert.equal(await ask({ 'cache-control': 'max-age=30' }), null)
    service.clock.advance({ seconds: 5 })
    assert.equal(await ask({ 'cache-control': 'no-cache' }), null)
    // The new answer takes the place of the old one for everybody, for the whole time.
    while ((await ask()) !== '0') await new Promise((later) => setTimeout(later, 10))
    service.clock.advance({ seconds: 599 })
    assert.equal(await ask(), '599')
  })

  test(it('an operator may have its own time for each check'), async (t) => {
    const service = await startRoutedService(t, await open(t), {
      ...options,
      edit: (parts) => ({
        ...parts,
        operators: parts.operators.map((entry) => ({ ...entry, reuseSeconds: { simSwap: 60, callForwarding: 0 } })),
      }),
    })
    const ask = asking(service, simSwap)
    await untilStored(ask)
    service.clock.advance({ seconds: 59 })
    assert.equal(await ask(), '59')
    service.clock.advance({ seconds: 1 })
    assert.equal(await ask(), null)
    const never = asking(service, callForwarding)
    for (let call = 0; call < 3; call++) assert.equal(await never(), null)
  })

  test(it('a check without a setting is reused as the file says, and an operator as its entry says'), async (t) => {
    const service = await startRoutedService(t, await open(t), {
      ...options,
      edit: (parts) => ({
        ...parts,
        reuseSeconds: { simSwap: 5, deviceSwap: 60 },
        operators: parts.operators.map((entry) => ({ ...entry, reuseSeconds: { callForwarding: 20 } })),
      }),
    })
    const deviceSwap = async () => {
      const { body } = await service.post('/v1/telecom/checks', { phoneNumber: ordinary, checks: { deviceSwap: {} } })
      return body.checks.deviceSwap.ageSeconds
    }
    const askSimSwap = asking(service, simSwap)
    const askForwarding = asking(service, callForwarding)
    let age = 0
    while (age === 0) {
      service.clock.advance({ seconds: 1 })
      age = await deviceSwap()
    }
    await untilStored(askSimSwap)
    await untilStored(askForwarding)
    service.clock.advance({ seconds: 15 })
    assert.deepEqual([await deviceSwap(), await askForwarding(), await askSimSwap()], [age + 15, '15', null])
    service.clock.advance({ seconds: 50 })
    assert.deepEqual([await deviceSwap(), await askForwarding()], [0, null])
  })

  test(it('after a SIM swap was learned, no check is answered from before it, by no server'), async (t) => {
    const database = await open(t)
    const service = await startRoutedService(t, database, options)
    const { clock, tenantId, parts: needs } = service
    const { tenantKeyring, log } = needs
    const other = answers({ database, tenantKeyring, clock, log })
    const forwarding = asking(service, callForwarding, swapped)
    await untilStored(forwarding)
    clock.advance({ seconds: 10 })
    // A window without the swap says nothing new.
    await service.post(simSwap, { phoneNumber: swapped, maxAge: 24 })
    assert.equal(await forwarding(), '10')
    assert.equal((await service.post(simSwap, { phoneNumber: swapped, maxAge: 240 })).body.swapped, true)

    const name = 'callForwarding:any@acme'
    const stored = (await other.known(tenantId, swapped)).map((answer) => [
      answer.name.split(':')[0],
      answer.isOutdated,
    ])
    assert.ok(
      stored.some(([check, isOutdated]) => check === 'callForwarding' && isOutdated),
      JSON.stringify(stored),
    )
    const { answer } = await other.find(
      { tenantId, digits: swapped, name, reuseSeconds: 600, call: { signal: new AbortController().signal } },
      async () => 'asked',
    )
    assert.equal(answer, 'asked')
    assert.equal(await forwarding(), null)
    await untilStored(forwarding)
    const known = await knownOfNumber(swapped, { tenantId, consent: undefined }, needs)
    assert.equal(known?.simSwap?.swapped, true)
    clock.advance({ seconds: 20 })
    assert.equal(await forwarding(), '20', 'what was answered after the change is reused')
  })

  test(
    it('after a port was learned, no check is answered by the operator of before, nor when it is back'),
    async (t) => {
      const service = await startRoutedService(t, await open(t), options)
      const { clock, sandbox, asked } = service
      const ask = asking(service, simSwap)
      await untilStored(ask)
      for (const id of ['001-01', '001-02']) {
        clock.advance({ seconds: 10 })
        assert.equal(await ask(), '10')
        sandbox.lines.change(ordinary, { operator: operators.find((each) => each.id === id)! })
        asked()
        assert.equal(await ask(), null)
        assert.deepEqual(asked(), ['acme'])
        await untilStored(ask)
      }
    },
  )

  test(it('a change that somebody else learned counts too, and only for this tenant and number'), async (t) => {
    const service = await startRoutedService(t, await open(t), options)
    const { clock, tenantId, parts: needs } = service
    const [ask, askOther] = [asking(service, simSwap), asking(service, simSwap, '917020141727')]
    await untilStored(ask)
    await untilStored(askOther)
    clock.advance({ seconds: 5 })
    const { id } = await needs.tenantKeyring.createTenant('other')
    await needs.telecom.answers.lines.changed(id, ordinary)
    assert.equal(await ask(), '5')
    await needs.telecom.answers.lines.changed(tenantId, ordinary)
    assert.deepEqual([await ask(), await askOther()], [null, '5'])
  })
})
