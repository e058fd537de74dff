import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCode, readRecoveryCode } from './one-time-code.ts'

/** Names of Unicode's numbering systems that have decimal digits. */
const systems = Intl.supportedValuesOf('numberingSystem').filter((system) => {
  const digits = digitsOf(system)
  return digits.length === 10 && digits.every((digit) => /^\p{Nd}$/u.test(digit))
})

function digitsOf(system: string): string[] {
  const format = new Intl.NumberFormat('en', { numberingSystem: system, useGrouping: false })
  return Array.from({ length: 10 }, (_, i) => format.format(i))
}

const code = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 4, maxLength: 10 })

test('reads the digits of every script', () => {
  assert.ok(systems.length >= 40, systems.join())
  for (const name of ['arab', 'arabext', 'deva', 'beng', 'thai', 'fullwide', 'mathsans', 'mathmono', 'adlm', 'nkoo']) {
    assert.ok(systems.includes(name), name)
  }
  fc.assert(
    fc.property(code, fc.constantFrom(...systems), (values, system) => {
      const digits = digitsOf(system)
      const typed = values.map((value) => digits[value]).join('')
      assert.equal(readCode(typed, values.length), values.join(''), system)
    }),
    { numRuns: 1000 },
  )
})

test('reads every decimal digit that Unicode has: each row of them begins with 0', () => {
  let row = 0
  for (let point = 0; point <= 0x1_ffff; point++) {
    const isDigit = /\p{Nd}/u.test(String.fromCodePoint(point))
    if (!isDigit) assert.equal(row % 10, 0, `a row ends before U+${point.toString(16)}`)
    row = isDigit ? row + 1 : 0
  }
})

test('what people type between the digits changes nothing', () => {
  for (const typed of [
    ...['481 726', '481-726', '481\u00a0726', '481\u202f726', '481\u2013726', '481\u2212726', '481.726', '4 8 1 7 2 6'],
    ...[
      ' 481726\n',
      '481\u00b7726',
      '\u200e481726\u200f',
      '481\u00ad726',
      '４８１７２６',
      '٤٨١٧٢٦',
      '४८१ ७२६',
      '481_726',
    ],
  ]) {
    assert.equal(readCode(typed, 6), '481726', JSON.stringify(typed))
  }
  const separator = fc.constantFrom(' ', '-', '\u00a0', '\u2011', '.', '\u3000', '\u200b')
  fc.assert(
    fc.property(code, fc.array(separator, { maxLength: 3 }), fc.nat(10), (values, between, place) => {
      const digits = values.join('')
      const typed = digits.slice(0, place) + between.join('') + digits.slice(place)
      assert.equal(readCode(typed, digits.length), digits)
    }),
  )
})

test('what has another number of digits, or anything else, is no code', () => {
  for (const typed of [
    '',
    ' ',
    '48172',
    '4817260',
    'abcdef',
    '48172a',
    '４８１７２',
    '½81726',
    '①81726',
    '+481726',
    '481,726',
    '0x1234',
  ])
    assert.equal(readCode(typed, 6), undefined, typed)
  assert.equal(readCode('12-34', 4), '1234')
  assert.equal(readCode('1234567890', 10), '1234567890')
})

test('two codes are the same only with the same digits in the same order', () => {
  fc.assert(
    fc.property(code, code, (one, other) => {
      const [a, b] = [readCode(one.join(' '), one.length), readCode(other.join('-'), other.length)]
      assert.equal(a === b, one.join() === other.join())
    }),
  )
})

test('a code of a gateway has letters too, in their case', () => {
  assert.equal(readCode('aB-3 9', undefined), 'aB39')
  for (const typed of ['', '-', 'a,b', 'ä1', '\u212A1', '12345678901'])
    assert.equal(readCode(typed, undefined), undefined, typed)
})

test('a recovery code is read in any case, with any separators, and with no letter for a similar one', () => {
  assert.equal(readRecoveryCode(' ABCDEF-ghjkmn 23456７ '), 'abcdefghjkmn234567')
  assert.notEqual(readRecoveryCode('\u212Aabc'), readRecoveryCode('kabc'))
})
