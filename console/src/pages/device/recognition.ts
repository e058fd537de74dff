// How was a device recognised, in words, and how sure is that?

import type { ShownVisit } from '../../api/types.ts'
import type { Tone } from '../../parts/actions.ts'
import { percent, shortId } from '../../parts/values/format.ts'

type Recognition = NonNullable<ShownVisit['recognition']>

const names: Readonly<Record<Recognition['by'], string>> = {
  key: 'Proved its key',
  token: 'Sent its token',
  similarity: 'Resembles the device',
  none: 'New',
}

const tokens: Readonly<Record<NonNullable<Recognition['token']>, string>> = {
  copied: 'its token was copied',
  expired: 'its token had expired',
  forged: 'its token was forged',
  foreign: 'its token is of another device',
}

/** `Proved its key, 99.9% sure`. What is new is not sure or unsure. */
export function recognitionText({ by, confidence, likely, token }: Recognition): string {
  const sure = by === 'none' ? undefined : `${shareText(confidence)} sure`
  return [names[by], sure, likely && likelyText(likely), token && tokens[token]]
    .filter((part) => part !== undefined)
    .join(', ')
}

/** `likely 2c9a4e1b, 72% sure` */
export const likelyText = ({ deviceId, confidence }: NonNullable<Recognition['likely']>): string =>
  `likely ${shortId(deviceId)}, ${shareText(confidence)} sure`

/** Never more than is known: 0.9999 is 99.9%, not 100%. */
export const shareText = (share: number): string =>
  share > 0.99 ? percent(Math.floor(share * 1000) / 1000, 1) : percent(Math.floor(share * 100) / 100)

export const recognitionTone = ({ by, confidence, token }: Recognition): Tone =>
  token !== undefined || (by === 'similarity' && confidence < 0.9) ? 'amber' : by === 'none' ? 'neutral' : 'green'
