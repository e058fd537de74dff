// What does each kind of broken number file do? In our format and by a mapping, full or an increment: an exact message, and no loss.

import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { NumberMapping } from './mapping/mapping.ts'
import { AS_OF, ask, incrementFile, LATER, portedFile, testNumbers } from './test-numbers.ts'

const mapping: NumberMapping = {
  source: 'nl',
  callingCode: '31',
  columns: { number: 'number', operator: 'operator', portedOn: 'ported-on', action: 'action' },
  actions: { port: ['port'], return: ['return'] },
  trailer: '# rows: ',
}
const HEADER = 'number,operator,ported-on,action'

type Format = 'our format' | 'a mapping'
type Contents = 'full' | 'increment'

/** How many lines are above the first row. */
const headLines = (format: Format, contents: Contents) => (format === 'a mapping' ? 1 : contents === 'full' ? 6 : 7)

function textOf(format: Format, contents: Contents, rows: readonly string[]): string {
  if (format === 'a mapping') return `${[HEADER, ...rows, `# rows: ${rows.length}`].join('\n')}\n`
  return contents === 'full' ? portedFile(rows, { 'as-of': LATER }) : incrementFile(rows)
}

const A = '31600000001,204-16,2024-03-01,port'
const B = '31600000002,204-16,2024-03-01,port'
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const cut = (text: string) => gzipSync(text).subarray(0, -20)
const damaged = (text: string) => {
  const bytes = gzipSync(text)
  bytes[bytes.length - 6]! ^= 0xff
  return bytes
}
const bomb = (text: string) => gzipSync(Buffer.concat([Buffer.from(text), Buffer.alloc(70_000_000)]))

interface Case {
  rows?: readonly string[]
  /** What becomes of the right text of these rows. Default: nothing. */
  bytes?: (text: string) => string | Uint8Array
  /** The operator of the first number afterwards, where the file is imported. */
  imported?: string
  /** "PLACE, column COLUMN: found …, expected …". The place is the first line, or the row, from 1; row 0 is the header row. */
  ours?: RegExp | string
  mapped?: RegExp | string
}

const cases: Record<string, Case> = {
  'a byte order mark': { bytes: (text) => `\ufeff${text}`, imported: '204-16' },
  'line ends of Windows': { bytes: (text) => text.replaceAll('\n', '\r\n'), imported: '204-16' },
  gzip: { bytes: gzipSync, imported: '204-16' },
  'a number twice, whose last row counts': { rows: [A, A.replace('204-16', '204-04'), B], imported: '204-04' },
  'UTF-16': {
    bytes: utf16,
    ours: 'first line, column 1: found text in UTF-16, expected UTF-8: convert it, or read it with a mapping',
    mapped: '204-16',
  },
  'UTF-16 in gzip': {
    bytes: (text) => gzipSync(utf16(text)),
    ours: /^first line, column 1: found ".*", expected the line '# ringfence: ported-numbers 1' or '# ringfence: allocation-ranges 1'$/,
    mapped: '204-16',
  },
  'Latin-1': {
    rows: [A, '31600000002,nl:dü,,port'],
    bytes: (text) => Buffer.from(text, 'latin1'),
    ours: /^row 2, column 13: found "nl:d\ufffd", expected operator: an operator id: .*$/,
    mapped:
      'first line, column 1: found bytes that are not in this encoding, here or in the lines after, expected the encoding of the mapping',
  },
  'another separator': {
    bytes: (text) => text.replaceAll(',', ';'),
    ours: `row 0, column 1: found "number;operator;ported-on;action", expected the header row '${HEADER}'`,
    mapped: 'first line, column 1: found "number;operator;ported-on;action", expected a column named number',
  },
  'a column of another name': {
    bytes: (text) => text.replace('operator', 'recipient'),
    ours: `row 0, column 1: found "number,recipient,ported-on,action", expected the header row '${HEADER}'`,
    mapped: 'first line, column 1: found "number,recipient,ported-on,action", expected a column named operator',
  },
  'a column too few': {
    rows: [A, '31600000002,204-16,port'],
    ours: /^row 2, column 20: found "port", expected a date such as 2024-03-01, or nothing, then a comma$/,
    mapped: 'row 2, column 1: found 3 columns, expected 4 columns, as in the header row',
  },
  'a column too many': {
    rows: [A, `${B},x`],
    ours: 'row 2, column 31: found "port", expected action: port or return, then the end of the line',
    mapped: 'row 2, column 1: found 5 columns, expected 4 columns, as in the header row',
  },
  'columns in another order': {
    rows: ['204-16,31600000001,2024-03-01,port'],
    ours: 'row 1, column 1: found "204-16", expected number: 5 to 15 digits that begin with the calling code 31, then a comma',
    mapped:
      'row 1, column 1: found "204-16", expected number: a phone number that begins with 31, 5 to 15 digits with the calling code',
  },
  'gzip that was cut off': {
    bytes: cut,
    ours: /^(first line|row \d), column 1: found the end of the gzip file, expected the rest of it: it was cut off$/,
    mapped: /^(first line|row \d), column 1: found the end of the gzip file, expected the rest of it: it was cut off$/,
  },
  'gzip that is damaged': {
    bytes: damaged,
    ours: /^(first line|row \d), column 1: found damaged gzip data \(Z_DATA_ERROR\), expected a whole gzip file$/,
    mapped: /^(first line|row \d), column 1: found damaged gzip data \(Z_DATA_ERROR\), expected a whole gzip file$/,
  },
  'gzip that unpacks to a thousand times its size': {
    bytes: bomb,
    ours: 'row 4, column 1: found gzip data of more than 200 times their size, expected a number file, which compresses less: unpack it and see what it is',
    mapped: 'row 4, column 1: found a line of more than 1048576 characters, expected shorter lines',
  },
  'a ZIP archive': {
    bytes: () => Buffer.from('PK\u0003\u0004 and so on', 'latin1'),
    ours: 'first line, column 1: found a ZIP archive or a spreadsheet, expected a CSV file, plain or compressed with gzip',
    mapped:
      'first line, column 1: found a ZIP archive or a spreadsheet, expected a CSV file, plain or compressed with gzip',
  },
  'rows that are missing at the end': {
    bytes: (text) => text.slice(0, text.indexOf(B)),
    ours: "row 2, column 1: found the end of the file, expected a last line '# rows: 1'; without it the file may have been cut off",
    mapped:
      'row 2, column 1: found the end of the file, expected a last line # rows: 1; without it the file may have been cut off',
  },
  'a row that is missing in the middle': {
    bytes: (text) => text.replace(`${A}\n`, ''),
    ours: `row 2, column 1: found "# rows: 2", expected '# rows: 1', the number of rows above`,
    mapped: 'row 2, column 1: found "# rows: 2", expected "# rows: 1", the number of rows above',
  },
  'an empty file': {
    bytes: () => '',
    ours: "first line, column 1: found an empty file, expected the line '# ringfence: ported-numbers 1' or '# ringfence: allocation-ranges 1'",
    mapped: 'first line, column 1: found the end of the file, expected the header row',
  },
}

