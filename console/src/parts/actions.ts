// Which actions are there, and which colour has each?

export type Tone = 'green' | 'amber' | 'violet' | 'red' | 'neutral' | 'accent'

const tones = { ALLOW: 'green', WARN: 'amber', REVIEW: 'accent', CHALLENGE: 'violet', BLOCK: 'red' } as const
export type Action = keyof typeof tones

export const isAction = (text: unknown): text is Action => typeof text === 'string' && Object.hasOwn(tones, text)
/** Green says that nothing speaks against the person: not where something is not known, or where a rule decided. */
export const toneOfDecision = (action: Action, isSure: boolean): Tone =>
  action === 'ALLOW' && !isSure ? 'neutral' : tones[action]

export const toneOf = (action: Action): Tone => tones[action]
