// What would a piece of a file add to a list? Nothing is written.

import { listImport, type PreviewedListImport, type PreviewListImportRequest } from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import { Refusal } from '../../core/errors.ts'
import type { Pause } from '../../core/heavy-work/slices.ts'
import type { RulesNeeds } from '../room.ts'
import { findEntries, findList } from '../store/lists.ts'
import { hashOfList, inSeconds, isInForce, openEntry } from './entries.ts'
import { kindsOfLists } from './kinds.ts'
import { type FileLine, linesOf } from './list-file.ts'

type Resources = Pick<RulesNeeds, 'database' | 'tenantKeyring' | 'clock' | 'heavyWork'>

/** Refuses with `listUnknown`, and with `fieldInvalid` too many lines. */
export const previewListImport = (
  request: PreviewListImportRequest,
  { caller: { tenantId } }: Pick<Call, 'caller'>,
  resources: Resources,
): Promise<PreviewedListImport> =>
  resources.heavyWork.slices.during(tenantId, (pause) => previewed(request, tenantId, resources, pause))

async function previewed(
  { name, lines, head, fromLine = 1 }: PreviewListImportRequest,
  tenantId: string,
  { database, tenantKeyring, clock }: Resources,
  pause: Pause,
): Promise<PreviewedListImport> {
  const list = await findList(database, tenantId, name)
  if (!list) throw new Refusal('listUnknown')
  const read: FileLine[] = []
  // A head is its own line before the piece.
  const before = head === undefined ? 0 : 1
  const text = head === undefined ? lines : `${head.replace(/[\r\n]+/g, ' ')}\n${lines}`
  for await (const each of linesOf(whole(text), list.kind, clock.now)) {
    if (each.line <= before) continue
    if (read.length === listImport.linesOfPiece)
      throw new Refusal('fieldInvalid', { mistake: `lines has more than ${listImport.linesOfPiece} lines` })
    read.push(each)
    await pause()
  }
  const keys = await tenantKeyring.keysOf(tenantId)
  const hash = hashOfList(keys, list.id)
  const { entry: formOf } = kindsOfLists[list.kind]
  const wanted: ({ form: string; valueHash: Uint8Array } | undefined)[] = []
  for (const each of read) {
    const form = 'mistake' in each ? undefined : formOf(each.entry.value)!
    wanted.push(form === undefined ? undefined : { form, valueHash: hash.of(form).bytes() })
    await pause()
  }
  const rows = await findEntries(
    database,
    list.id,
    wanted.flatMap((each) => each?.valueHash ?? []),
  )
  const stored = new Map(rows.filter((row) => isInForce(row, clock.now())).map((row) => [hexOf(row.valueHash), row]))
  return {
    lines: read.map((each, index) => {
      const line = fromLine + each.line - 1 - before
      if ('mistake' in each) return { line, state: 'malformed', mistake: each.mistake }
      const { note, expiresAt } = each.entry
      const { form, valueHash } = wanted[index]!
      const row = stored.get(hexOf(valueHash))
      const expires = expiresAt === undefined ? null : inSeconds(expiresAt) * 1000
      const isSame = row?.expiresAt === expires && openEntry(row, list, tenantId, keys).note === note
      return {
        line,
        state: row === undefined ? 'new' : isSame ? 'unchanged' : 'changed',
        value: form,
        ...(note !== undefined && { note }),
        ...(expires !== null && { expiresAt: new Date(expires).toISOString() }),
      }
    }),
  }
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

async function* whole(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
