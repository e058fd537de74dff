// `ringfence devices`: which devices are known, what is stored about one, and how well are they recognised?

import { type DeviceRecord, forgetDevice, recordOfDevice } from '@ringfence/server/admin/privacy/device-record.ts'
import { systemClock } from '@ringfence/server/core/clock.ts'
import { isUuid, uuidText } from '@ringfence/server/core/storage/uuid.ts'
import { openCompression } from '@ringfence/server/device/store/compression.ts'
import { listDevices } from '@ringfence/server/device/store/device-list.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { wholeNumber } from '../arguments.ts'
import { CommandFailed } from '../failure.ts'
import { isoTime, minuteText, table } from '../table.ts'
import { addTenantOptions, type TenantOptions, withTenant } from '../tenant-options.ts'
import { recordText } from './device-text.ts'
import { addHeal } from './heal.ts'
import { addQuality } from './quality.ts'

export function addDevices(ringfence: Command): void {
  const devices = ringfence
    .command('devices')
    .description('Look at devices, forget one, measure how well devices are recognised, and merge what was split')
    .addHelpText(
      'after',
      `
Examples:
  ringfence devices list                      browsers, last seen first
  ringfence devices show 567f4354-…           installations and visits of a device, and how it was recognised
  ringfence devices forget 567f4354-…         delete everything about a device
  ringfence devices quality                   how often is recognition right on your own traffic?
  ringfence devices heal --dry-run            which devices are one device that was split?

docs/guides/devices-on-the-command-line.md explains the output.`,
    )
  command('list', 'List browsers, last seen first')
    .option('--limit <number>', 'how many', wholeNumber(1, 10_000), 50)
    .action(list)
  command('show', 'Show the installations and visits of a device')
    .argument('<deviceId>', 'deviceId of a report', deviceIdText)
    .option('--visits <number>', 'how many visits', wholeNumber(1, 10_000), 20)
    .action(show)
  command('forget', 'Delete everything about a device, and the reports of its visits')
    .argument('<deviceId>', 'deviceId of a report', deviceIdText)
    .action(forget)
  addQuality(devices)
  addHeal(devices)

  function command(name: string, description: string): Command {
    return addTenantOptions(devices.command(name).description(description), 'devices')
  }
}

function deviceIdText(text: string): string {
  if (isUuid(text)) return text
  throw new InvalidArgumentError('It must be a UUID in lower case: the deviceId of a report.')
}

async function list({ json, limit, ...options }: TenantOptions & { limit: number }): Promise<void> {
  const found = await withTenant(options, ({ database }, { id }) => listDevices(database, id, limit))
  const devices = found.map(({ deviceId, ...rest }) => ({
    deviceId: uuidText(deviceId),
    ...rest,
  }))
  if (json) {
    const lines = devices.map(({ firstSeenAt, lastSeenAt, ...device }) => ({
      ...device,
      firstSeenAt: isoTime(firstSeenAt),
      lastSeenAt: isoTime(lastSeenAt),
    }))
    return console.log(JSON.stringify(lines))
  }
  if (devices.length === 0) return console.log('No browser was seen yet.')
  console.log(
    table(
      ['DEVICE', 'INSTALLATIONS', 'WITH A KEY', 'FIRST SEEN', 'LAST SEEN'],
      devices.map(({ deviceId, installations, keys, firstSeenAt, lastSeenAt }) => [
        deviceId,
        String(installations),
        String(keys),
        minuteText(firstSeenAt),
        minuteText(lastSeenAt),
      ]),
    ),
  )
}

async function show(deviceId: string, { json, visits, ...options }: TenantOptions & { visits: number }): Promise<void> {
  const compression = openCompression()
  const record = await withTenant(options, (store, { id: tenantId }) =>
    recordOfDevice({ tenantId, deviceId }, visits, { ...store, compression }),
  )
  if (!record) throw unknown(deviceId)
  console.log(json ? JSON.stringify(asJson(record)) : recordText(record, systemClock.now()))
}

const asJson = ({ installations, visits, ...device }: DeviceRecord) => ({
  ...device,
  installations: installations.map(({ firstSeenAt, lastSeenAt, ...rest }) => ({
    ...rest,
    firstSeenAt: isoTime(firstSeenAt),
    lastSeenAt: isoTime(lastSeenAt),
  })),
  visits: visits.map(({ at, ...rest }) => ({ at: isoTime(at), ...rest })),
})

async function forget(deviceId: string, { json, ...options }: TenantOptions): Promise<void> {
  const erased = await withTenant(options, (store, { id: tenantId }) => forgetDevice({ tenantId, deviceId }, store))
  if (Object.values(erased).every((count) => count === 0)) throw unknown(deviceId)
  if (json) return console.log(JSON.stringify({ deviceId, ...erased }))
  const { installations, visits, labels, accounts } = erased
  console.log(
    `Deleted ${deviceId}: ${counted(installations, 'installation')}, ${counted(visits, 'visit')}, ${counted(labels, 'label')}, and its place in ${counted(accounts, 'account')}. It gets a new id when it returns.`,
  )
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

const unknown = (deviceId: string) =>
  new CommandFailed(`there is no device ${deviceId} in this tenant; ringfence devices list shows the browsers`)
