// Does a session resemble a device that the tenant blocks?

import type { RuleInput } from '../language/vocabulary.ts'
import type { ListLookUps } from './list-look-ups.ts'

/** The input, with what lists say of the device that the session resembles. No read while the lists are in memory. */
export async function withResemblance<Input extends Pick<RuleInput, 'likely'>>(
  tenantId: string,
  input: Input,
  lookUps: ListLookUps,
): Promise<Input> {
  const { likely } = input
  if (likely?.deviceId === undefined) return input
  const blocked = await lookUps.hasAny(tenantId, 'block', 'deviceId', [likely.deviceId])
  return { ...input, likely: { ...likely, blocked } }
}
