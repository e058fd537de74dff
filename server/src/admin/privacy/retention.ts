// How long does each kind of data live here? As the settings of this installation say.

import type { RetentionPeriod } from '@ringfence/contract'
import type { Settings } from '../../core/config/settings.ts'

const daySeconds = 86_400

/** `reuseSeconds`: the longest of any telecom check. */
export function retentionPeriods(settings: Settings, reuseSeconds: number): RetentionPeriod[] {
  const { eventDays, decisionDays, deviceRetentionDays, deviceHistoryDays } = settings
  const answers = Math.max(reuseSeconds, settings.telecomKnownSeconds)
  return [
    { kind: 'Events', days: eventDays, setting: 'EVENT_DAYS', note: 'From when they happened' },
    {
      kind: 'Decisions',
      days: decisionDays,
      setting: 'DECISION_DAYS',
      note:
        decisionDays > deviceRetentionDays
          ? `They have a copy of the device report, which so lives longer than the ${deviceRetentionDays} days of reports`
          : 'With the device report that they read',
    },
    { kind: 'Device reports', days: deviceRetentionDays, setting: 'DEVICE_RETENTION_DAYS', note: 'Their content' },
    {
      kind: 'Devices, visits, habits, labels',
      days: deviceHistoryDays,
      setting: 'DEVICE_HISTORY_DAYS',
      note: 'After the last visit or proven session',
    },
    {
      kind: 'Results of telecom checks',
      days: Math.round((answers / daySeconds) * 100) / 100,
      setting: 'TELECOM_KNOWN_SECONDS',
      note: 'Only where rules read them; else as long as they are reused',
    },
    { kind: 'Sign-ins', days: 0.05, note: 'An hour after they expire' },
    { kind: 'Tokens', days: 1, note: 'A day after they expire' },
    { kind: 'Velocities', days: 30, note: 'The window of the rule, at most this' },
    { kind: 'Log of deliveries', days: 7, note: 'Without the data of the events' },
    { kind: 'Users and their identities', note: 'Until they are erased' },
    { kind: 'Imported customers', note: 'Until they are erased, or an import leaves them out' },
    { kind: 'List entries', note: 'Until they expire or are removed. Give each that names a person an expiry' },
    { kind: 'App Attest keys', note: 'A public key and a hash for each iPhone' },
    {
      kind: 'Rules, people of the console, audit log',
      note: 'What a line of the log contains goes when its subject is erased',
    },
    { kind: 'List of erasures', note: 'A keyed mark and the receipt of each' },
  ]
}
