// Which settings has every channel that takes messages? Its method, and a text of one's own.

import Type, { type Static } from 'typebox'
import type { Message } from '../channel.ts'
import { fill } from '../message.ts'

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

/** The text that goes out. */
export function textOf({ otpText, linkText }: Static<typeof Texts>, { text, parts }: Message): string {
  const template = parts.otp === undefined ? linkText : otpText
  return template === undefined ? text : fill(template, parts)
}
