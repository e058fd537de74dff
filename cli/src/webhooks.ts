// `ringfence webhooks`: who receives the events of a tenant? Adds and changes webhooks, and shows what they received.

import { systemClock } from '@ringfence/server/core/clock.ts'
import type { Tenant } from '@ringfence/server/core/storage/tenants.ts'
import { type Webhook, WebhookRefused, Webhooks } from '@ringfence/server/events/webhooks/webhooks.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { displayName, wholeNumber } from './arguments.ts'
import { CommandFailed, exitCodes } from './failure.ts'
import { minuteText, printable, table } from './table.ts'
import { addTenantOptions, type TenantOptions, withTenant } from './tenant-options.ts'

export function addWebhooks(ringfence: Command): void {
  const webhooks = ringfence
    .command('webhooks')
    .description('Manage the webhooks that receive the events of a tenant')
    .addHelpText(
      'after',
      `
Running servers apply a change within a second.

Examples:
  ringfence webhooks add https://shop.example/hooks --types 'sign_in.*,device.report.created'
  ringfence webhooks test wh_…                     send a test event
  ringfence webhooks list                          show state, and how many events wait
  ringfence webhooks show wh_…                     show one, with its last failure
  ringfence webhooks deliveries wh_…               show the last attempts and their answers
  ringfence webhooks replay wh_… --since 2h        send the events of two hours again
  ringfence webhooks replay wh_… --event ID        send one event again
  ringfence webhooks pause wh_…                    let events wait
  ringfence webhooks resume wh_…                   deliver again, also after it was disabled
  ringfence webhooks rotate wh_…                   make a new secret; the old one is valid for a day
  ringfence webhooks remove wh_…

docs/guides/events.md shows how to verify a delivery, docs/reference/events.md lists the types.`,
    )

  command('add', 'Add a webhook; its secret is shown once')
    .argument('<url>', 'where to deliver; https, with a public IP address')
    .option('--types <list>', 'types and groups, separated by commas', words, ['*'])
    .option('--description <text>', 'shown in lists', displayName)
    .action(add)
  command('list', 'List the webhooks').action(list)
  ofOne('show', 'Show one webhook').action(show)
  ofOne('remove', 'Remove a webhook, and the events that wait for it').action(remove)
  ofOne('pause', 'Let events wait').action((id, options) => setState(id, 'paused', options))
  ofOne('resume', 'Deliver again').action((id, options) => setState(id, 'active', options))
  ofOne('rotate', 'Make a new secret; the previous one is valid for a day').action(rotate)
  ofOne('deliveries', 'Show the last attempts, newest first')
    .option('--limit <number>', 'how many', wholeNumber(1, 1000), 20)
    .action(deliveries)
  ofOne('replay', 'Send events again, in their order')
    .option('--event <id>', 'one event')
    .option('--since <time>', 'events from this time on: 2h, 3d, or RFC 3339', time)
    .option('--until <time>', 'events before this time; default: now', time)
    .action(replay)
  ofOne('test', 'Send a test event').action(test)

  function command(name: string, description: string): Command {
    return addTenantOptions(webhooks.command(name).description(description), 'webhooks')
  }
  function ofOne(name: string, description: string): Command {
    return command(name, description).argument('<id>', 'id of the webhook: wh_…')
  }
}

function withWebhooks<T>(options: TenantOptions, work: (all: Webhooks, tenant: Tenant) => Promise<T>): Promise<T> {
  return withTenant(options, async (store, tenant) => {
    try {
      return await work(new Webhooks({ ...store, clock: systemClock }), tenant)
    } catch (error) {
      throw error instanceof WebhookRefused ? new CommandFailed(error.message, { cause: error }) : error
    }
  })
}

const words = (text: string): string[] => text.split(',').map((word) => word.trim())

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Epoch milliseconds. */
function time(text: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (count !== undefined) return systemClock.now() - Number(count) * unitMs[unit as keyof typeof unitMs]
  const at = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) throw new InvalidArgumentError('It must be like 30m, 2h, 3d or 2026-11-23T10:00:00Z.')
  return at
}

interface AddOptions extends TenantOptions {
  types: string[]
  description?: string
}

const print = ({ json }: TenantOptions, answer: object, text: string) =>
  console.log(json ? JSON.stringify(answer) : text)

async function add(url: string, { types, description, ...options }: AddOptions): Promise<void> {
  const webhook = { url, types, ...(description !== undefined && { description }) }
  const added = await withWebhooks(options, (all, { id }) => all.add(id, webhook))
  print(options, added, `Added webhook ${added.id}.\n\n${secretText(added.secret)}`)
}

