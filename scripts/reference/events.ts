// Which events are there? docs/reference/events.md, from contract/src/events.ts.

import { type EventType, eventTypes, isOnRequest } from '@ringfence/contract'
import { code, page, table } from './markdown.ts'

interface Field {
  type?: string
  enum?: unknown[]
  description?: string
  format?: string
  properties?: Record<string, Field>
}

export function eventsPage(): string {
  const names = Object.keys(eventTypes) as EventType[]
  return page(
    'Events',
    `What a webhook or a stream receives. [The guide](../guides/events.md) shows how to receive them. Each event is JSON:`,
    `\`\`\`json\n${JSON.stringify({ id: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e', type: 'token.revoked', timestamp: '2026-11-23T10:00:00.000Z', data: eventTypes['token.revoked'].example }, null, 2)}\n\`\`\``,
    `\`id\` is the same in every attempt and replay, so a receiver can recognise what it has seen. New types and new fields may appear;
ignore those that you do not know. No event contains a code, a secret or a token.`,
    table(
      ['type', 'sent when', 'stored'],
      names.map((name) => [
        code(name),
        eventTypes[name].when,
        isOnRequest(name) ? 'while a receiver names it' : 'always',
      ]),
    ),
    `A receiver names types, groups such as \`sign_in.*\`, or \`*\` for every type that is always stored.`,
    ...names.flatMap((name) => {
      const { when, data, example } = eventTypes[name]
      const { properties, required = [] } = data as unknown as {
        properties: Record<string, Field>
        required?: string[]
      }
      return [
        `## ${name}\n\n${when}.\n`,
        table(
          ['field of `data`', 'always', 'type', 'meaning'],
          Object.entries(properties).map(([field, schema]) => [
            code(field),
            required.includes(field) ? 'yes' : '',
            typeOf(schema),
            schema.description ?? '',
          ]),
        ),
        `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
      ]
    }),
  )
}

function typeOf({ type, enum: values, format, properties }: Field): string {
  if (values) return values.map((value) => code(String(value))).join(', ')
  if (properties) return `object: ${Object.keys(properties).map(code).join(', ')}`
  return format === 'date-time' ? 'RFC 3339 time' : type === 'array' ? 'list of texts' : (type ?? '')
}
