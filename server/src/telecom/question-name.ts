// How are stored answers about a number named? By check, question and who answered: `simSwap:240@acme`, `portability:enum`.

import { type CheckName, checks } from '@ringfence/contract'

export const questionToOperator = (check: CheckName, key: string, connector: string) => `${check}:${key}@${connector}`
export const questionToSource = (source: string) => `portability:${source}`

export interface NamedQuestion {
  readonly check: CheckName
  /** A connector, or for portability a source. */
  readonly source: string
}

/** Undefined for a name that this version does not write. */
export function readQuestionName(name: string): NamedQuestion | undefined {
  const [, check = '', rest = ''] = /^(\w+):(.*)$/.exec(name) ?? []
  if (!Object.hasOwn(checks, check)) return undefined
  return { check: check as CheckName, source: check === 'portability' ? rest : rest.slice(rest.indexOf('@') + 1) }
}
