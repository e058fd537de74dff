// What does a check of the service find? For `ringfence doctor` and for the console.

import { type Dated, isInFuture } from '../../core/files/renewal.ts'

/** `broken`: something does not work. `warning`: it works, with a risk. `unknown`: it could not be checked now. */
export type State = 'ok' | 'warning' | 'broken' | 'unknown'

export interface Finding {
  /** What was checked, in a word or two. */
  subject: string
  state: State
  /** What is the case. */
  text: string
  /** What to do about it. */
  todo?: string
}

export const ok = (subject: string, text: string): Finding => ({ subject, state: 'ok', text })
export const unknown = (subject: string, text: string): Finding => ({ subject, state: 'unknown', text })
export const warning = (subject: string, text: string, todo: string): Finding => ({
  subject,
  state: 'warning',
  text,
  todo,
})
/** A warning that names what is dated in the future, as nobody knows how old it is. */
export function futureFinding(
  subject: string,
  data: readonly (Dated & { readonly name: string })[],
  now: number,
  todo: string,
): Finding | undefined {
  const names = data.filter((each) => isInFuture(each, now)).map(({ name }) => name)
  return names.length === 0 ? undefined : warning(subject, `dated in the future: ${names.join(', ')}`, todo)
}

export const broken = (subject: string, text: string, todo: string): Finding => ({
  subject,
  state: 'broken',
  text,
  todo,
})
