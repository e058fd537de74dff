// Are foreign files of ported numbers read as their mapping says, and is everything else refused at its line?

import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { importNumbers } from '../import-numbers.ts'
import { AS_OF, ask, LATER, testNumbers } from '../test-numbers.ts'
import { convertNumbers } from './convert.ts'
import { type NumberMapping, readMapping } from './mapping.ts'

const mapping: NumberMapping = {
  source: 'nl',
  callingCode: '31',
  complete: ['316'],
  delimiter: ';',
  trailer: 'END ',
  nationalPrefix: '0',
  columns: { number: 'MSISDN', operator: 'Anbieter', portedOn: 'Datum', action: 'Art' },
  date: 'DD.MM.YYYY',
  actions: { port: ['I', 'U'], return: ['D'] },
  operators: { KPN: '204-08', 'Tele"2': '204-02', Düsseldorf: 'nl:dus' },
}
const rows = [
  'Art;MSISDN;Anbieter;Datum',
  'I;0612345678;KPN;01.03.2024',
  'U;"06 12345679";"Tele""2";',
  'D;+31612345680;;30.10.2026',
  'I;0612345681;Düsseldorf;',
]
/** Without its own last line it gets one, with the number of rows below the first. */
const text = (lines = rows, lineBreak = '\n') => {
  const all = lines.some((line) => line.startsWith('END ')) ? lines : [...lines, `END ${lines.length - 1}`]
  return `${all.join(lineBreak)}${lineBreak}`
}

function numbers(t: TestContext) {
  const made = testNumbers(t)
  return {
    ...made,
    map(bytes: string | Uint8Array, edit: Partial<NumberMapping> = {}, more: object = {}) {
      const file = path.join(made.dataFolder, 'foreign.csv')
      fs.writeFileSync(file, bytes)
      const { dataFolder, clock } = made
      const mapped = { mapping: { ...mapping, ...edit }, asOf: Date.parse(AS_OF), isIncrement: false, ...more }
      return importNumbers({ file, dataFolder, clock, mapped })
    },
    /** The same file in our format. */
    async convert(bytes: string, edit: Partial<NumberMapping>) {
      const [file, to] = ['foreign.csv', 'ours.csv'].map((name) => path.join(made.dataFolder, name)) as [string, string]
      fs.writeFileSync(file, bytes)
      await convertNumbers({ file, mapping: { ...mapping, ...edit }, asOf: Date.parse(AS_OF), to })
      return fs.readFileSync(to, 'utf8')
    },
  }
}

const utf16be = (string: string) => Buffer.from(`\ufeff${string}`, 'utf16le').swap16()

for (const [title, bytes, edit] of [
  ['UTF-8', text(), {}],
  ['UTF-8 with a byte order mark', `\ufeff${text()}`, {}],
  ['CRLF', text(rows, '\r\n'), {}],
  ['Latin-1', Buffer.from(text(), 'latin1'), { encoding: 'latin1' }],
  ['UTF-16 by its mark', Buffer.from(`\ufeff${text()}`, 'utf16le'), {}],
  ['UTF-16, the high byte first', utf16be(text()), {}],
  ['UTF-16 by the mapping', Buffer.from(text(), 'utf16le'), { encoding: 'utf-16le' }],
  ['gzip', gzipSync(text()), {}],
  [
    'lines above, and a last line with the count',
    text(['Report', ...rows, 'END 4']),
    { skipLines: 1, trailer: 'END ' },
  ],
  [
    'no header row',
    text([...rows.slice(1), 'END 4']),
    { header: false, columns: { number: 2, operator: 3, portedOn: 4, action: 1 } },
  ],
] as [string, string | Uint8Array, Partial<NumberMapping>][]) {
  test(`reads ${title}`, async (t) => {
    const { map, open } = numbers(t)
    assert.equal((await map(bytes, edit)).rows, 4)
    const sources = (await open()).current()
    const said = async (digits: string) => {
      const { operator, ported } = (await ask(sources, 'nl', digits)) ?? {}
      return [operator, ported]
    }
    assert.deepEqual(await said('31612345678'), ['204-08', true])
    assert.deepEqual(await said('31612345679'), ['204-02', true])
    assert.deepEqual(await said('31612345680'), [undefined, false])
    assert.deepEqual(await said('31612345681'), ['nl:dus', true])
    assert.deepEqual(await said('31699999999'), [undefined, false], 'complete for 316')
  })
}

