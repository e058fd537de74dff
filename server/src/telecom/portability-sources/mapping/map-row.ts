// What does one line of a foreign file say, in our format?

import { fieldsOf } from '../../../core/files/csv-line.ts'
import { dayMs, daysSince1970 } from '../epoch-day.ts'
import { longestPrefix } from '../longest-prefix.ts'
import { NumberFileError, quoted } from '../number-file-error.ts'
import { isOperatorId, OPERATOR_ID_SYNTAX } from '../operator-table.ts'
import { longestRoutingNumber, type NumberMapping } from './mapping.ts'

export interface LineOf {
  readonly file: string
  readonly line: number
}

/** Maps the fields of a line. Throws a NumberFileError. */
export type MapRow = (text: string, at: LineOf) => string

/** `headerRow` is undefined when the file has none. Throws a NumberFileError for a column that is not there. */
export function rowMapper(mapping: NumberMapping, asOf: number, headerRow: string | undefined, at: LineOf): MapRow {
  const { columns, delimiter = ',', callingCode, nationalPrefix, date = 'YYYY-MM-DD', actions } = mapping
  const names = headerRow === undefined ? undefined : fieldsAt(headerRow, delimiter, at).map((name) => name.trim())
  const positionOf = (column: string | number | undefined): number => {
    if (column === undefined) return -1
    const position = typeof column === 'number' ? column - 1 : (names?.indexOf(column) ?? -1)
    if (position >= 0 && (!names || position < names.length)) return position
    const shown = typeof column === 'number' ? `column ${column}` : `a column named ${column}`
    throw new NumberFileError(at.file, at.line, 1, quoted(headerRow ?? ''), shown)
  }
  const number = positionOf(columns.number)
  const operator = positionOf(columns.operator)
  const portedOn = positionOf(columns.portedOn)
  const action = positionOf(columns.action)
  const width = Math.max(number, operator, portedOn, action) + 1
  const operatorOf = operatorReader(mapping)
  const lastDay = Math.floor(asOf / dayMs) + 1
  const dateOf = dateReader(date, mapping.unknownDates)

  return (text, at) => {
    const fields = fieldsAt(text, delimiter, at)
    const fail = (position: number, expected: string): never => {
      const column = fields.slice(0, position).reduce((sum, field) => sum + field.length + 1, 1)
      throw new NumberFileError(at.file, at.line, column, quoted(fields[position] ?? ''), expected)
    }
    if (fields.length < width || (names && fields.length !== names.length)) {
      const wanted = names ? `${names.length} columns, as in the header row` : `at least ${width} columns`
      throw new NumberFileError(at.file, at.line, 1, `${fields.length} columns`, wanted)
    }
    const digits = e164Of(fields[number]!, callingCode, nationalPrefix)
    if (!digits) {
      const form = nationalPrefix === undefined ? `that begins with ${callingCode}` : `of calling code ${callingCode}`
      fail(number, `number: a phone number ${form}, 5 to 15 digits with the calling code`)
    }
    const word = action < 0 ? undefined : fields[action]!.trim()
    const isReturn = word !== undefined && actions!.return.includes(word)
    if (word !== undefined && !isReturn && !actions!.port.includes(word)) {
      fail(
        action,
        `action: one of ${[...actions!.port, ...actions!.return].map((each) => JSON.stringify(each)).join(', ')}`,
      )
    }
    const code = fields[operator]!.trim()
    const id = isReturn ? '' : operatorOf(code)
    if (id === undefined) fail(operator, expectedOperator(mapping))
    const day = portedOn < 0 ? '' : dateOf(fields[portedOn]!.trim(), lastDay)
    if (day === undefined) {
      const unknown = mapping.unknownDates ? ', one of unknownDates' : ''
      fail(portedOn, `a date as ${date}, not later than a day after as-of${unknown}, or nothing`)
    }
    return `${digits},${id},${day},${isReturn ? 'return' : 'port'}\n`
  }
}

/** The id that a code means, or undefined. */
function operatorReader({ operators, operatorPrefixes }: NumberMapping): (code: string) => string | undefined {
  if (!operators && !operatorPrefixes) return (code) => (isOperatorId(code) ? code : undefined)
  const known = new Map(Object.entries(operators ?? {}))
  const prefixes = new Map(
    Object.entries(operatorPrefixes ?? {}).map(([prefix, id]) => [prefix.toLowerCase(), id] as const),
  )
  return (code) => known.get(code) ?? longestPrefix(prefixes, code.slice(0, longestRoutingNumber).toLowerCase())
}

function expectedOperator({ operators, operatorPrefixes }: NumberMapping): string {
  const tables = [operators && 'operators', operatorPrefixes && 'operatorPrefixes'].filter(Boolean)
  return tables.length > 0
    ? `operator: a code that ${tables.join(' or ')} of the mapping has`
    : `operator: ${OPERATOR_ID_SYNTAX}, or a mapping with operators or operatorPrefixes`
}

const fieldsAt = (text: string, delimiter: string, { file, line }: LineOf): string[] =>
  fieldsOf(text, delimiter, (_, at) => {
    throw new NumberFileError(file, line, at + 1, 'a quote that does not close', 'its end and a delimiter')
  })

function e164Of(field: string, callingCode: string, nationalPrefix: string | undefined): string | undefined {
  const plain = field.replaceAll(/[ ().-]/g, '')
  const international = plain.startsWith('+') ? plain.slice(1) : undefined
  let digits = international ?? plain
  if (international === undefined && nationalPrefix !== undefined) {
    digits = callingCode + (plain.startsWith(nationalPrefix) ? plain.slice(nationalPrefix.length) : plain)
  } else if (digits.startsWith('00')) digits = digits.slice(2)
  return /^\d{5,15}$/.test(digits) && digits.startsWith(callingCode) ? digits : undefined
}

const timeSyntax = {
  hh: '(?:[01]\\d|2[0-3])',
  mm: '[0-5]\\d',
  ss: '(?:[0-5]\\d|60)(?:[.,]\\d{1,9})?',
  Z: '(?:Z|[+-]\\d{2}:?\\d{2})',
} as const

/**
 * Returns our form, '' for an empty or unknown one, undefined for a day that there is not or that is later than `lastDay`. Of a time
 * the day counts as it is written.
 */
function dateReader(
  form: string,
  unknownDates: readonly string[] = [],
): (text: string, lastDay: number) => string | undefined {
  const part = (letters: string): [number, number] => [form.indexOf(letters), form.indexOf(letters) + letters.length]
  const [year, month, day] = [part('YYYY'), part('MM'), part('DD')]
  const syntax = form
    .replaceAll('.', '\\.')
    .replaceAll(/[YMD]/g, '\\d')
    .replaceAll(/hh|mm|ss|Z/g, (letters) => timeSyntax[letters as keyof typeof timeSyntax])
  const whole = new RegExp(`^${syntax}$`)
  const unknown = new Set(['', ...unknownDates])
  return (text, lastDay) => {
    if (unknown.has(text)) return ''
    if (!whole.test(text)) return undefined
    const [y, m, d] = [text.slice(...year), text.slice(...month), text.slice(...day)]
    const days = daysSince1970(Number(y), Number(m), Number(d))
    return days >= 1 && days <= lastDay ? `${y}-${m}-${d}` : undefined
  }
}
