// How are checks written on one line, in a URL or on a command line? `simSwap:maxAge=72,deviceSwap`

import type { AnyCheck } from './check.ts'
import { type CheckName, checkNames, checks } from './index.ts'

/** The checks with their parameters, as `POST /v1/telecom/checks` takes them. Their values are not checked yet. */
export type NotedChecks = { [Name in CheckName]?: Record<string, string | number> }

/** Says what is wrong, in words for whoever wrote the text. */
export class CheckNotationError extends Error {
  override name = 'CheckNotationError'
}

/** Reads one check: `tenure:since=2025-01-01`. @throws CheckNotationError */
export function readCheck(text: string): { name: CheckName; params: Record<string, string | number> } {
  const [name = '', ...rest] = text.split(':')
  if (!isCheckName(name)) {
    throw new CheckNotationError(`There is no check ${name.slice(0, 40)}. Checks: ${checkNames.join(', ')}.`)
  }
  const { Params }: AnyCheck = checks[name]
  const params = rest.join(':')
  const given = params === '' ? [] : params.split(',').map((param) => paramOf(param, name, Params.properties))
  return { name, params: Object.fromEntries(given) }
}

/** Reads several checks: `simSwap:maxAge=72,deviceSwap`. A part with `=` belongs to the check before it. @throws CheckNotationError */
export function readChecks(text: string): NotedChecks {
  const noted: NotedChecks = {}
  for (const one of text.split(/,(?![^,:]*=)/)) {
    const { name, params } = readCheck(one.trim())
    if (noted[name]) throw new CheckNotationError(`${name} is there twice.`)
    noted[name] = params
  }
  return noted
}

/** The text that `readChecks` reads. */
export const writeChecks = (noted: { readonly [Name in CheckName]?: object }): string =>
  checkNames
    .filter((name) => noted[name] !== undefined)
    .map((name) => {
      const params = Object.entries(noted[name]!).map(([param, value]) => `${param}=${value}`)
      return params.length === 0 ? name : `${name}:${params.join(',')}`
    })
    .join(',')

function paramOf(text: string, check: CheckName, known: AnyCheck['Params']['properties']): [string, string | number] {
  const [param = '', ...rest] = text.split('=')
  const schema = Object.hasOwn(known, param) ? (known[param] as { readonly type?: string }) : undefined
  const value = rest.join('=')
  if (schema === undefined || value === '') {
    const names = Object.keys(known)
    const expected = names.length === 0 ? 'none' : names.map((name) => `${name}=…`).join(', ')
    throw new CheckNotationError(`${check} has no parameter "${text.slice(0, 40)}". Parameters: ${expected}.`)
  }
  if (schema.type !== 'integer' && schema.type !== 'number') return [param, value]
  const number = Number(value)
  if (Number.isFinite(number)) return [param, number]
  throw new CheckNotationError(`${param} of ${check} must be a number.`)
}

const isCheckName = (name: string): name is CheckName => (checkNames as readonly string[]).includes(name)
