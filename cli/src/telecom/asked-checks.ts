// Which checks does a command line ask for? `simSwap:maxAge=72` is a check with its parameter.

import { type AnyCheck, type CheckName, checkNames, checks, dateMistake, telecomChecks } from '@ringfence/contract'
import type { TelecomChecksRequest } from '@ringfence/node'
import { InvalidArgumentError } from 'commander'

export type AskedChecks = TelecomChecksRequest['checks']

/** The checks that need nothing but the number. */
export const usualChecks: AskedChecks = Object.fromEntries(telecomChecks.map((name) => [name, {}]))

/** Parses an argument such as `deviceSwap` or `tenure:since=2025-01-01`, and adds it to those before. */
export function addCheckTo(text: string, asked: AskedChecks = {}): AskedChecks {
  const [name = '', ...rest] = text.split(':')
  if (!isCheckName(name)) {
    throw new InvalidArgumentError(`There is no check ${name}. Checks: ${checkNames.join(', ')}.`)
  }
  if (name in asked) throw new InvalidArgumentError(`${name} is there twice.`)
  const { Params }: AnyCheck = checks[name]
  const params = rest.join(':')
  const given = params === '' ? [] : params.split(',').map((param) => paramOf(param, name, Params.properties))
  return { ...asked, [name]: Object.fromEntries(given) }
}

/** "simSwap, tenure:since=…": every check, with the parameters that it needs. */
export const checkUsage = checkNames
  .map((name) => {
    const { Params }: AnyCheck = checks[name]
    const needed = (Params.required ?? []).map((param: string) => `${param}=…`)
    return needed.length === 0 ? name : `${name}:${needed.join(',')}`
  })
  .join(', ')

function paramOf(text: string, check: CheckName, known: AnyCheck['Params']['properties']): [string, string | number] {
  const [param = '', ...rest] = text.split('=')
  const schema = known[param]
  const value = rest.join('=')
  if (schema === undefined || value === '') {
    const names = Object.keys(known)
    const expected = names.length === 0 ? 'none' : names.map((name) => `${name}=…`).join(', ')
    throw new InvalidArgumentError(`${check} has no parameter "${text}". Parameters: ${expected}.`)
  }
  const wrongDate = dateMistake({ [param]: schema }, { [param]: value }, Date.now())
  if (wrongDate !== undefined) throw new InvalidArgumentError(`${check}: ${wrongDate}.`)
  if (schema.type !== 'integer' && schema.type !== 'number') return [param, value]
  const number = Number(value)
  if (Number.isFinite(number)) return [param, number]
  throw new InvalidArgumentError(`${param} of ${check} must be a number.`)
}

const isCheckName = (name: string): name is CheckName => (checkNames as readonly string[]).includes(name)
