// What does an audit line say to people? Who, in words; what they did, and to what.

import type { AuditLine } from '../../api/types.ts'

/** Erased lines have no details. */
export function detailOf({ details }: AuditLine, field: string): string | undefined {
  const value = details?.[field]
  return value === undefined || typeof value === 'object' ? undefined : String(value)
}

/** The name at that time, else the id. */
export const nameOf = (line: AuditLine): string => detailOf(line, 'name') ?? line.actor

export const addressOf = (line: AuditLine): string | undefined => detailOf(line, 'ipAddress')

/** What the call sent, without secrets; undefined when it sent nothing. */
export function sentOf({ details }: AuditLine): Readonly<Record<string, unknown>> | undefined {
  const sent = details?.sent
  return typeof sent === 'object' && sent !== null && Object.keys(sent).length > 0
    ? (sent as Readonly<Record<string, unknown>>)
    : undefined
}

/** The details that have no place of their own in a line: of a refused call its permission, of a sign-in its factors. */
export function otherDetails({ details }: AuditLine): [string, unknown][] {
  const own = new Set(['name', 'role', 'ipAddress', 'requestId', 'sent'])
  return Object.entries(details ?? {}).filter(([field]) => !own.has(field))
}

/** In one line: the first plain value that was sent, such as the name of a list. */
export function subjectOf(line: AuditLine): string | undefined {
  const values = Object.values(sentOf(line) ?? Object.fromEntries(otherDetails(line)))
  const plain = values.find((value) => typeof value === 'string' || typeof value === 'number')
  return plain === undefined ? undefined : String(plain)
}