const with4 = (line: string) => text([...rows.slice(0, 3), line])
const broken: [string, string | Uint8Array, Partial<NumberMapping>, RegExp][] = [
  [
    'a column that is not there',
    text(),
    { columns: { number: 'Nummer', operator: 3 } },
    /line 1, .* a column named Nummer/,
  ],
  ['a position beyond the columns', text(), { columns: { number: 2, operator: 9 } }, /line 1, .* column 9/],
  ['a row with more columns', with4('I;0612345680;KPN;;'), {}, /line 4, column 1: found 5 columns, expected 4 columns/],
  ['a row with fewer columns', with4('I;0612345680'), {}, /line 4, column 1: found 2 columns/],
  ['a number of another country', with4('I;+32612345680;KPN;'), {}, /line 4, column 3: found "\+32612345680"/],
  ['a number with letters', with4('I;06abc;KPN;'), {}, /line 4, column 3: found "06abc", expected number/],
  [
    'an action of no meaning',
    with4('X;0612345680;KPN;'),
    {},
    /line 4, column 1: found "X", expected action: one of "I", "U", "D"/,
  ],
  ['a code of no operator', with4('I;0612345680;XYZ;'), {}, /line 4, column 14: found "XYZ", expected operator/],
  [
    'a date in another form',
    with4('I;0612345680;KPN;2024-03-01'),
    {},
    /line 4, column 18: found "2024-03-01", expected a date as DD/,
  ],
  ['a day that there is not', with4('I;0612345680;KPN;30.02.2024'), {}, /line 4, column 18/],
  ['a port that is announced', with4('I;0612345680;KPN;03.11.2026'), {}, /line 4, .*not later than a day after as-of/],
  ['a quote that stays open', with4('I;"0612345680;KPN;'), {}, /line 4, column 3: found a quote that does not close/],
  ['a last line without its end', text().slice(0, -1), {}, /line 6, .* may have been cut off/],
  ['a last line with another count', text([...rows, 'END 5']), { trailer: 'END ' }, /line 6, .*expected "END 4"/],
  ['a file that was cut off between two lines', `${rows.slice(0, 3).join('\n')}\n`, {}, /line 4, .* a last line END 2/],
  ['a file with a header row only', `${rows[0]}\n`, {}, /line 2, .* expected a last line END 0/],
  ['lines after the last one', text([...rows, 'END 4', 'I;1;2;3']), { trailer: 'END ' }, /line 7, .* nothing after/],
  ['Latin-1 as UTF-8', Buffer.from(text(), 'latin1'), {}, /line \d, .* the encoding of the mapping/],
  ['gzip that was cut off', gzipSync(text()).subarray(0, -9), {}, /the end of the gzip file, expected the rest of it/],
  ['gzip that is damaged', damaged(), {}, /gzip/],
  ['an empty file', '', {}, /line 1, .* the header row/],
]

function damaged() {
  const bytes = gzipSync(text())
  bytes[bytes.length - 6]! ^= 0xff
  return bytes
}

for (const [title, bytes, edit, expected] of broken) {
  test(`refuses ${title} at its line, and leaves the old data in use`, async (t) => {
    const { map, content } = numbers(t)
    await map(text())
    const before = content()
    await assert.rejects(map(bytes, edit, { asOf: Date.parse(LATER) }), (error: Error) => {
      assert.match(error.message, /foreign\.csv, line \d+, column \d+: /)
      assert.match(error.message, expected)
      return true
    })
    assert.deepEqual(content(), before)
  })
}

test('continues imported data with a mapped increment, once', async (t) => {
  const { map, open } = numbers(t)
  const increment = { asOf: Date.parse(LATER), isIncrement: true }
  await assert.rejects(map(text(), {}, increment), /nothing of nl has been imported yet/)
  await map(text())
  await map(text([rows[0]!, 'D;0612345678;;']), {}, increment)
  const sources = (await open()).current()
  assert.equal((await ask(sources, 'nl', '31612345678'))?.ported, false)
  assert.equal((await ask(sources, 'nl', '31612345679'))?.ported, true)
  await assert.rejects(map(text(), {}, increment), /foreign\.csv.*contain this increment already|a time/)
  await assert.rejects(
    map(text(), {}, { ...increment, follows: Date.parse(AS_OF), asOf: Date.parse(LATER) + 1000 }),
    /follows: /,
  )
})

