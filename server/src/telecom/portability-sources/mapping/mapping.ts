// How does a foreign file of ported numbers say what ours says? A declarative mapping, read from YAML or JSON.

import fs from 'node:fs'
import Type, { type Static } from 'typebox'
import { parseDocument } from 'yaml'
import { firstMistake } from '../../../core/config/schema-errors.ts'
import { NUMBER_RANGE_SYNTAX, parseNumberRange } from '../number-ranges.ts'
import { isOperatorId, OPERATOR_ID_SYNTAX } from '../operator-table.ts'

const closed = { additionalProperties: false }
const Column = Type.Union([Type.String({ minLength: 1 }), Type.Integer({ minimum: 1, maximum: 200 })])
const Words = Type.Array(Type.String(), { maxItems: 50 })

/** As many of its first characters can be in `operatorPrefixes`. */
export const longestRoutingNumber = 32

const dateForm =
  /^(?:YYYY-MM-DD|YYYYMMDD|DD\.MM\.YYYY|DD\/MM\/YYYY|DD-MM-YYYY|MM\/DD\/YYYY)(?:[ T]?hh:?mm(?::?ss)?Z?)?$/
const DATE_FORMS =
  'YYYY-MM-DD, YYYYMMDD, DD.MM.YYYY, DD/MM/YYYY, DD-MM-YYYY or MM/DD/YYYY, and the time if there is one, such as " hh:mm:ss" or "Thh:mm:ssZ"'

/** Docs: docs/guides/number-data.md. */
export const NumberMapping = Type.Object(
  {
    source: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }),
    callingCode: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
    complete: Type.Optional(Type.Array(Type.String({ pattern: '^\\d+(-\\d+)?$' }), { maxItems: 1000 })),
    encoding: Type.Optional(Type.Enum(['utf-8', 'utf-16le', 'utf-16be', 'latin1'])),
    delimiter: Type.Optional(Type.Enum([',', ';', '|', '\t'])),
    header: Type.Optional(Type.Boolean()),
    skipLines: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
    /** The last line, without its count: `TRAILER;` of `TRAILER;1234`. */
    trailer: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    columns: Type.Object(
      {
        number: Column,
        operator: Column,
        portedOn: Type.Optional(Column),
        action: Type.Optional(Column),
      },
      closed,
    ),
    /** How a national number begins that is to lose this; absent: numbers have their calling code. */
    nationalPrefix: Type.Optional(Type.String({ pattern: '^\\d{0,4}$' })),
    /** `DATE_FORMS` has the forms. */
    date: Type.Optional(Type.String({ maxLength: 40 })),
    /** What the file writes for a date that is not known: `01-01-1900`. */
    unknownDates: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { maxItems: 50 })),
    actions: Type.Optional(Type.Object({ port: Words, return: Words }, closed)),
    operators: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** By the first characters of a routing number, the longest that fits; a code in `operators` comes first. */
    operatorPrefixes: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  closed,
)
export type NumberMapping = Static<typeof NumberMapping>

/** Throws an Error that names the file and the path of the first mistake. */
export function readMapping(file: string): NumberMapping {
  const document = parseDocument(fs.readFileSync(file, 'utf8'), { prettyErrors: true })
  const [error] = document.errors
  if (error) throw new Error(`${file} is not valid YAML: ${error.message.split(/:?\n/, 1)[0]}`)
  const content = contentOf(file, document)
  const mistake = firstMistake(NumberMapping, content, { at: '' }) ?? contradictionIn(content as NumberMapping)
  if (mistake) throw new Error(`${file}: ${mistake}`)
  return content as NumberMapping
}

function contentOf(file: string, document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new Error(`${file} has aliases that expand too far: ${(error as Error).message}`)
  }
}

function contradictionIn(mapping: NumberMapping): string | undefined {
  const { columns, header = true, actions, operators = {}, complete = [], callingCode, trailer } = mapping
  const { date, unknownDates } = mapping
  for (const [name, column] of Object.entries(columns)) {
    if (!header && typeof column === 'string') {
      return `columns.${name} is ${column}, but header is false; write the position of the column, from 1`
    }
  }
  if (actions && columns.action === undefined) return 'actions needs columns.action'
  if (columns.action !== undefined && !actions) {
    return 'columns.action needs actions: which values mean port, and which return'
  }
  const twice = actions?.port.find((word) => actions.return.includes(word))
  if (twice !== undefined) return `actions has ${JSON.stringify(twice)} in both port and return`
  for (const [code, id] of Object.entries(operators)) {
    if (!isOperatorId(id)) return `operators.${code} is ${id}; expected ${OPERATOR_ID_SYNTAX}`
  }
  const prefix = prefixMistake(mapping.operatorPrefixes)
  if (prefix !== undefined) return prefix
  if (date !== undefined && !dateForm.test(date)) return `date is ${date}; expected ${DATE_FORMS}`
  if (unknownDates && columns.portedOn === undefined) return 'unknownDates needs columns.portedOn'
  const broken = complete.findIndex((range) => !parseNumberRange(range))
  if (broken >= 0) return `complete.${broken} is ${complete[broken]}; expected ${NUMBER_RANGE_SYNTAX}`
  const elsewhere = complete.find((range) => range.split('-').some((each) => !each.startsWith(callingCode)))
  if (elsewhere !== undefined) return `complete has ${elsewhere}, which does not begin with ${callingCode}`
  if (complete.length === 0 || trailer !== undefined) return undefined
  return 'complete needs trailer: a file without the number of its rows may have been cut off, and each missing number would be "not ported". Add such a last line to the file, or leave complete out'
}

const prefixForm = new RegExp(`^[0-9A-Za-z]{1,${longestRoutingNumber}}$`)

function prefixMistake(prefixes: NumberMapping['operatorPrefixes'] = {}): string | undefined {
  const seen = new Map<string, string>()
  for (const [prefix, id] of Object.entries(prefixes)) {
    const at = `operatorPrefixes.${prefix}`
    if (!prefixForm.test(prefix))
      return `${at} is no beginning of a routing number: write up to ${longestRoutingNumber} letters and digits`
    if (!isOperatorId(id)) return `${at} is ${id}; expected ${OPERATOR_ID_SYNTAX}`
    const other = seen.get(prefix.toLowerCase())
    if (other !== undefined) return `operatorPrefixes has ${other} and ${prefix}, which are the same`
    seen.set(prefix.toLowerCase(), prefix)
  }
  return undefined
}
