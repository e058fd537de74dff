// Which checks does a command line ask for? `simSwap:maxAge=72` is a check with its parameter.

import {
  type AnyCheck,
  CheckNotationError,
  checkNames,
  checks,
  dateMistake,
  readCheck,
  telecomChecks,
} from '@ringfence/contract'
import type { TelecomChecksRequest } from '@ringfence/node'
import { InvalidArgumentError } from 'commander'

export type AskedChecks = TelecomChecksRequest['checks']

/** The checks that need nothing but the number. */
export const usualChecks: AskedChecks = Object.fromEntries(telecomChecks.map((name) => [name, {}]))

/** Parses an argument such as `deviceSwap` or `tenure:since=2025-01-01`, and adds it to those before. */
export function addCheckTo(text: string, asked: AskedChecks = {}): AskedChecks {
  try {
    const { name, params } = readCheck(text)
    if (name in asked) throw new CheckNotationError(`${name} is there twice.`)
    const wrongDate = dateMistake(checks[name].Params.properties, params, Date.now())
    if (wrongDate !== undefined) throw new CheckNotationError(`${name}: ${wrongDate}.`)
    return { ...asked, [name]: params }
  } catch (error) {
    if (error instanceof CheckNotationError) throw new InvalidArgumentError(error.message)
    throw error
  }
}

/** "simSwap, tenure:since=…": every check, with the parameters that it needs. */
export const checkUsage = checkNames
  .map((name) => {
    const { Params }: AnyCheck = checks[name]
    const needed = (Params.required ?? []).map((param: string) => `${param}=…`)
    return needed.length === 0 ? name : `${name}:${needed.join(',')}`
  })
  .join(', ')
