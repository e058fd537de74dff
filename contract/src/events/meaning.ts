// Of what does the meaning of a type of event consist? Of when it is sent, its data and an example.

import Type, { type TProperties } from 'typebox'

export const text = (description: string) => Type.String({ description })
export const integer = (description: string) => Type.Integer({ description })
export const maybe = Type.Optional

export interface EventMeaning<Data extends TProperties> {
  /** When it is sent. */
  readonly when: string
  /** The data of an event. It never contains a secret, a code or a token. */
  readonly data: ReturnType<typeof Type.Object<Data>>
  readonly example: Record<string, unknown>
  /** Recorded only while a receiver subscribes to it: it is too frequent to be stored for nobody. */
  readonly onRequest?: true
}

export const event = <Data extends TProperties>(
  when: string,
  data: Data,
  example: Record<string, unknown>,
  options: { onRequest?: true } = {},
): EventMeaning<Data> => ({ when, data: Type.Object(data, { additionalProperties: false }), example, ...options })
