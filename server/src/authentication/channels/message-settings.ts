// Which settings has every channel that takes messages? Its method, and a text of one's own.

import Type, { type Static } from 'typebox'
import type { Message } from '../channel.ts'
import { fill } from '../messages/message.ts'

const known = ['app', 'minutes', 'host']

const own = (what: string, part: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: `\\{${part}\\}`,
      description: `${what}, instead of the usual text; {app}, {${part}}, {minutes} and {host} are filled in`,
    }),
  )

/** Where texts are registered with operators (India's DLT), a message must read as it was registered. */
export const textProperties = {
  otpText: own('the message with an OTP', 'otp'),
  linkText: own('the message with a magic link', 'link'),
}
const Texts = Type.Object(textProperties)

/** Methods stand in identities and in what a start asks for. */
export const methodProperty = (usual: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[A-Z][A-Z0-9_]{0,31}$',
      default: usual,
      description: 'what identities name it, and what a sign-in asks for: SMS, WHATSAPP …',
    }),
  )

/** Throws when a text names a part that nothing fills in: a misspelt one would reach people as it stands. */
export function refuseUnknownParts({ otpText, linkText }: Static<typeof Texts>): void {
  for (const [key, text, own] of [
    ['otpText', otpText, 'otp'],
    ['linkText', linkText, 'link'],
  ] as const) {
    const filledIn = [...known, own]
    const unknown = [...(text ?? '').matchAll(/\{(\w+)\}/g)].find(([, part = '']) => !filledIn.includes(part))
    if (!unknown) continue
    throw new Error(
      `${key}: nothing fills ${unknown[0]} in; known are ${filledIn.map((part) => `{${part}}`).join(', ')}`,
    )
  }
}

/** The text that goes out. */
export function textOf({ otpText, linkText }: Static<typeof Texts>, { text, parts }: Message): string {
  const template = parts.otp === undefined ? linkText : otpText
  return template === undefined ? text : fill(template, parts)
}
