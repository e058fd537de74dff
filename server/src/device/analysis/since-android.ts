// Can a phone report what a version of Android brought?

import type { Evidence } from './evidence.ts'

/** False only for a phone that is known to be older: else a missing answer was left out. */
export function mayReport({ facts: { deviceModel } }: Pick<Evidence, 'facts'>, since: number): boolean {
  const version = Number.parseInt(deviceModel?.systemVersion ?? '', 10)
  return !(version < since)
}
