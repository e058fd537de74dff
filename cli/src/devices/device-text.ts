// How is a device shown to people? Its installations, then its visits, newest first.

import type {
  DeviceRecord,
  RecordedInstallation,
  RecordedVisit,
} from '@ringfence/server/admin/privacy/device-record.ts'
import { minuteText, table } from '../table.ts'

export function recordText({ deviceId, installations, visits }: DeviceRecord, now: number): string {
  const seen = [...installations.flatMap((one) => [one.firstSeenAt, one.lastSeenAt]), ...visits.map(({ at }) => at)]
  const [first, last] = [Math.min(...seen), Math.max(...seen)]
  return [
    `Device ${deviceId}: first seen ${minuteText(first)}, last seen ${minuteText(last)} (${ageText(now - last)})`,
    installations.length === 0
      ? 'No browser installation: a phone, or it has expired.'
      : installationTable(installations),
    visits.length === 0 ? 'No visit with a report is stored.' : visitTable(visits),
  ].join('\n\n')
}

const installationTable = (installations: readonly RecordedInstallation[]) =>
  table(
    ['INSTALLATION', 'PROOF', 'MADE BY', 'FIRST SEEN', 'LAST SEEN'],
    installations.map(({ id, hasKey, bySimilarity, firstSeenAt, lastSeenAt }) => [
      id,
      hasKey ? 'key' : 'token only',
      bySimilarity ? 'similarity' : 'first visit',
      minuteText(firstSeenAt),
      minuteText(lastSeenAt),
    ]),
  )

const visitTable = (visits: readonly RecordedVisit[]) =>
  table(
    ['VISIT', 'RECOGNISED BY', 'CONFIDENCE', 'INSTALLATION', 'COUNTRY', 'SIGNALS', 'DFRID'],
    visits.map(({ at, dfrId, country = '', signals, installationId = '', identification }) => [
      minuteText(at),
      identification
        ? `${byText[identification.by]}${likelyText(identification.likely)}${tokenText(identification.token)}`
        : '',
      identification ? identification.confidence.toFixed(3) : '',
      installationId.slice(0, 8),
      country,
      signals.join(' '),
      dfrId,
    ]),
  )

const byText = { key: 'key', token: 'token', similarity: 'similarity', none: 'nothing: new' } as const

const likelyText = (likely: { readonly deviceId: string } | undefined) =>
  likely ? `, likely ${likely.deviceId.slice(0, 8)}` : ''

const tokenText = (token: string | undefined) => (token === undefined ? '' : `, ${token} token`)

function ageText(ms: number): string {
  const days = Math.floor(Math.max(0, ms) / 86_400_000)
  return days === 0 ? 'today' : days === 1 ? 'a day ago' : `${days} days ago`
}
