// What did a request send as its body? JSON, the fields of a form, or lines, which the handler reads.

import { Refusal } from '../../core/errors.ts'
import { isJson } from '../../core/json/content-type.ts'
import type { Progress } from '../progress.ts'
import { isPlain, parseJson } from '../request/body.ts'
import { beginsJsonObject, isForm, oauthParameters, parseForm } from '../request/form.ts'
import { bodyLimitOf, sendsForm } from '../rows.ts'
import type { EndpointRow } from '../surface.ts'
import type { Serving } from './step.ts'

/** Refuses with `mediaTypeUnsupported`. */
export function refuseMediaType({ row, headers }: Progress): void {
  const isKnown = sendsForm(row as EndpointRow, headers) || isJson(headers['content-type'])
  if (!isKnown || !isPlain(headers['content-encoding'])) throw new Refusal('mediaTypeUnsupported')
}

/** Leaves the body to the handler, which reads its lines as they arrive. */
export function takeLines(progress: Progress, { lines }: Serving): void {
  lines.take((progress.row as EndpointRow).takesLines!, progress)
}

/** Refuses with bodyTooLarge, invalidJson and fieldInvalid. */
export function readBody(progress: Progress, { needs }: Serving): void {
  const { row, headers, arrival } = progress
  const bytes = arrival.body
  if (!bytes) throw new Refusal('bodyTooLarge', { limitBytes: bodyLimitOf(row!, needs.settings) })
  const isEndpoint = row?.kind === 'endpoint'
  if (isForm(headers['content-type']) && !(isEndpoint && beginsJsonObject(bytes))) {
    const form = parseForm(bytes)
    progress.body = isEndpoint && row.errorFormat === 'oauth' ? oauthParameters(form) : form
  } else progress.body = isEndpoint ? row.body.parse(bytes) : parseJson(bytes)
}
