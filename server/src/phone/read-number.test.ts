import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import metadata from 'libphonenumber-js/max/metadata'
import examples from 'libphonenumber-js/mobile/examples'
import { renumberings } from '../core/dated-data/renumberings.ts'
import { nationalNumberOf, parsePhoneNumber } from './phone-number.ts'
import { comparedDigits, digitsOfWritten, readPhoneNumber, withoutZeroOfPlan } from './read-number.ts'
import { renumberingOf } from './renumberings.ts'

const mistakeOf = (text: string) => {
  const read = readPhoneNumber(text, 'value')
  return typeof read === 'string' ? read : `no mistake, but ${read.digits}`
}

/** Any number of the plan of one of the 245 territories: its example, with other digits at the end. */
const numbers = fc
  .tuple(fc.constantFrom(...getCountries()), fc.nat(9_999))
  .map(([country, end]) => {
    const example = getExampleNumber(country, examples)!.number.slice(1)
    return example.slice(0, -4) + String(end).padStart(4, '0')
  })
  .filter((digits) => parsePhoneNumber(digits) !== undefined)

const zeros = [0xff10, 0x0660, 0x06f0, 0x0966, 0x0e50, 0x1d7ce, 0x1040]
const inScript = (text: string, zero: number) =>
  text.replace(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit)))
const between = ['', ' ', '-', '\u00a0', '\u2011', '.', '/', '\u200b', ' \u202f', '\u2013', '\ufe0f']
const spaced = (digits: string, gaps: readonly string[]) =>
  [...digits].map((digit, place) => digit + (place === digits.length - 1 ? '' : gaps[place % gaps.length])).join('')
/** A single dot before zeros at the end is how spreadsheets write a decimal. */
const isDecimal = (text: string) => /^[^.]*\.0*$/.test(text)

test('reads every writing of a number as the same digits, in all territories', () => {
  const gaps = fc.array(fc.constantFrom(...between), { minLength: 1, maxLength: 5 })
  const prefix = fc.constantFrom('', '+', '00', '＋', '\u202a+', '(+', 'tel:+', ' + ', '+00')
  fc.assert(
    fc.property(numbers, gaps, prefix, fc.constantFrom(undefined, ...zeros), (digits, gap, before, zero) => {
      const plain = spaced(digits, gap)
      fc.pre(!isDecimal(plain))
      const written = before + (zero === undefined ? plain : inScript(plain, zero))
      assert.equal(digitsOfWritten(written), digits, JSON.stringify(written))
    }),
    { numRuns: 3_000 },
  )
})

test('reads international and national format of the library, with and without brackets around the national prefix', () => {
  for (const country of getCountries()) {
    const example = getExampleNumber(country, examples)!
    const digits = example.number.slice(1)
    assert.equal(digitsOfWritten(example.formatInternational()), digits, country)
    assert.equal(digitsOfWritten(example.format('RFC3966')), digits, country)
    const number = parsePhoneNumber(digits)!
    const [prefix] = /^[0-9]+/.exec(String(metadata.countries[country]?.[5] ?? '')) ?? []
    const main = metadata.country_calling_codes[number.callingCode]?.[0]
    if (prefix === undefined || main !== country) continue
    const national = nationalNumberOf(number)
    for (const written of [
      `+${number.callingCode} (${prefix}) ${national}`,
      `+${number.callingCode} ${prefix}${national}`,
    ]) {
      const read = digitsOfWritten(written)
      // Ascension Island has numbers that begin with a zero, and the library reads them so too.
      const theirs = parsePhoneNumberFromString(written)?.number.slice(1)
      assert.ok(read === undefined || read === digits || read === theirs, `${written} is ${read}, not ${digits}`)
    }
  }
})

test('reads its own result as itself, and the strict reader accepts nothing else', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0123456789+ ()-'), minLength: 5, maxLength: 20 }),
    fc
      .tuple(fc.constantFrom(...Object.keys(metadata.country_calling_codes)), fc.nat(99_999_999_999))
      .map(([code, rest]) => `${code}${rest}`),
  )
  fc.assert(
    fc.property(text, (written) => {
      const digits = digitsOfWritten(written)
      assert.equal(parsePhoneNumber(written) !== undefined, digits === written, written)
      if (digits !== undefined) assert.equal(digitsOfWritten(digits), digits)
    }),
    { numRuns: 5_000 },
  )
})

test('reads no number that the library takes for another one', () => {
  fc.assert(
    fc.property(numbers, fc.constantFrom('', '0', '8', '1', '06', '15'), (digits, prefix) => {
      const { callingCode } = parsePhoneNumber(digits)!
      const written = `+${callingCode} ${prefix}${digits.slice(callingCode.length)}`
      const theirs = parsePhoneNumberFromString(written)
      const ours = digitsOfWritten(written)
      if (theirs?.isValid() && ours !== undefined) assert.equal(ours, theirs.number.slice(1), written)
    }),
    { numRuns: 3_000 },
  )
})

