import assert from 'node:assert/strict'
import { test } from 'node:test'
import { continentOf } from './continents.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Codes that ICU names, but that are no country or territory of ISO 3166-1 today. */
const noCountry = new Set(
  'AC AN BU CP CQ CS DD DG DY EA EU EZ FQ FX HV IC JT MI NH NQ NT PC PU PZ QO RH SU TA TP UK UN VD WK XA XB YD YU ZR ZZ'.split(
    ' ',
  ),
)

test('knows a continent for every country with a name', () => {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const countries = codes.filter((code) => names.of(code) !== undefined && !noCountry.has(code))
  assert.ok(countries.length >= 249)
  assert.deepEqual(
    countries.filter((code) => !continentOf(code)),
    [],
  )
})

test('knows no continent for an unknown country code', () => {
  for (const code of ['ZZ', 'XX', '', 'us', '__proto__']) assert.equal(continentOf(code), undefined, code)
})
