// Who may see a page, and what do they get? Pages of people, of operations, and preflights need no credentials.

import { Refusal } from '../../core/errors.ts'
import { hasNoBody } from '../connections/bounds.ts'
import { fieldsOf, mayReadMetrics, sendPage } from '../pages/send-page.ts'
import type { Progress } from '../progress.ts'
import { isPlain } from '../request/body.ts'
import { isForm } from '../request/form.ts'
import type { PageRow } from '../surface.ts'
import { closeWhenDraining } from './send-answer.ts'
import type { Serving } from './step.ts'

/** Anyone, a person, or operations with their token: as the row says. */
export async function admitVisitor(progress: Progress, { admission, needs }: Serving): Promise<void> {
  const { caller } = progress.row as PageRow
  if (caller === 'anyone') await progress.inTime(() => admission.anyone(progress))
  if (caller === 'person') await admitPerson(progress, admission)
  if (caller === 'operations' && !mayReadMetrics(progress.request, needs.settings.metricsToken))
    throw new Refusal('metricsTokenMissing')
}

async function admitPerson(progress: Progress, admission: Serving['admission']): Promise<void> {
  const { reply, headers, row } = progress
  reply.header('cache-control', 'no-store')
  await progress.inTime(() => admission.person(progress))
  if (row!.method === 'GET') return
  if (!isForm(headers['content-type']) || !isPlain(headers['content-encoding']))
    throw new Refusal('mediaTypeUnsupported')
}

/** A preflight has no body, and counts for the rate of its network. */
export async function admitPreflight(progress: Progress, { admission }: Serving): Promise<void> {
  if (!hasNoBody(progress.request)) throw new Refusal('bodyTooLarge', { limitBytes: 0 })
  await progress.inTime(() => admission.anyone(progress))
}

/** Makes the page and sends it. */
export async function showPage(progress: Progress, { needs, rows }: Serving): Promise<void> {
  const row = progress.row as PageRow
  const [from, parameters] = [progress.address?.address.text, rows.parametersOf(row, progress.arrival.path)]
  const page = await progress.inTime(() => row.page(fieldsOf(progress), from, parameters))
  closeWhenDraining(progress.reply, needs)
  sendPage(page, progress)
}
