// `ringfence webhooks`: who receives the events of a tenant? Adds and changes webhooks, and shows what they received.

import { systemClock } from '@ringfence/server/core/clock.ts'
import type { Tenant } from '@ringfence/server/core/storage/tenants.ts'
import { type Webhook, WebhookRefused, Webhooks } from '@ringfence/server/events/webhooks/webhooks.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { type Answer, answering } from './answer.ts'
import { displayName, wholeNumber } from './arguments.ts'
import { CommandFailed, exitCodes } from './failure.ts'
import { isoTime, isoTimeOr, minuteText, printable, table, tableOf } from './table.ts'
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
    .action(answering(add))
  command('list', 'List the webhooks').action(answering(list))
  ofOne('show', 'Show one webhook').action(answering(show))
  ofOne('remove', 'Remove a webhook, and the events that wait for it').action(answering(remove))
  ofOne('pause', 'Let events wait').action(answering(setState('paused')))
  ofOne('resume', 'Deliver again').action(answering(setState('active')))
  ofOne('rotate', 'Make a new secret; the previous one is valid for a day').action(answering(rotate))
  ofOne('deliveries', 'Show the last attempts, newest first')
    .option('--limit <number>', 'how many', wholeNumber(1, 1000), 20)
    .action(answering(deliveries))
  ofOne('replay', 'Send events again, in their order')
    .option('--event <id>', 'one event')
    .option('--since <time>', 'events from this time on: 2h, 3d, or RFC 3339', time)
    .option('--until <time>', 'events before this time; default: now', time)
    .action(answering(replay))
  ofOne('test', 'Send a test event').action(answering(test))

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

async function add(url: string, { types, description, ...options }: AddOptions): Promise<Answer> {
  const webhook = { url, types, ...(description !== undefined && { description }) }
  const added = await withWebhooks(options, (all, { id }) => all.add(id, webhook))
  return [added, `Added webhook ${added.id}.\n\n${secretText(added.secret)}`]
}

const secretText = (secret: string) =>
  `Its secret, which is shown only now: ${secret}\nVerify each delivery with it: docs/guides/events.md`

async function list(options: TenantOptions): Promise<Answer> {
  const all = await withWebhooks(options, (each, { id }) => each.list(id))
  const none = 'No webhook yet: add one with ringfence webhooks add URL'
  const text = tableOf(all, none, ['ID', 'STATE', 'WAITING', 'TYPES', 'URL'], (each) => [
    ...[each.id, stateOf(each), String(each.waiting), each.types.join(','), each.url],
  ])
  return [all.map(asJson), text]
}

const stateOf = ({ state, failingSince }: Webhook) =>
  state === 'active' && failingSince !== undefined ? `failing since ${minuteText(failingSince)}` : state

function asJson({ createdAt, failingSince, waitingSince, ...webhook }: Webhook) {
  return {
    ...webhook,
    createdAt: isoTime(createdAt),
    failingSince: isoTimeOr(failingSince),
    waitingSince: isoTimeOr(waitingSince),
  }
}

async function show(id: string, options: TenantOptions): Promise<Answer> {
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
  return [asJson(webhook), table([webhook.id, ''], lines as string[][])]
}

async function remove(id: string, options: TenantOptions): Promise<Answer> {
  await withWebhooks(options, (all, tenant) => all.remove(tenant.id, id))
  return [{ removed: id }, `Removed webhook ${id}.`]
}

const setState =
  (state: 'active' | 'paused') =>
  async (id: string, options: TenantOptions): Promise<Answer> => {
    await withWebhooks(options, (all, tenant) => all.setState(tenant.id, id, state))
    const text = state === 'paused' ? `Events wait for webhook ${id} now.` : `Webhook ${id} receives events again.`
    return [{ id, state }, text]
  }

async function rotate(id: string, options: TenantOptions): Promise<Answer> {
  const { secret } = await withWebhooks(options, (all, tenant) => all.rotate(tenant.id, id))
  return [
    { id, secret },
    `${secretText(secret)}\nThe previous secret is valid for a day: deliveries have a signature of each.`,
  ]
}

async function deliveries(id: string, { limit, ...options }: TenantOptions & { limit: number }): Promise<Answer> {
  const attempts = await withWebhooks(options, (all, tenant) => all.attempts(tenant.id, id, limit))
  const head = ['WHEN', 'EVENT', 'TYPE', 'RESULT', 'MS', 'ANSWER']
  return [
    attempts.map(({ attemptedAt, ...attempt }) => ({ ...attempt, attemptedAt: isoTime(attemptedAt) })),
    tableOf(attempts, 'No attempt in the last week.', head, (attempt) => [
      isoTime(attempt.attemptedAt).replace('T', ' ').slice(0, 19),
      attempt.eventId,
      attempt.type,
      attempt.status === undefined ? attempt.result : `${attempt.result} ${attempt.status}`,
      String(attempt.durationMs),
      printable(attempt.answer).slice(0, 60),
    ]),
  ]
}

interface ReplayOptions extends TenantOptions {
  event?: string
  since?: number
  until?: number
}

async function replay(
  id: string,
  { event, since, until = systemClock.now(), ...options }: ReplayOptions,
): Promise<Answer> {
  if ((event === undefined) === (since === undefined)) {
    throw new CommandFailed('name --event ID or --since TIME', { exitCode: exitCodes.usage })
  }
  const what = event === undefined ? { since: since!, until } : { eventId: event }
  const report = (count: number) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${count.toLocaleString('en')} events`)
  }
  const events = await withWebhooks(options, (all, tenant) => all.replay(tenant.id, id, what, report))
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  return [{ id, events }, `${events.toLocaleString('en')} events are sent again, after those that wait.`]
}

async function test(id: string, options: TenantOptions): Promise<Answer> {
  const eventId = await withWebhooks(options, (all, tenant) => all.test(tenant.id, id))
  return [{ id, eventId }, `Test event ${eventId} waits for delivery. See ringfence webhooks deliveries ${id}`]
}