test('finds the operator of a routing number by its longest prefix, and of a whole code before that', async (t) => {
  const { map, open } = numbers(t)
  const operators = { KPN: '204-08', '980990': '204-20' }
  const operatorPrefixes = { 98: '204-16', '980': 'nl:other', '98077': '204-04', D27: '204-02' }
  const routed = ['980770612345678', '9801', '99', 'd2701', '980990', 'KPN', '98'].map(
    (code, i) => `I;061234567${i};${code};`,
  )
  const refused = text([rows[0]!, ...routed])
  await assert.rejects(
    map(refused, { operators, operatorPrefixes }),
    /line 4, column 14: found "99", expected operator/,
  )
  routed.splice(2, 1)
  assert.equal((await map(text([rows[0]!, ...routed]), { operators, operatorPrefixes })).rows, 6)
  const sources = (await open()).current()
  const said = async (last: number) => (await ask(sources, 'nl', `3161234567${last}`))?.operator
  assert.deepEqual(await Promise.all([0, 1, 3, 4, 5, 6].map(said)), [
    '204-04',
    'nl:other',
    '204-02',
    '204-20',
    '204-08',
    '204-16',
  ])
})

for (const [date, written, wrong] of [
  ['YYYY-MM-DD hh:mm:ss', '2026-10-01 02:00:00', '2026-10-01 24:00:00'],
  ['YYYY-MM-DDThh:mm:ssZ', '2026-10-01T02:00:00Z', '2026-10-01T02:00:00'],
  ['YYYY-MM-DDThh:mm:ssZ', '2026-10-01T02:00:00.123456+02:00', '2026-10-01T02:00:00+2'],
  ['DD/MM/YYYY hh:mm', '01/10/2026 23:59', '01/10/2026'],
  ['YYYYMMDDhhmmss', '20261001020000', '20261001026000'],
  ['YYYYMMDD', '20261001', '20261001020000'],
  ['DD.MM.YYYY', '01.10.2026', '01.10.2026 02:00:00'],
] as const) {
  test(`reads ${written} as ${date}, and refuses ${wrong}`, async (t) => {
    const { map, convert } = numbers(t)
    assert.match(
      await convert(text([rows[0]!, `I;0612345678;KPN;${written}`]), { date }),
      /\n31612345678,204-08,2026-10-01,port\n/,
    )
    await assert.rejects(
      map(text([rows[0]!, `I;0612345678;KPN;${wrong}`]), { date }),
      /line 2, column 18: found .* expected a date as /,
    )
  })
}

test('a date that the mapping calls unknown is none, and any other that is too early refuses the file', async (t) => {
  const { map, convert } = numbers(t)
  const unknown = { date: 'DD-MM-YYYY', unknownDates: ['01-01-1900', '-'] } as const
  const lines = [
    'I;0612345678;KPN;01-01-1900',
    'I;0612345679;KPN;-',
    'I;0612345670;KPN;',
    'I;0612345671;KPN;02-10-2026',
  ]
  const converted = await convert(text([rows[0]!, ...lines]), { ...unknown, unknownDates: [...unknown.unknownDates] })
  assert.deepEqual(
    converted.split('\n').filter((line) => line.endsWith(',port')),
    [
      '31612345678,204-08,,port',
      '31612345679,204-08,,port',
      '31612345670,204-08,,port',
      '31612345671,204-08,2026-10-02,port',
    ],
  )
  await assert.rejects(
    map(text([rows[0]!, 'I;0612345678;KPN;02-01-1900']), { ...unknown, unknownDates: [...unknown.unknownDates] }),
    /found "02-01-1900", expected a date as DD-MM-YYYY, .*, one of unknownDates, or nothing/,
  )
})

test('refuses a mapping whose number column is the wrong one', async (t) => {
  const { map, content } = numbers(t)
  const orders = ['Art;MSISDN;Auftrag;Anbieter;Datum', 'I;0612345678;9010;KPN;', 'I;0612345679;9011;KPN;']
  const columns = { ...mapping.columns, number: 'Auftrag' }
  await assert.rejects(
    map(text(orders), { columns }),
    /foreign\.csv, with this as-of and mapping: found "319010" and 1 other numbers .*: check the column of the numbers/,
  )
  assert.deepEqual(content(), {})
})

test('the last row of a number counts', async (t) => {
  const { map, open } = numbers(t)
  await map(text([rows[0]!, 'I;0612345678;KPN;', 'I;+31612345678;"Tele""2";']))
  assert.equal((await ask((await open()).current(), 'nl', '31612345678'))?.operator, '204-02')
})