test('keeps the zero where the plan has it, and drops it elsewhere', () => {
  for (const [written, digits] of [
    ['+39 (0)6 12345678', '390612345678'],
    ['+378 (0549) 886377', '3780549886377'],
    ['+39 (0)549 886377', '390549886377'],
    ['+225 (0)7 07 12 34 56', '2250707123456'],
    ['+242 (0)5 512 3456', '242055123456'],
    ['+49 (0)30 123456', '4930123456'],
    ['+44 (0)20 7946 0000', '442079460000'],
    ['+33 (0)6 12 34 56 78', '33612345678'],
    ['+34 (0) 612 345 678', '34612345678'],
    ['+7 (8) 912 345-67-89', '79123456789'],
    ['+36 (06) 20 123 4567', '36201234567'],
    ['+44 07400 123456', '447400123456'],
    ['011 44 20 7946 0000', '442079460000'],
    ['8~10 44 20 7946 0000', '442079460000'],
  ] as const) {
    assert.equal(digitsOfWritten(written), digits, written)
  }
})

test('heals numbers of former plans where the present one follows from the old one', () => {
  for (const [written, digits] of [
    ['+52 1 55 1234 5678', '525512345678'],
    ['+52 (044) 55 1234 5678', '525512345678'],
    ['+225 07 12 34 56', '2250707123456'],
    ['+225 54 12 34 56', '2250554123456'],
    ['+225 61 12 34 56', '2250161123456'],
    ['+54 11 15 1234 5678', '5491112345678'],
    ['+55 11 8765 4321', '5511987654321'],
    ['+55 0 15 11 8765 4321', '5511987654321'],
    ['+229 97 12 34 56', '2290197123456'],
    ['+57 03 300 1234567', '573001234567'],
    ['+57 1 234 5678', '576012345678'],
    ['+598 094 231 234', '59894231234'],
    ['+995 77 123 456', '995577123456'],
    ['+39 6 12345678', '390612345678'],
    ['+39 0338 1234567', '393381234567'],
    ['+84 0163 123 4567', '84331234567'],
    ['+237 77 12 34 56', '237677123456'],
    ['+386 49 123 456', '38349123456'],
  ] as const) {
    assert.equal(digitsOfWritten(written), digits, written)
  }
})

test('has a renumbering for old numbers only: each says a day, and none is of a number that exists', () => {
  assert.deepEqual(renumberings.read(JSON.stringify(renumberings.shipped)), renumberings.shipped)
  for (const old of ['^39(1+)$', '^39((1{9}){9}', '39', '^39(.*)$'])
    assert.throws(() => renumberings.read(JSON.stringify(tableWith(old))), { name: 'TableRefused' })
  fc.assert(
    fc.property(numbers, (digits) => {
      const { since } = renumberingOf(digits) ?? {}
      if (since !== undefined) assert.match(since, /^\d{4}-\d{2}-\d{2}$/)
      assert.equal(digitsOfWritten(digits), digits)
    }),
  )
})

test('says what is wrong with what is no number, and what the present form is', () => {
  for (const [written, mistake] of [
    ['+225 21 22 33 44', /^value has a form that was replaced on 2021-01-31: numbers of Côte d'Ivoire have ten digits/],
    ['+84 0120 123 4567', /replaced on 2018-11-15.*0120 became 070/],
    ['+20 10 1234567', /replaced on 2011-10-06.*010 became 0100/],
    ['+44 20 7946 0000 ext. 5', /has an extension/],
    ['+44 20 7946 0000 x5', /has an extension/],
    ['+44 20 7946 0000 доб. 12', /has an extension/],
    ['+44 20 7946 0000#5', /has an extension/],
    ['tel:+44-20-7946-0000;ext=5', /has an extension/],
    ['tel:7042;phone-context=example.com', /is a local number/],
    ['917020141726.0', /is a decimal/],
    ['9.17E+11', /is a decimal/],
    ['+1-800-FLOWERS', /has letters/],
    ['+44 20 7946 0000 / +44 20 7946 0001', /plus sign after digits/],
    ['++44 20 7946 0000', /digits only/],
    ['020 7946 0000', /country calling code instead of the leading 0/],
    ['7020141726', /not a valid number|national prefix/],
    ['', /empty/],
    ['+', /empty/],
    ['9'.repeat(101), /more than 100 characters/],
  ] as const) {
    assert.match(mistakeOf(written), mistake, written)
    assert.equal(digitsOfWritten(written), undefined)
  }
})

test('compares digits of no plan as they are, and finds what earlier versions stored without the zero', () => {
  assert.equal(comparedDigits('15550000001'), '15550000001')
  assert.equal(comparedDigits('+1 555 000 0001'), undefined)
  assert.equal(comparedDigits('Asha'), undefined)
  assert.deepEqual(withoutZeroOfPlan('390612345678'), ['39612345678'])
  assert.deepEqual(withoutZeroOfPlan('447400123456'), [])
  assert.deepEqual(withoutZeroOfPlan('24106031234'), parsePhoneNumber('2416031234') ? [] : ['2416031234'])
})

const tableWith = (old: string) => ({
  ...renumberings.shipped,
  renumberings: [{ since: '2026-01-01', old, says: 'a change' }],
})