const secretText = (secret: string) =>
  `Its secret, which is shown only now: ${secret}\nVerify each delivery with it: docs/guides/events.md`

async function list(options: TenantOptions): Promise<void> {
  const all = await withWebhooks(options, (each, { id }) => each.list(id))
  if (options.json) return console.log(JSON.stringify(all.map(asJson)))
  if (all.length === 0) return console.log('No webhook yet: add one with ringfence webhooks add URL')
  const rows = all.map((each) => [each.id, stateOf(each), String(each.waiting), each.types.join(','), each.url])
  console.log(table(['ID', 'STATE', 'WAITING', 'TYPES', 'URL'], rows))
}

const stateOf = ({ state, failingSince }: Webhook) =>
  state === 'active' && failingSince !== undefined ? `failing since ${minuteText(failingSince)}` : state

const isoTime = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())

function asJson({ createdAt, failingSince, waitingSince, ...webhook }: Webhook) {
  return {
    ...webhook,
    createdAt: isoTime(createdAt),
    failingSince: isoTime(failingSince),
    waitingSince: isoTime(waitingSince),
  }
}

async function show(id: string, options: TenantOptions): Promise<void> {
  const webhook = await withWebhooks(options, (all, tenant) => all.show(tenant.id, id))
  const lines = [
    ['URL', webhook.url],
    ['description', webhook.description],
    ['types', webhook.types.join(', ')],
    ['state', stateOf(webhook)],
    ['last failure', webhook.failure ?? ''],
    ['events waiting', String(webhook.waiting)],
    ['oldest since', webhook.waitingSince === undefined ? '' : minuteText(webhook.waitingSince)],
    ['created', minuteText(webhook.createdAt)],
  ].filter(([, value]) => value !== '')
  print(options, asJson(webhook), table([webhook.id, ''], lines as string[][]))
}

async function remove(id: string, options: TenantOptions): Promise<void> {
  await withWebhooks(options, (all, tenant) => all.remove(tenant.id, id))
  print(options, { removed: id }, `Removed webhook ${id}.`)
}

async function setState(id: string, state: 'active' | 'paused', options: TenantOptions): Promise<void> {
  await withWebhooks(options, (all, tenant) => all.setState(tenant.id, id, state))
  const text = state === 'paused' ? `Events wait for webhook ${id} now.` : `Webhook ${id} receives events again.`
  print(options, { id, state }, text)
}

async function rotate(id: string, options: TenantOptions): Promise<void> {
  const { secret } = await withWebhooks(options, (all, tenant) => all.rotate(tenant.id, id))
  print(
    options,
    { id, secret },
    `${secretText(secret)}\nThe previous secret is valid for a day: deliveries have a signature of each.`,
  )
}

async function deliveries(id: string, { limit, ...options }: TenantOptions & { limit: number }): Promise<void> {
  const attempts = await withWebhooks(options, (all, tenant) => all.attempts(tenant.id, id, limit))
  if (options.json) {
    const rows = attempts.map(({ attemptedAt, ...attempt }) => ({ ...attempt, attemptedAt: isoTime(attemptedAt) }))
    return console.log(JSON.stringify(rows))
  }
  if (attempts.length === 0) return console.log('No attempt in the last week.')
  console.log(
    table(
      ['WHEN', 'EVENT', 'TYPE', 'RESULT', 'MS', 'ANSWER'],
      attempts.map(({ attemptedAt, eventId, type, result, status, durationMs, answer }) => [
        new Date(attemptedAt).toISOString().replace('T', ' ').slice(0, 19),
        eventId,
        type,
        status === undefined ? result : `${result} ${status}`,
        String(durationMs),
        printable(answer).slice(0, 60),
      ]),
    ),
  )
}

interface ReplayOptions extends TenantOptions {
  event?: string
  since?: number
  until?: number
}

async function replay(
  id: string,
  { event, since, until = systemClock.now(), ...options }: ReplayOptions,
): Promise<void> {
  if ((event === undefined) === (since === undefined)) {
    throw new CommandFailed('name --event ID or --since TIME', { exitCode: exitCodes.usage })
  }
  const what = event === undefined ? { since: since!, until } : { eventId: event }
  const report = (count: number) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${count.toLocaleString('en')} events`)
  }
  const events = await withWebhooks(options, (all, tenant) => all.replay(tenant.id, id, what, report))
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  print(options, { id, events }, `${events.toLocaleString('en')} events are sent again, after those that wait.`)
}

async function test(id: string, options: TenantOptions): Promise<void> {
  const eventId = await withWebhooks(options, (all, tenant) => all.test(tenant.id, id))
  print(options, { id, eventId }, `Test event ${eventId} waits for delivery. See ringfence webhooks deliveries ${id}`)
}
