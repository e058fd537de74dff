import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import metadata from 'libphonenumber-js/max/metadata'
import { type PhoneNumber, parsePhoneNumber, soleTerritoryOf } from './phone-number.ts'

test('parses 917020141726 as an Indian mobile number', () => {
  assert.deepEqual(parsePhoneNumber('917020141726'), {
    digits: '917020141726',
    callingCode: '91',
    country: 'IN',
    type: 'MOBILE',
  })
})

test('returns no country for a calling code without a territory', () => {
  assert.deepEqual(parsePhoneNumber('80012345678'), { digits: '80012345678', callingCode: '800', type: 'TOLL_FREE' })
})

test('returns the territory of the number, not the main one of its calling code', () => {
  const countries = {
    '14165550123': 'CA',
    '12685550123': undefined,
    '12684641234': 'AG',
    '441481960194': 'GG',
    '77710009998': 'KZ',
  }
  for (const [digits, country] of Object.entries(countries))
    assert.equal(parsePhoneNumber(digits)?.country, country, digits)
})

test('accepts the Australian mobile numbers reserved for fiction', () => {
  for (const digits of ['61491570006', '61491570156', '61491570157', '61491570158', '61491570159', '61491570110']) {
    assert.equal(parsePhoneNumber(digits)?.type, 'MOBILE', digits)
  }
})

test('refuses plus signs, spaces, letters and invalid numbers', () => {
  const refused = {
    'a plus sign': '+917020141726',
    spaces: '91 7020141726',
    'a space before': ' 917020141726',
    'a line feed after': '917020141726\n',
    letters: '9170201417AB',
    'digits of another script': '٩١٧٠٢٠١٤١٧٢٦',
    'an international prefix': '00917020141726',
    nothing: '',
    'one digit': '9',
    'a calling code alone': '91',
    'forty digits': '9'.repeat(40),
    'an unassigned calling code': '99999991000',
    'an unassigned range': '346661113334',
    'a digit too few': '91702014172',
    'a digit too many': '9170201417260',
    'a national prefix': '4402079460123',
    'the Argentine 15 of national dialling': '54111523456789',
    'more digits than E.164 allows, though valid within Germany': '49800705071316525',
  }
  for (const [what, text] of Object.entries(refused)) assert.equal(parsePhoneNumber(text), undefined, what)
})

test('keeps a leading digit that looks like a national prefix where it belongs to the number', () => {
  assert.equal(parsePhoneNumber('78005553535')?.type, 'TOLL_FREE')
  assert.equal(parsePhoneNumber('390612345678')?.country, 'IT')
})

test('returns no sole territory for a number that is valid in several', () => {
  const territories = {
    '18005550199': undefined,
    '12015550123': 'US',
    '447400123456': 'GB',
    '917020141726': 'IN',
    '80012345678': undefined,
  }
  for (const [digits, territory] of Object.entries(territories)) {
    assert.equal(soleTerritoryOf(parsePhoneNumber(digits)!), territory, digits)
  }
})

test('agrees with libphonenumber-js/max on numbers of every plan and line type, right and nearly right', () => {
  const differing = []
  const seen = { valid: 0, invalid: 0 }
  for (const text of numbersOfEveryPlan()) {
    const ours = parsePhoneNumber(text)
    const theirs = parsedByLibrary(text)
    seen[theirs ? 'valid' : 'invalid']++
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) differing.push({ text, ours, theirs })
  }
  assert.deepEqual(differing, [])
  assert.ok(seen.valid > 8_000 && seen.invalid > 8_000, JSON.stringify(seen))
})

/** What the library's parser makes of the E.164 form, with the two divergences that parsePhoneNumber documents. */
function parsedByLibrary(text: string): PhoneNumber | undefined {
  const parsed = parsePhoneNumberFromString(`+${text}`)
  if (!parsed?.isValid() || parsed.number !== `+${text}` || text.length > 15) return undefined
  const { countryCallingCode: callingCode, country } = parsed
  const type = country === 'TA' ? 'FIXED_LINE' : parsed.getType()!
  return country ? { digits: text, callingCode, country, type } : { digits: text, callingCode, type }
}

/** Some numbers that each pattern of the metadata describes, and for each of them some that differ a little. */
function* numbersOfEveryPlan(): Generator<string> {
  for (const plan of [...Object.values(metadata.countries), ...Object.values(metadata.nonGeographic)]) {
    const [callingCode, , anyNumber] = plan
    const lines: string[] = plan[11]
      .filter((line: [string] | 0) => line !== 0 && line[0] !== '')
      .map(([pattern]: [string]) => pattern)
    for (const pattern of [anyNumber, ...lines]) {
      for (const national of fc.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), 8)) {
        const middle = national.length >> 1
        yield callingCode + national
        yield callingCode + national.slice(0, -1)
        yield `${callingCode}0${national}`
        yield callingCode +
          national.slice(0, middle) +
          ((Number(national[middle]) + 5) % 10) +
          national.slice(middle + 1)
      }
    }
  }
}
