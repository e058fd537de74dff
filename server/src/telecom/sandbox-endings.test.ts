import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { type CountryCode, getExampleNumber } from 'libphonenumber-js/max'
import metadata from 'libphonenumber-js/max/metadata'
import examples from 'libphonenumber-js/mobile/examples'
import { parsePhoneNumber } from '../phone/phone-number.ts'
import { sqliteDatabases } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'

test('the sandbox endings hold in every territory, whatever prefix data say about the number', async (t) => {
  const { post } = await startTestService(t, await sqliteDatabases.open(t), { settings: { deadlineMs: 30_000 } })
  const withoutNumber: string[] = []
  for (const territory of Object.keys(metadata.countries) as CountryCode[]) {
    const swapped = numberEnding(territory, '0110')
    const unknown = numberEnding(territory, '0132')
    if (!swapped || !unknown) {
      withoutNumber.push(territory)
      continue
    }
    const found = await post(endpoints.simSwapCheck.path, { phoneNumber: swapped })
    assert.equal(found.body.swapped, true, `${swapped} (${territory}): ${JSON.stringify(found.body)}`)
    const failed = await post(endpoints.simSwapCheck.path, { phoneNumber: unknown })
    assert.equal(failed.body.error?.errorCode, 'P7301', `${unknown} (${territory}): ${JSON.stringify(failed.body)}`)
  }
  assert.deepEqual(withoutNumber, ['NU'], 'only Niue has no number that ends in 01xx')
})

test('an operator that asks for a pause of a second about one number is asked about the next one after it', async (t) => {
  const { post, clock } = await startTestService(t, await sqliteDatabases.open(t), { settings: { deadlineMs: 30_000 } })
  const failed = await post(endpoints.simSwapCheck.path, { phoneNumber: numberEnding('IN', '0152') })
  assert.equal(failed.body.error?.errorCode, 'P7314')
  const running = setInterval(() => clock.advance({ ms: 50 }), 20)
  t.after(() => clearInterval(running))
  const next = ['0110', '0111', '0113'].map((ending) => numberEnding('IN', ending))
  const found = await Promise.all(next.map((phoneNumber) => post(endpoints.simSwapCheck.path, { phoneNumber })))
  assert.deepEqual(
    found.map(({ body }) => body.success),
    [true, true, true],
    JSON.stringify(found.map(({ body }) => body)),
  )
})

/** A valid number like the territory's example of a mobile number, with this ending. */
function numberEnding(territory: CountryCode, ending: string): string | undefined {
  const example = getExampleNumber(territory, examples)?.number.slice(1)
  if (!example) return undefined
  const variants = Array.from({ length: 1000 }, (_, n) => example.slice(0, -7) + String(n).padStart(3, '0') + ending)
  return [example.slice(0, -4) + ending, ...variants].find(
    (digits) => digits.length === example.length && parsePhoneNumber(digits),
  )
}
