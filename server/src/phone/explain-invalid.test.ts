import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { explainInvalidPhoneNumber } from './explain-invalid.ts'
import { parsePhoneNumber } from './phone-number.ts'

const explanations: Record<string, string> = {
  '': 'phoneNumber is empty: send the country calling code and the number, digits only',
  '+917020141726': 'phoneNumber must be digits only: leave out the plus sign',
  '91 7020 141726': 'phoneNumber must be digits only: leave out the spaces',
  '917020141726\n': 'phoneNumber must be digits only: leave out the spaces',
  '+91 7020-141726': 'phoneNumber must be digits only: leave out the plus sign, the spaces and the punctuation',
  '91(7020)141726': 'phoneNumber must be digits only: leave out the punctuation',
  '9I7020141726': 'phoneNumber must be digits only: 0 to 9',
  '٩١٧٠٢٠١٤١٧٢٦': 'phoneNumber must be digits only: 0 to 9',
  '00917020141726': 'phoneNumber must start with the country calling code: leave out the leading 00',
  '015123456789': 'phoneNumber must start with the country calling code instead of the leading 0',
  '0491570110': 'phoneNumber must start with the country calling code instead of the leading 0',
  '000917020141726': 'phoneNumber must start with the country calling code instead of the leading 0',
  '491570110':
    'phoneNumber is not a valid number if 49 is its calling code: send the calling code and the whole number',
  '9999999999999999': 'phoneNumber must have at most 15 digits',
  '999999999999': 'phoneNumber must start with a country calling code',
  '4402079460018': 'phoneNumber has a national prefix: leave it out after the calling code 44',
  '910000000000':
    'phoneNumber is not a valid number if 91 is its calling code: send the calling code and the whole number',
  '9': 'phoneNumber must start with a country calling code',
}
for (const [text, expected] of Object.entries(explanations)) {
  test(`explains what is wrong with ${JSON.stringify(text)}`, () => {
    assert.equal(parsePhoneNumber(text), undefined)
    assert.equal(explainInvalidPhoneNumber(text, 'phoneNumber'), expected)
  })
}

test('never says to leave out the 0 of a national number: the rest may be the number of somebody else', () => {
  assert.ok(parsePhoneNumber('15123456789'), 'a German national number without its 0 is a valid number in the USA')
  assert.doesNotMatch(explainInvalidPhoneNumber('015123456789', 'phoneNumber'), /leave out/)
})

test('names the field that has the number', () => {
  assert.equal(
    explainInvalidPhoneNumber('+917020141726', 'identity.value'),
    'identity.value must be digits only: leave out the plus sign',
  )
})

test('explains every text in printable ASCII and never repeats the number', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[+0-9 -]{4,20}$/))
  fc.assert(
    fc.property(text, (given) => {
      const explanation = explainInvalidPhoneNumber(given, 'phoneNumber')
      assert.match(explanation, /^phoneNumber [ -~]+$/)
      assert.doesNotMatch(explanation, /\d{4}/)
    }),
  )
})
