// Which settings do all message channels share? The method, and custom texts.

import Type, { type Static } from 'typebox'
import type { Message } from '../channel.ts'
import { fill } from '../messages/message.ts'

const commonParts = ['app', 'minutes', 'host']

const own = (what: string, part: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: `\\{${part}\\}`,
      description: `text of ${what}; placeholders: {app}, {${part}}, {minutes}, {host}`,
    }),
  )

/** Some countries require registered texts (India's DLT). */
export const textProperties = {
  otpText: own('a message with an OTP', 'otp'),
  linkText: own('a message with a magic link', 'link'),
}
const Texts = Type.Object(textProperties)

/** The name of the channel in start requests and identities. */
export const methodProperty = (usual: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[A-Z][A-Z0-9_]{0,31}$',
      default: usual,
      description: 'its name in start requests and identities: SMS, WHATSAPP …',
    }),
  )

/** Throws when a text has an unknown placeholder, because people would receive it as it is. */
export function refuseUnknownParts({ otpText, linkText }: Static<typeof Texts>): void {
  for (const [key, text, own] of [
    ['otpText', otpText, 'otp'],
    ['linkText', linkText, 'link'],
  ] as const) {
    const allowed = [...commonParts, own]
    const unknown = [...(text ?? '').matchAll(/\{(\w+)\}/g)].find(([, part = '']) => !allowed.includes(part))
    if (!unknown) continue
    throw new Error(`${key}: ${unknown[0]} is not a placeholder; use ${allowed.map((part) => `{${part}}`).join(', ')}`)
  }
}

/** The text to send: the custom one, or the default. */
export function textOf({ otpText, linkText }: Static<typeof Texts>, { text, parts }: Message): string {
  const template = parts.otp === undefined ? linkText : otpText
  return template === undefined ? text : fill(template, parts)
}
