// What does the service answer in tests of the pages? Samples of the contract, in place of the admin API.

import { readFileSync } from 'node:fs'
import type { AnswerOf, CallName } from '../api/call.ts'
import { endpoints, type Permission } from '../api/endpoints.ts'

export type Answers = { readonly [Name in CallName]?: AnswerOf<Name> }

export const sample = <Answer>(name: string): Answer =>
  JSON.parse(readFileSync(new URL(`../../../contract/samples/${name}.json`, import.meta.url), 'utf8'))

export const allPermissions = [...new Set(Object.values(endpoints).map(({ permission }) => permission))].filter(
  (permission): permission is Permission => permission.includes('.'),
)

export const signedIn = (permissions: readonly Permission[] = allPermissions): AnswerOf<'me'> => ({
  person: { personId: 'p-1', name: 'Maya Rao', email: 'maya@example.com' },
  tenant: { tenantId: 't-1', name: 'Shop' },
  role: 'analyst',
  permissions: [...permissions],
  tenants: [{ tenantId: 't-1', name: 'Shop', role: 'analyst' }],
  session: {
    sessionId: 's-1',
    csrfToken: 'csrf-of-the-session',
    startedAt: '2026-11-23T09:00:00.000Z',
    endsAt: '2026-11-23T21:00:00.000Z',
    idleMinutes: 60,
  },
})

/**
 * A script for `prepare`: fetch answers from these, and calls that are not among them as the service does when the role lacks the
 * permission. `calls` in the page has what was sent; `live` writes to the stream of events.
 */
export function answering(answers: Answers): string {
  const rows = Object.entries(endpoints).map(([name, { method, path }]) => ({
    method,
    form: `^${path.replace(/\{\w+\}/g, '[^/]+')}$`,
    answer: answers[name as CallName],
  }))
  return `
    const rows = ${JSON.stringify(rows)}
    globalThis.calls = []
    globalThis.fetch = async (url, { method, headers, body }) => {
      const { pathname, search: query } = new URL(url, location.href)
      calls.push({ path: pathname, query, method, headers, body: body && JSON.parse(body) })
      if (pathname === '/admin/v1/events/live') {
        const body = new ReadableStream({ start: (controller) => (globalThis.live = controller) })
        return new Response(body.pipeThrough(new TextEncoderStream()))
      }
      const row = rows.find((each) => each.method === method && new RegExp(each.form).test(pathname))
      if (row?.answer) return Response.json(row.answer)
      const isMe = pathname.endsWith('/me')
      const [status, name] = isMe ? [401, 'not-signed-in'] : [403, 'permission-missing']
      return Response.json({ type: '/problems/' + name, title: name, status, detail: 'See ' + name, requestId: 'r-1' }, { status })
    }`
}