test('an import that is stopped while it reads leaves nothing behind', async (t) => {
  const { map, content, dataFolder, clock } = numbers(t)
  await map(text())
  const before = content()
  const stopped = new AbortController()
  const onProgress = () => stopped.abort(new Error('stopped by the test'))
  const mapped = { mapping, asOf: Date.parse(LATER), isIncrement: false }
  const file = path.join(dataFolder, 'foreign.csv')
  const importing = importNumbers({ file, dataFolder, clock, mapped, onProgress, signal: stopped.signal })
  await assert.rejects(importing, /stopped by the test/)
  assert.deepEqual(content(), before)
})

test('refuses a mapping that cannot work, with its path', (t) => {
  const { dataFolder } = testNumbers(t)
  const file = path.join(dataFolder, 'nl.yaml')
  const refusal = (edit: object) => {
    fs.writeFileSync(file, JSON.stringify({ ...mapping, ...edit }))
    try {
      readMapping(file)
    } catch (error) {
      return (error as Error).message
    }
    return undefined
  }
  assert.equal(refusal({}), undefined)
  assert.match(refusal({ colour: 1 })!, /nl\.yaml: colour is not a known key/)
  assert.match(refusal({ columns: { number: 0, operator: 1 } })!, /columns\.number/)
  assert.match(refusal({ header: false })!, /columns\.number is MSISDN, but header is false/)
  assert.match(refusal({ actions: { port: ['I'], return: ['I'] } })!, /actions has "I" in both/)
  assert.match(refusal({ operators: { KPN: 'KPN' } })!, /operators\.KPN is KPN; expected an operator id/)
  assert.match(
    refusal({ operatorPrefixes: { 98077: 'KPN' } })!,
    /nl\.yaml: operatorPrefixes\.98077 is KPN; expected an operator id/,
  )
  assert.match(
    refusal({ operatorPrefixes: { '98-1': '204-08' } })!,
    /nl\.yaml: operatorPrefixes\.98-1 .*up to 32 letters and digits/,
  )
  assert.match(
    refusal({ operatorPrefixes: { d27: '204-08', D27: '204-02' } })!,
    /nl\.yaml: operatorPrefixes has d27 and D27, which are the same/,
  )
  assert.match(refusal({ date: 'DD.MM.YY' })!, /nl\.yaml: date is DD\.MM\.YY; expected .*DD\.MM\.YYYY.*hh:mm:ss/)
  assert.match(refusal({ date: 'DD.MM.YYYY hh' })!, /nl\.yaml: date is DD\.MM\.YYYY hh; expected/)
  assert.match(refusal({ unknownDates: [''] })!, /nl\.yaml: unknownDates\.0/)
  const { portedOn: _, ...undated } = mapping.columns
  assert.match(refusal({ columns: undated, unknownDates: ['-'] })!, /nl\.yaml: unknownDates needs columns\.portedOn/)
  assert.match(refusal({ complete: ['326'] })!, /complete has 326/)
  assert.match(refusal({ complete: ['316', '31610-3162'] })!, /nl\.yaml: complete\.1 is 31610-3162; expected a prefix/)
  assert.match(refusal({ trailer: undefined })!, /complete needs trailer: a file without the number of its rows may/)
  assert.equal(refusal({ trailer: undefined, complete: [] }), undefined)
  assert.match(refusal({ actions: undefined })!, /columns\.action needs actions/)
  const aliases = Array.from({ length: 8 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(',')}]`)
  fs.writeFileSync(file, `a0: &a0 [1]\n${aliases.join('\n')}\n`)
  assert.throws(() => readMapping(file), /nl\.yaml has aliases that expand too far/)
})

test('says that the disk is full', { skip: !fs.existsSync('/dev/full') }, async (t) => {
  const { dataFolder } = testNumbers(t)
  const file = path.join(dataFolder, 'foreign.csv')
  fs.writeFileSync(file, text())
  await assert.rejects(convertNumbers({ file, mapping, asOf: Date.parse(AS_OF), to: '/dev/full' }), { code: 'ENOSPC' })
})

test('the next import removes what a killed one leaves', async (t) => {
  const { map, content, dataFolder } = numbers(t)
  await map(text())
  const before = Object.keys(content())
  fs.writeFileSync(path.join(dataFolder, 'numbers', '2.nl.mapped.scratch'), 'half')
  await assert.rejects(map(with4('X')), /line 4/)
  assert.deepEqual(Object.keys(content()), before)
})
