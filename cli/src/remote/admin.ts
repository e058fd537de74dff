// `ringfence admin`: any call of the admin API, on this machine or another one.

import { type AdminEndpoint, type AdminEndpointName, adminEndpoints } from '@ringfence/contract'
import type { Command } from 'commander'
import { CommandFailed, exitCodes } from '../failure.ts'
import { table } from '../table.ts'
import { requestFrom } from './fields.ts'
import { type Remote, runningServer } from './remote.ts'
import { addRunningServerOptions, keyHelp, type ServerOptions } from './server-options.ts'

interface AdminOptions extends ServerOptions {
  body?: string
  ifMatch?: string
  all?: true
  json?: true
}

/** Calls that a key can make: not those before sign-in, and none that does not end. */
const callable = Object.entries<AdminEndpoint>(adminEndpoints).filter(
  ([, { permission, stream }]) => permission !== 'anyone' && !stream,
)

export function addAdmin(ringfence: Command): void {
  addRunningServerOptions(
    ringfence
      .command('admin')
      .description('Make any call of the admin API, also from another machine')
      .argument('[call]', 'name of the call; without it, all are listed with the permission that each needs')
      .argument('[fields...]', 'name=value; repeat a name for a list, and write objects as JSON'),
  )
    .option('--body <file>', 'JSON object with the fields; - reads stdin, so that other users do not see them')
    .option('--if-match <version>', 'change only this version of the record; * changes any')
    .option('--all', 'read all pages, and print one line of JSON for each item')
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
${keyHelp}

Examples:
  ringfence admin                                            all calls
  ringfence admin me --server https://fraud.example.com --key key.json
  ringfence admin searchEvents types=decision.created limit=20
  ringfence admin addListEntries name=mules 'entries=[{"value":"917020141726"}]'
  ringfence admin exportAudit --all > audit.ndjson
  ringfence admin eraseSubject --body - < request.json

Exit codes: 0 success, 1 failure, 2 wrong command line, 3 the key or its role is refused, 4 the server was not reached.`,
    )
    .action(admin)
}

async function admin(name: string | undefined, fields: string[], options: AdminOptions): Promise<void> {
  if (name === undefined) return listCalls(options)
  const endpoint = callable.find(([each]) => each === name)?.[1]
  if (!endpoint) throw new CommandFailed(unknown(name), { exitCode: exitCodes.usage })
  const request = requestFrom(endpoint, fields, options.body)
  const { ifMatch, all, json } = options
  const { call } = runningServer(options)
  if (all) return printAll(call, name as AdminEndpointName, request)
  const answer = await call(name as AdminEndpointName, request as never, ifMatch === undefined ? {} : { ifMatch })
  console.log(JSON.stringify(answer, undefined, json ? undefined : 2))
}

function listCalls({ json }: AdminOptions): void {
  const rows = callable.map(([name, { permission, summary }]) => ({ name, permission, summary }))
  const head = ['CALL', 'PERMISSION', 'WHAT IT DOES']
  console.log(json ? JSON.stringify(rows) : table(head, rows.map(Object.values)))
}

function unknown(name: string): string {
  const alike = callable.map(([each]) => each).filter((each) => each.toLowerCase().includes(name.toLowerCase()))
  return `there is no call ${name}${alike.length > 0 ? `; did you mean ${alike.slice(0, 3).join(', ')}?` : ': ringfence admin lists all'}`
}

/** Pages differ in what asks for the next one: a cursor, or the number of the last item. */
async function printAll(
  call: Remote['call'],
  name: AdminEndpointName,
  request: Record<string, unknown>,
): Promise<void> {
  const { properties = {} } = adminEndpoints[name].request as { properties?: Record<string, unknown> }
  const field = ['cursor', 'after'].find((each) => Object.hasOwn(properties, each))
  for (let next: unknown; ; ) {
    const page = { ...request, ...(field !== undefined && next !== undefined && { [field]: next }) }
    const answer = (await call(name, page as never)) as Record<string, unknown>
    const items = Object.values(answer).find((value) => Array.isArray(value))
    if (!items) throw new CommandFailed(`${name} returns no list: leave --all out`, { exitCode: exitCodes.usage })
    for (const item of items) console.log(JSON.stringify(item))
    next = answer.nextCursor ?? answer.next
    if (field === undefined || next === undefined) return
  }
}
