// Which events are there? docs/reference/events.md, from contract/src/events/events.ts.

import { type EventType, eventTypes, isOnRequest } from '@ringfence/contract'
import { code, page, table } from './markdown.ts'

interface Field {
  type?: string
  enum?: unknown[]
  description?: string
  format?: string
  properties?: Record<string, Field>
}

const names = Object.keys(eventTypes) as EventType[]

const fieldsOf = (name: EventType) => {
  const { properties, required = [] } = eventTypes[name].data as unknown as {
    properties: Record<string, Field>
    required?: string[]
  }
  return Object.entries(properties).map(([field, schema]) => ({ field, schema, isRequired: required.includes(field) }))
}

export function eventsPage(): string {
  return page(
    'Events',
    `What a webhook or a stream receives. [The guide](../guides/events.md) shows how to receive them. Each event is JSON:`,
    `\`\`\`json\n${JSON.stringify({ id: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e', type: 'sign_in.completed', timestamp: '2026-11-23T10:00:00.000Z', data: eventTypes['sign_in.completed'].example }, null, 2)}\n\`\`\``,
    `\`id\` is the same in every attempt and replay, so a receiver can recognise what it has seen. New types and new fields may appear;
ignore those that you do not know. No event contains a code, a secret or a token.`,
    `## Types

A receiver names types, groups such as \`sign_in.*\`, or \`*\` for every type that is always stored. Types with an asterisk are stored only while a receiver names them.
\`?\` marks a field of \`data\` that may be absent.\n`,
    table(
      ['type', 'sent when', '`data`'],
      names.map((name) => [
        code(name) + (isOnRequest(name) ? ' \\*' : ''),
        eventTypes[name].when,
        fieldsOf(name)
          .map(({ field, isRequired }) => code(isRequired ? field : `${field}?`))
          .join(', '),
      ]),
    ),
    `## Fields\n\nOf all types, unless a type is named.\n`,
    table(['field', 'type', 'meaning'], fieldRows()),
    `## Examples of \`data\``,
    ...(['decision.created', 'device.report.created', 'telecom.number_changed'] as const).map(
      (name) => `${code(name)}:\n\n\`\`\`json\n${JSON.stringify(eventTypes[name].example, null, 2)}\n\`\`\``,
    ),
  )
}

/** A field with one meaning has one row; one with several has a row for each, with the types that have it so. */
function fieldRows(): string[][] {
  const all = names.flatMap((name) =>
    fieldsOf(name).map(({ field, schema }) => ({
      name,
      field,
      type: typeOf(schema),
      meaning: schema.description ?? '',
    })),
  )
  return [...Map.groupBy(all, ({ field }) => field)].flatMap(([field, uses]) => {
    const ways = [...Map.groupBy(uses, ({ type, meaning }) => `${type}|${meaning}`).values()].toSorted(
      (a, b) => b.length - a.length,
    )
    return ways.map((same, index) => {
      const of = index === 0 ? '' : ` of ${same.map(({ name }) => code(name)).join(', ')}`
      return [code(field) + of, same[0]!.type, same[0]!.meaning]
    })
  })
}

function typeOf({ type, enum: values, format, properties }: Field): string {
  if (values) return values.map((value) => code(String(value))).join(', ')
  if (properties) return `object: ${Object.keys(properties).map(code).join(', ')}`
  return format === 'date-time' ? 'RFC 3339 time' : type === 'array' ? 'list of texts' : (type ?? '')
}
