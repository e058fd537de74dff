// What is stored called, where a count or a date of it is shown?

import type { DatedTable, ErasedKind } from '../api/codes.ts'
import { wordOf } from './word-of.ts'

/** One, and several. */
const erased: Readonly<Record<ErasedKind, readonly [string, string]>> = {
  accountDevice: ['device of a user', 'devices of users'],
  answerOfAChange: ['answer to a change', 'answers to changes'],
  auditLine: ['audit line', 'audit lines'],
  batchLine: ['line of a batch', 'lines of batches'],
  decision: ['decision', 'decisions'],
  delivery: ['delivery', 'deliveries'],
  deliveryAttempt: ['delivery attempt', 'delivery attempts'],
  device: ['installation', 'installations'],
  deviceReport: ['device report', 'device reports'],
  entity: ['row of the tables', 'rows of the tables'],
  event: ['event', 'events'],
  habits: ['what is usual for the user', 'records of what is usual'],
  identity: ['identity', 'identities'],
  importedContact: ['imported contact', 'imported contacts'],
  importedCustomer: ['imported customer', 'imported customers'],
  label: ['label', 'labels'],
  listEntry: ['list entry', 'list entries'],
  messageCount: ['count of messages', 'counts of messages'],
  numberOfAccount: ['number of a user', 'numbers of users'],
  numberVerification: ['number verification', 'number verifications'],
  seenOnDevice: ['trace on a device', 'traces on devices'],
  signIn: ['sign-in', 'sign-ins'],
  telecomAnswer: ['answer of an operator', 'answers of operators'],
  user: ['user', 'users'],
  visit: ['visit', 'visits'],
  watch: ['watch of the number', 'watches of the number'],
}

/** `3 device reports`. */
export function erasedRows(kind: string, rows: number): string {
  const [one, several] = Object.hasOwn(erased, kind) ? erased[kind as ErasedKind] : [kind, kind]
  return `${rows} ${rows === 1 ? one : several}`
}

const tables: Readonly<Record<`table ${DatedTable}`, string>> = {
  'table clocksOfPlaces': 'Time zones of places',
  'table disposableDomains': 'Disposable email domains',
  'table frozenValues': 'Frozen values of browsers',
  'table numberingPlans': 'Numbering plans',
  'table renumberings': 'Renumbered ranges',
}
/** Data with a date: a table of the release, or a file that the configuration names. */
export const dataName = (name: string): string =>
  Object.hasOwn(tables, name)
    ? wordOf(tables, name)
    : name.replace(/^ip-city /, 'IP cities: ').replace(/^ip-asn /, 'IP networks: ')
