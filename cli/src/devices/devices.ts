// `ringfence devices`: which devices are known, what is stored about one, and how well are they recognised?

import { type DeviceRecord, forgetDevice, recordOfDevice } from '@ringfence/server/admin/privacy/device-record.ts'
import { systemClock } from '@ringfence/server/core/clock.ts'
import { isUuid, uuidText } from '@ringfence/server/core/storage/uuid.ts'
import { openCompression } from '@ringfence/server/device/store/compression/compression.ts'
import { listDevices } from '@ringfence/server/device/store/device-list.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { wholeNumber } from '../arguments.ts'
import { CommandFailed } from '../failure.ts'
import { isoTime, minuteText, tableOf } from '../table.ts'
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
    .action(answering(list))
  command('show', 'Show the installations and visits of a device')
    .argument('<deviceId>', 'deviceId of a report', deviceIdText)
    .option('--visits <number>', 'how many visits', wholeNumber(1, 10_000), 20)
    .action(answering(show))
  command('forget', 'Delete everything about a device, and the reports of its visits')
    .argument('<deviceId>', 'deviceId of a report', deviceIdText)
    .action(answering(forget))
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

async function list({ limit, ...options }: TenantOptions & { limit: number }): Promise<Answer> {
  const found = await withTenant(options, ({ database }, { id }) => listDevices(database, id, limit))
  const devices = found.map(({ deviceId, ...rest }) => ({
    deviceId: uuidText(deviceId),
    ...rest,
  }))
  const head = ['DEVICE', 'INSTALLATIONS', 'WITH A KEY', 'FIRST SEEN', 'LAST SEEN']
  const text = tableOf(devices, 'No browser was seen yet.', head, (device) => [
    ...[device.deviceId, String(device.installations), String(device.keys)],
    ...[minuteText(device.firstSeenAt), minuteText(device.lastSeenAt)],
  ])
  return [devices.map(timesAsJson), text]
}

/** The times stand behind all else. */
const timesAsJson = <Seen extends { firstSeenAt: number; lastSeenAt: number }>({
  firstSeenAt,
  lastSeenAt,
  ...rest
}: Seen) => ({ ...rest, firstSeenAt: isoTime(firstSeenAt), lastSeenAt: isoTime(lastSeenAt) })

async function show(deviceId: string, { visits, ...options }: TenantOptions & { visits: number }): Promise<Answer> {
  const compression = openCompression()
  const record = await withTenant(options, (store, { id: tenantId }) =>
    recordOfDevice({ tenantId, deviceId }, visits, { ...store, compression }),
  )
  if (!record) throw unknown(deviceId)
  return [asJson(record), recordText(record, systemClock.now())]
}

const asJson = ({ installations, visits, ...device }: DeviceRecord) => ({
  ...device,
  installations: installations.map(timesAsJson),
  visits: visits.map(({ at, ...rest }) => ({ at: isoTime(at), ...rest })),
})

async function forget(deviceId: string, options: TenantOptions): Promise<Answer> {
  const erased = await withTenant(options, (store, { id: tenantId }) => forgetDevice({ tenantId, deviceId }, store))
  if (Object.values(erased).every((count) => count === 0)) throw unknown(deviceId)
  const { installations, visits, labels, accounts } = erased
  return [
    { deviceId, ...erased },
    `Deleted ${deviceId}: ${counted(installations, 'installation')}, ${counted(visits, 'visit')}, ${counted(labels, 'label')}, and its place in ${counted(accounts, 'account')}. It gets a new id when it returns.`,
  ]
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

const unknown = (deviceId: string) =>
  new CommandFailed(`there is no device ${deviceId} in this tenant; ringfence devices list shows the browsers`)
