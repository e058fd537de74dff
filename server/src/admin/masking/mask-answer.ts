// What of an answer of the admin API does a role without `personalData.read` see? Everything, with personal data masked.

import { type AdminEndpoint, type PersonalKind, personalFields, personalKeyword } from '@ringfence/contract'
import { JsonText } from '../../core/json/json-text.ts'
import { StreamAnswer } from '../../core/stream-answer.ts'
import type { Actor } from '../actor.ts'
import type { ActorCall } from '../call.ts'
import type { AdminNeeds } from '../room.ts'
import { maskedAs, maskedText } from './mask-value.ts'
import { countMaskedSearch } from './masked-searches.ts'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly [personalKeyword]?: PersonalKind
}

/** Whether an actor sees this answer as it is. A permission for personal data is one to see what its endpoint returns. */
const seesClear = ({ permissions }: Pick<Actor, 'permissions'>, permission: AdminEndpoint['permission']) =>
  permissions.has('personalData.read') || permission === 'signedIn' || /^(personalData|privacy)\./.test(permission)

type Answer = (body: unknown, call: ActorCall, needs: AdminNeeds) => Promise<unknown>

/** The handler, whose answer is masked for actors that may not see personal data. What they see of themselves is theirs. */
export function masking(definition: AdminEndpoint, handler: Answer): Answer {
  const { permission, answer: schema } = definition
  if (permission === 'anyone' || permission === 'signedIn') return handler
  return async (body, call, needs) => {
    if (seesClear(call.actor, permission)) return handler(body, call, needs)
    await countMaskedSearch(definition, body as object, call, needs)
    const answer = await handler(body, call, needs)
    if (answer instanceof StreamAnswer)
      return answer.changed((data) => JSON.stringify(maskedAnswer(JSON.parse(data), schema as Schema)))
    return maskedAnswer(answer instanceof JsonText ? JSON.parse(answer.text) : answer, schema as Schema)
  }
}

/** `schema`: what the contract says of this value. Fields are personal by it or by their name; other texts by what is in them. */
function maskedAnswer(value: unknown, schema: Schema = {}): unknown {
  if (typeof value === 'string') return maskedText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => part(item, schema.items ?? choice(schema, 'items')))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const known =
        schema.properties?.[name] ?? choice(schema, name) ?? Object.values(schema.patternProperties ?? {})[0]
      return [maskedText(name), isVersion(name) ? member : part(member, known, personalFields[name])]
    }),
  )
}

function part(value: unknown, schema: Schema | undefined, byName?: PersonalKind): unknown {
  const kind = schema?.[personalKeyword] ?? byName
  return kind === undefined ? maskedAnswer(value, schema) : maskedAs(kind, value)
}

/** The schema of a member in one of several shapes. Where two have it, one that is personal wins. */
function choice({ anyOf = [] }: Schema, name: string): Schema | undefined {
  const found = anyOf.flatMap((each) => (name === 'items' ? each.items : each.properties?.[name]) ?? [])
  return found.find((each) => each[personalKeyword] !== undefined) ?? found[0]
}

/** A version such as 120.0.0.0 has the form of an IP address. */
const isVersion = (name: string) => /version$/i.test(name)
