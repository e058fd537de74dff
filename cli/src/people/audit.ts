// `ringfence audit`: who changed what in the console, and has anybody changed the log?

import { type AuditLine, openAuditLine, verifyAuditLog } from '@ringfence/server/admin/audit/chain.ts'
import { auditLinesAfter, findAuditLines } from '@ringfence/server/admin/store/audit-lines.ts'
import type { Command } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { wholeNumber } from '../arguments.ts'
import { CommandFailed } from '../failure.ts'
import { type AnswerOf, type Remote, remoteOf } from '../remote/remote.ts'
import { addServerOptions, type ServerOptions } from '../remote/server-options.ts'
import { isoTime, minuteText, printable, tableOf } from '../table.ts'
import { addTenantOptions, type TenantOptions, withTenant } from '../tenant-options.ts'

type LogOptions = TenantOptions & ServerOptions

interface ListOptions extends LogOptions {
  actor?: string
  action?: string
  limit: number
}

export function addAudit(ringfence: Command): void {
  const audit = ringfence
    .command('audit')
    .description('Read and verify the audit log of the console and the admin API')
    .addHelpText(
      'after',
      `
Each line contains a keyed hash of itself and of the line before. A line that was changed or deleted breaks the chain.
Note the head that verify prints somewhere else: lines that are missing at the end show only by another head.

Examples:
  ringfence audit list --action label    who labelled decisions, newest first
  ringfence audit verify                 exit code 1 when the log was changed
  ringfence audit export > audit.ndjson  every line as JSON, oldest first
  ringfence audit verify --server https://fraud.example.com --key key.json`,
    )
  command('list', 'List lines, newest first')
    .option('--actor <id>', 'only of this actor: person:…, client:rfc_… or command:…')
    .option('--action <name>', 'only this action, such as addListEntries or signIn')
    .option('--limit <number>', 'how many', wholeNumber(1, 1000), 50)
    .action(answering(list))
  command('verify', 'Check that no line was changed or deleted').action(answering(verify))
  command('export', 'Print every line as JSON, oldest first').action(exportAll)

  function command(name: string, description: string): Command {
    return addServerOptions(addTenantOptions(audit.command(name).description(description), 'log'))
  }
}

async function list({ actor, action, limit, ...options }: ListOptions): Promise<Answer> {
  const server = remoteOf(options)
  const lines = server
    ? await linesFrom(server, { actor, action }, limit)
    : await withTenant(options, async ({ database, tenantKeyring }, { id: tenantId }) => {
        const keys = await tenantKeyring.keysOf(tenantId)
        const rows = await findAuditLines(database, { tenantId, before: Number.MAX_SAFE_INTEGER, actor, action }, limit)
        return rows.map((row) => asJson(openAuditLine(row, keys)))
      })
  const head = ['NUMBER', 'WHEN', 'WHO', 'ACTION', 'ACTOR']
  const text = tableOf(lines, 'There is no line.', head, ({ number, at, actor: id, action: name, details }) => [
    String(number),
    minuteText(Date.parse(at)),
    printable(String(details?.name ?? '')),
    name,
    printable(id),
  ])
  return [lines, text]
}

type ListedLine = Pick<AnswerOf<'listAudit'>['lines'][number], 'number' | 'at' | 'actor' | 'action' | 'details'>

async function linesFrom({ call }: Remote, filter: object, limit: number): Promise<ListedLine[]> {
  const lines: ListedLine[] = []
  for (let cursor: string | undefined; lines.length < limit; ) {
    const page = { limit: Math.min(100, limit - lines.length), cursor }
    const { lines: found, next } = await call('listAudit', { ...filter, ...page })
    lines.push(...found)
    cursor = next
    if (cursor === undefined) break
  }
  return lines
}

async function verify(options: LogOptions): Promise<Answer> {
  const server = remoteOf(options)
  const found = server
    ? await verifiedBy(server)
    : await withTenant(options, async ({ database, tenantKeyring }, { id }) =>
        verifyAuditLog(database, id, await tenantKeyring.keysOf(id)),
      )
  const { lines, head, erased, broken } = found
  const intact = `The audit log is intact: ${lines} lines${erased > 0 ? `, ${erased} of them without details` : ''}, head ${head ?? 'none'}.`
  return [
    { intact: broken === undefined, ...found, head: head ?? null },
    broken ? '' : intact,
    broken && new CommandFailed(`the audit log was changed: line ${broken.number}: ${broken.reason}`),
  ]
}

async function verifiedBy({ call }: Remote): Promise<Omit<AnswerOf<'verifyAudit'>, 'next'>> {
  let erased = 0
  for (let from = {}; ; ) {
    const { next, ...found } = await call('verifyAudit', from)
    erased += found.erased
    if (next === undefined || found.broken || found.head === undefined) return { ...found, erased }
    from = { after: next, head: found.head }
  }
}

const slice = 500

async function exportAll(options: LogOptions): Promise<void> {
  const server = remoteOf(options)
  if (server) {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const found: AnswerOf<'exportAudit'> = await server.call('exportAudit', { after })
      for (const line of found.lines) console.log(JSON.stringify(line))
      after = found.next
    }
    return
  }
  await withTenant(options, async ({ database, tenantKeyring }, { id: tenantId }) => {
    const keys = await tenantKeyring.keysOf(tenantId)
    for (let after = 0; ; ) {
      const rows = await auditLinesAfter(database, { tenantId, after, limit: slice })
      for (const row of rows)
        console.log(
          JSON.stringify({ ...asJson(openAuditLine(row, keys)), hash: Buffer.from(row.hash).toString('hex') }),
        )
      if (rows.length < slice) return
      after = rows.at(-1)!.number
    }
  })
}

const asJson = ({ number, at, actor, action, details }: AuditLine) => ({
  ...{ number, at: isoTime(at), actor, action },
  details,
})