for (const format of ['our format', 'a mapping'] as const) {
  for (const contents of ['full', 'increment'] as const) {
    for (const [title, each] of Object.entries(cases)) {
      const expected = each.imported ?? (format === 'our format' ? each.ours : each.mapped)!
      const isImported = typeof expected === 'string' && /^204-\d\d$/.test(expected)
      const does = isImported ? 'imports' : 'refuses, and continues with what is imported,'
      test(`${does} ${title}: ${contents}, in ${format}`, async (t) => {
        const { rows = [A, B], bytes = (text: string) => text } = each
        await check(t, format, contents, bytes(textOf(format, contents, rows)), expected, isImported)
      })
    }
  }
}

async function check(
  t: TestContext,
  format: Format,
  contents: Contents,
  bytes: string | Uint8Array,
  expected: RegExp | string,
  isImported: boolean,
): Promise<void> {
  const numbers = testNumbers(t)
  await numbers.import(portedFile(['31600000001,204-08,,port']))
  const sources = await numbers.open()
  const served = async () => (await ask(sources.current(), 'nl', '31600000001'))?.operator
  const before = numbers.content()
  const mapped = { mapping, asOf: Date.parse(LATER), isIncrement: contents === 'increment', follows: Date.parse(AS_OF) }
  const importing = numbers.import(bytes, format === 'a mapping' ? { mapped } : {})
  if (isImported) {
    await importing
    await sources.reload()
    assert.equal(await served(), expected)
    return
  }
  await assert.rejects(importing, ({ message }: Error) => {
    const [, line = '', rest = ''] = /^\S+import\.csv, line (\d+)(, column .*)$/s.exec(message) ?? []
    const place = line === '1' ? 'first line' : `row ${Number(line) - headLines(format, contents)}`
    if (typeof expected === 'string') assert.equal(`${place}${rest}`, expected, message)
    else assert.match(`${place}${rest}`, expected, message)
    return true
  })
  assert.deepEqual(numbers.content(), before)
  await sources.reload()
  assert.equal(await served(), '204-08')
}

/** A folder of which writes fail after some bytes cannot be had without root; /dev/full fails at once. */
test('says that the disk is full where the file is unpacked, and continues with what is imported', {
  skip: fs.existsSync('/dev/full') ? false : 'no /dev/full on this machine',
}, async (t) => {
  const numbers = testNumbers(t)
  await numbers.import(portedFile(['31600000001,204-08,,port']))
  const folder = path.dirname(numbers.pathOf(/manifest/))
  fs.symlinkSync('/dev/full', path.join(folder, '2.unpacked.mapped.scratch'))
  await assert.rejects(numbers.import(gzipSync(textOf('our format', 'full', [A, B]))), { code: 'ENOSPC' })
  assert.equal((await ask((await numbers.open()).current(), 'nl', '31600000001'))?.operator, '204-08')
})
