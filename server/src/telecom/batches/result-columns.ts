// Which columns does a CSV of results have beside those that were sent?

import { type AnyCheck, type BatchResult, checkNames, checks, type TelecomChecksRequest } from '@ringfence/contract'

type Asked = TelecomChecksRequest['checks']

const details = ['operator', 'homeOperator', 'isPorted', 'country', 'type'] as const

/** phoneNumber, then the columns that were sent, then these. */
export const resultColumns = (asked: Asked): string[] => [
  'line',
  ...details,
  ...checkNames
    .filter((name) => asked[name] !== undefined)
    .flatMap((name) => fieldsOf(name).map((field) => `${name}.${field}`)),
  'duplicateOf',
  'errorCode',
  'error',
]

const fieldsOf = (name: keyof Asked): string[] => {
  const { Answer }: AnyCheck = checks[name]
  return ['success', ...Object.keys(Answer.properties), 'ageSeconds', 'source', 'errorCode']
}

/** The cells of a line, in the order of `resultColumns`. */
export function resultCells(
  { line, phoneDetail = {}, checks: results = {}, duplicateOf, error }: BatchResult,
  asked: Asked,
): string[] {
  return [
    String(line),
    ...details.map((field) => cell(Reflect.get(phoneDetail, field))),
    ...checkNames
      .filter((name) => asked[name] !== undefined)
      .flatMap((name) => {
        const result = results[name] as { error?: { errorCode: string } } | undefined
        return fieldsOf(name).map((field) =>
          cell(field === 'errorCode' ? result?.error?.errorCode : result && Reflect.get(result, field)),
        )
      }),
    cell(duplicateOf),
    cell(error?.errorCode),
    cell(error?.description),
  ]
}

/** Empty: not known. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
