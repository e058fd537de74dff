import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainToUnicode } from 'node:url'
import fc from 'fast-check'
import { readDomain, readEmailAddress } from './email-address.ts'

const addressOf = (text: string) => readEmailAddress(text).address

test('writes an address in one form, however its ASCII letters and its domain are written', () => {
  for (const text of [
    'ada@xn--mnchen-3ya.example',
    'Ada@XN--Mnchen-3ya.Example',
    'ada@münchen.example',
    'ADA@MÜNCHEN.example',
    'ada@mu\u0308nchen.example',
    'ada@münchen。example',
    'ada@ｍünchen.example',
    'ada@münchen.example.',
    ' ada@münchen.example\u00a0',
  ]) {
    assert.equal(addressOf(text), 'ada@xn--mnchen-3ya.example', text)
  }
  assert.equal(addressOf('a@straße.example'), 'a@xn--strae-oqa.example', 'not strasse.example: UTS 46, nontransitional')
  assert.equal(addressOf('a@نامه\u200cای.example'), 'a@xn--mgba3gch31f060k.example', 'Persian needs the joiner')
})

test('never takes the mailbox of a letter beyond ASCII for that of an ASCII letter', () => {
  assert.match(readEmailAddress('\u212Aate@shop.example').mistake!, /U\+212A, which only looks like another/)
  for (const [text, other] of [
    ['\u017F@shop.example', 's@shop.example'],
    ['\u0130da@shop.example', 'ida@shop.example'],
    ['\u0131da@shop.example', 'ida@shop.example'],
    ['\uFF4Bate@shop.example', 'kate@shop.example'],
    ['\u043Aate@shop.example', 'kate@shop.example'],
    ['\uFB01n@shop.example', 'fin@shop.example'],
    ['É@shop.example', 'é@shop.example'],
  ] as const) {
    assert.notEqual(addressOf(text), undefined, text)
    assert.notEqual(addressOf(text), addressOf(other), text)
  }
  assert.equal(addressOf('rene\u0301@shop.example'), addressOf('ren\u00e9@shop.example'), 'RFC 6532, 3.1: NFC')
})

test('says what is wrong with a text that is no address', () => {
  for (const [text, mistake] of [
    ['ada', /no @/],
    ['ada＠shop.example', /no @/],
    ['@shop.example', /nothing before the @/],
    ['a@evil', /no domain such as/],
    ['a@[192.0.2.1]', /no domain such as/],
    ['a@192.0.2.1', /no domain such as/],
    ['a@0x7f.1', /no domain such as/],
    ['a@shop.example:25', /no domain such as/],
    ['a@shop.example/x', /no domain such as/],
    ['a@shop%2eexample', /no domain such as/],
    ['a@shop..example', /no domain such as/],
    ['a@-shop.example', /no domain such as/],
    ['a@sh_op.example', /no domain such as/],
    ['a@sh\u00adop.example', /no domain such as/],
    ['a@sh\u200dop.example', /no domain such as/],
    ['a@\u202eshop.example', /no domain such as/],
    ['a@xn--abc-.example', /no domain such as/],
    ['a@xn--münchen.example', /no domain such as/],
    [`a@${'b'.repeat(64)}.example`, /no domain such as/],
    ['ka\u200bte@shop.example', /nobody sees/],
    ['ka\u00adte@shop.example', /nobody sees/],
    ['ka\u202ete@shop.example', /nobody sees/],
    ['ka\u3164te@shop.example', /nobody sees/],
    ['ka\u0000te@shop.example', /nobody sees/],
    ['ka\ud83dte@shop.example', /nobody sees/],
    ['ka te@shop.example', /nobody sees/],
    ['ka\u00a0te@shop.example', /nobody sees/],
    ['"ka te"@shop.example', /quotes, brackets/],
    ['Kate <kate@shop.example>', /quotes, brackets/],
    ['<kate@shop.example>', /quotes, brackets/],
    ['kate(home)@shop.example', /quotes, brackets/],
    ['kate%40x@shop.example', /percent-encoded/],
    ['mailto:kate@shop.example', /only a quoted address/],
    ['kate@x@shop.example', /only a quoted address/],
    ['kate.@shop.example', /only a quoted address/],
    ['ka..te@shop.example', /only a quoted address/],
    [`${'a'.repeat(65)}@shop.example`, /64 bytes/],
    [`${'ü'.repeat(33)}@shop.example`, /64 bytes/],
    [`a@${'bcd.'.repeat(63)}example`, /no domain|254/],
    ['a'.repeat(400), /254/],
  ] as const) {
    assert.match(readEmailAddress(text).mistake ?? 'none', mistake, JSON.stringify(text))
  }
  assert.equal(addressOf(`${'ü'.repeat(32)}@shop.example`), `${'ü'.repeat(32)}@shop.example`)
})

const atoms = 'abcxyzABCKXYZ019!#$&*+/=?^_{|}~-'
const local = fc
  .array(fc.string({ unit: fc.constantFrom(...atoms), minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('.'))
const label = fc.string({ unit: fc.constantFrom(...'abkxzABKXZ09äßéжक漢'), minLength: 1, maxLength: 8 })
const domain = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => `${labels.join('.')}.example`)

test('is idempotent for every text that it reads', () => {
  const nearly = fc.oneof(
    fc.tuple(local, domain).map(([a, b]) => `${a}@${b}`),
    fc.tuple(fc.string({ unit: 'binary', maxLength: 12 }), domain).map(([a, b]) => `${a}@${b}`),
    fc.tuple(local, fc.string({ unit: 'binary', maxLength: 12 })).map(([a, b]) => `${a}@${b}.example`),
    fc
      .tuple(
        fc.constantFrom(...'AHJKQTWYkhj'),
        fc.string({ unit: fc.constantFrom('\u0301', '\u0331', '\u030c', '\u030a') }),
      )
      .map(([letter, marks]) => `${letter}${marks}@shop.example`),
  )
  fc.assert(
    fc.property(nearly, (text) => {
      const { address, domain: read } = readEmailAddress(text)
      if (address === undefined) return
      assert.equal(addressOf(address), address)
      assert.equal(readDomain(read!), read)
      assert.ok(address.endsWith(`@${read}`))
    }),
    { numRuns: 3000 },
  )
})

test('two addresses are equal exactly when their local parts differ at most in the case of ASCII letters, and their domains are the same', () => {
  const folded = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  fc.assert(
    fc.property(local, local, domain, fc.boolean(), (one, other, host, alike) => {
      const second = alike ? folded(one) : other
      const [a, b] = [addressOf(`${one}@${host}`), addressOf(`${second}@${domainToUnicode(readDomain(host) ?? host)}`)]
      if (a === undefined || b === undefined) return
      assert.equal(a === b, folded(one) === folded(second))
    }),
    { numRuns: 2000 },
  )
})

test('two local parts of any characters are equal only if NFC and ASCII case make them equal', () => {
  const asciiKept = (text: string) => text.replaceAll(/[^\0-\x7f]/gu, '').toLowerCase()
  const similar = fc.string({
    unit: fc.constantFrom(...'kKsSiI\u212a\u017f\u0130\u0131\uff4bкеéå\u212b'),
    minLength: 1,
    maxLength: 3,
  })
  fc.assert(
    fc.property(similar, similar, (one, other) => {
      const [a, b] = [addressOf(`${one}@shop.example`), addressOf(`${other}@shop.example`)]
      if (a !== undefined && a === b) assert.equal(asciiKept(one), asciiKept(other))
    }),
    { numRuns: 3000 },
  )
})
