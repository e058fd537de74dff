// Which one-time passwords did the operator send? Kept until it stops, so that a test reads what a phone would show.

const path = '/one-time-password-sms/v1'
export const otpRoutes = [`${path}/send-code`, `${path}/validate-code`] as const
export const otpScope = 'one-time-password-sms:send-validate'

/** A message that a real phone would show. */
export interface SentCode {
  /** RFC 3339, by the sandbox's clock. */
  readonly at: string
  readonly phoneNumber: string
  readonly text: string
}

interface Sent extends SentCode {
  readonly code: string
  readonly sentMs: number
  attempts: number
  isUsed: boolean
}

export interface SentCodes {
  /** The latest, oldest first. */
  messages(): readonly SentCode[]
  clear(): void
  readonly byId: Map<string, Sent>
}

export function sentCodes(): SentCodes {
  const byId = new Map<string, Sent>()
  return {
    byId,
    messages: () => [...byId.values()].map(({ at, phoneNumber, text }) => ({ at, phoneNumber, text })),
    clear: () => byId.clear(),
  }
}
