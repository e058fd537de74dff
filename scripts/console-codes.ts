// Which codes may the console get as plain text? Types from the contract and the catalogue of reasons, so that a code without words does not compile.

import { type AdminEndpoint, adminEndpoints, erasedKinds, eventTypes } from '@ringfence/contract'
import { tableNames } from '../server/src/core/dated-data/tables.ts'
import { signals } from '../server/src/device/signals/index.ts'
import { reasonsWith } from '../server/src/rules/reasons/catalogue.ts'
import { refusalReasons } from '../server/src/rules/reasons/refusal-reasons.ts'
import { banner } from './client-endpoints.ts'

const derived = /^(?:PREVIOUS|LINKED)_/

/** Every code of a reason. One that says that another was earlier, or is on a linked installation, takes the words of the other. */
function reasonCodes(): string[] {
  const all = new Set([...reasonsWith(signals), ...refusalReasons].map(({ code }) => code))
  return [...all].filter((code) => !derived.test(code) || !all.has(code.replace(derived, '')))
}

export function consoleCodes(): string {
  const changes = Object.entries<AdminEndpoint>(adminEndpoints).flatMap(([name, { effect }]) =>
    effect === 'write' ? [name] : [],
  )
  const types = {
    EventType: Object.keys(eventTypes),
    ReasonCode: reasonCodes(),
    ChangingCall: changes,
    ErasedKind: erasedKinds,
    DatedTable: tableNames,
  }
  const lines = Object.entries(types).map(
    ([name, codes]) => `export type ${name} = ${codes.map((code) => JSON.stringify(code)).join(' | ')}\n`,
  )
  return `${banner}\n\n${lines.join('')}`
}
