// What is in the OpenAPI 3.1 document? Generated from the endpoints and their schemas.

import type { TSchema } from 'typebox'
import type { AdminEndpoint } from '../admin/admin-endpoint.ts'
import { adminEndpoints } from '../admin/admin-endpoints.ts'
import { adminHeaders, consoleCookie, ifMatchHeader } from '../admin/admin-headers.ts'
import {
  camaraEndpoints,
  camaraNumberVerificationEndpoints,
  camaraTokenEndpoint,
} from '../endpoints/camara-endpoints.ts'
import { type Caller, type Endpoint, type ErrorFormat, Nothing, pathFields } from '../endpoints/endpoint.ts'
import { endpoints } from '../endpoints/endpoints.ts'
import { AndroidFacts } from '../facts/android-facts.ts'
import { IosFacts } from '../facts/ios-facts.ts'
import { WebFacts } from '../facts/web-facts.ts'
import {
  answerHeaders,
  correlatorPattern,
  deadlineMs,
  idempotencyKeyHeader,
  idempotencyKeyPattern,
  refusalHeaders,
  requestHeaders,
  requestIdPattern,
  telecomOnly,
} from '../headers.ts'
import { Components, type Json, type Samples, withoutMembers } from './openapi-components.ts'

/** Version of the telecom API description (specification 9). */
export const apiVersion = '1.0.0'

/** The OpenAPI 3.1 document. Schemas with an `$id` become components; `servers` is relative to the URL of the document. */
export function openApiDocument(samples: Samples = {}): Json {
  const components = new Components(samples)
  const paths: Json = {}
  for (const [operationId, endpoint] of Object.entries<Endpoint>(endpoints)) {
    paths[endpoint.path] = { [endpoint.method.toLowerCase()]: operation(operationId, endpoint, components) }
  }
  for (const [operationId, endpoint] of Object.entries<Endpoint>(listedCamara)) {
    paths[endpoint.path] = { [endpoint.method.toLowerCase()]: operation(operationId, endpoint, components) }
  }
  for (const [name, endpoint] of Object.entries<AdminEndpoint>(adminEndpoints)) {
    if (endpoint.caller === 'client') continue // above
    const operationId = `admin${name[0]!.toUpperCase()}${name.slice(1)}`
    const described = { ...endpoint, description: `${endpoint.description} ${neededText(endpoint)}` }
    paths[endpoint.path] = { [endpoint.method.toLowerCase()]: operation(operationId, described, components) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ringfence',
      version: apiVersion,
      summary: 'Fraud prevention for phone numbers, sign-in tokens and devices',
      description:
        'Checks of phone numbers with mobile operators, verification of sign-in tokens, and reports about devices. The service is self-hosted.',
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Decisions', description: 'One decision about a phone number, a sign-in and a device together' },
      { name: 'Reviews', description: 'Decisions that a person has to look at' },
      { name: 'Telecom', description: 'Carrier-level risk signals of a phone number' },
      { name: 'Batches', description: 'Checks of up to 100,000 phone numbers at once, in the background' },
      { name: 'Watches', description: 'Phone numbers whose changes you want to know' },
      { name: 'CAMARA', description: 'The checks as CAMARA defines them, for clients of operators and aggregators' },
      { name: 'Tokens', description: 'Who signed in, and on which device' },
      { name: 'Users', description: 'Which sign-ins belong to which of your users' },
      { name: 'Devices', description: 'Report of a device at one moment, and labels of its sessions' },
      { name: 'Lists', description: 'Values that you allow, block or watch, and that rules look up' },
      { name: 'Events', description: 'What happened: decisions, device reports, sign-ins, tokens and changes' },
      {
        name: 'SDK',
        description: 'Calls of an app’s SDKs: public, with an app id and never with a client secret',
      },
      { name: 'Sign-in', description: 'Sign-in calls of an app’s SDKs' },
      { name: 'Legacy API', description: 'Calls of older server SDKs' },
      { name: 'Console sessions', description: 'Admin API: who is signed in to the console, and what they may do' },
      { name: 'Console privacy', description: 'Admin API: reveal, export and erase personal data' },
      { name: 'Console records', description: 'Admin API: what happened and why, labels and reviews' },
      { name: 'Console devices', description: 'Admin API: everything about one device' },
      { name: 'Console people', description: 'Admin API: who may use the console' },
      {
        name: 'Console single sign-on',
        description: 'Admin API: people sign in with the identity provider of their tenant',
      },
      { name: 'Console numbers', description: 'Admin API: everything about one phone number, and checks by hand' },
      { name: 'Console users', description: 'Admin API: users, their devices, and what is usual for them' },
      { name: 'Console rules', description: 'Admin API: versions of rules, and their history' },
      { name: 'Console lists', description: 'Admin API: lists and their entries' },
      { name: 'Console audit log', description: 'Admin API: who did what' },
      { name: 'Console set-up', description: 'Admin API: apps, client keys, webhooks, and the service itself' },
    ],
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: {
        clientId: { type: 'apiKey', in: 'header', name: 'clientId' },
        clientSecret: { type: 'apiKey', in: 'header', name: 'clientSecret' },
        appId: { type: 'apiKey', in: 'header', name: 'appId' },
        session: { type: 'http', scheme: 'bearer', description: 'sessionToken of the config call' },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description: `access_token of POST ${camaraTokenEndpoint.path}`,
        },
        consoleSession: { type: 'apiKey', in: 'cookie', name: consoleCookie },
      },
    },
  }
}

/** By operation id: `camaraSimSwapCheck`. */
const listedCamara: Record<string, Endpoint> = {
  camaraToken: camaraTokenEndpoint,
  ...Object.fromEntries(
    Object.entries(camaraEndpoints).map(([name, endpoint]) => [
      `camara${name.replaceAll('.', '_').replace(/(?:^|[/-])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
      endpoint,
    ]),
  ),
  camaraNumberVerificationVerify: camaraNumberVerificationEndpoints.verify,
  camaraNumberVerificationDevicePhoneNumber: camaraNumberVerificationEndpoints.share,
}

/** The media type of a refusal, where it is not that of the answer. */
const refusalTypes: Partial<Record<ErrorFormat, string>> = { problem: 'application/problem+json' }

function operation(operationId: string, endpoint: Endpoint, components: Components): Json {
  return {
    operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: endpoint.description,
    parameters: allParameters(endpoint, components),
    // A form or a query may have the credentials as fields in place of headers.
    security: [
      ...securityOf[endpoint.caller === 'client' && isForPeople(endpoint) ? 'admin' : endpoint.caller],
      ...(endpoint.form ? [{}] : []),
    ],
    ...(endpoint.method === 'POST' && {
      requestBody: { required: true, content: requestContent(endpoint, components) },
    }),
    responses: responses(endpoint, components),
  }
}

function allParameters(endpoint: Endpoint, components: Components): Json[] {
  const inPath = pathFields(endpoint.path)
  return [
    ...Object.entries(requestHeaders)
      .filter(([name]) => name.startsWith('x-') && applies(endpoint, name))
      .map(([name, { required, description }]) => ({
        in: 'header',
        name,
        required,
        description,
        schema: headerSchemas[name as keyof typeof headerSchemas],
      })),
    ...(endpoint.idempotencyKey ? [idempotencyKeyParameter] : []),
    ...(isForPeople(endpoint) ? adminParameters(endpoint) : []),
    ...parameters('path', endpoint.request, inPath, components),
    ...(endpoint.method === 'GET' || endpoint.sends
      ? parameters('query', withoutFields(endpoint.form ?? endpoint.request, inPath), undefined, components)
      : []),
  ]
}

function requestContent({ path, request, form, sends }: Endpoint, components: Components): Json {
  if (sends) return linesOf(sends)
  const inPath = pathFields(path)
  return {
    ...components.content(withListedFacts(withoutFields(request, inPath)), undefined, 'application/json', inPath),
    ...(form && components.content(form, undefined, 'application/x-www-form-urlencoded')),
  }
}

function responses(endpoint: Endpoint, components: Components): Json {
  const { answer, accepted, refusals, errorFormat } = endpoint
  const ids = pick(answerHeaders, ['x-request-id', 'x-correlator'])
  const ofAnswer = Object.fromEntries(Object.entries(answerHeaders).filter(([name]) => applies(endpoint, name)))
  return {
    [answer === Nothing ? 204 : 200]: {
      description: accepted,
      headers: headers(ofAnswer),
      ...(answer !== Nothing && { content: answerContent(endpoint, components) }),
    },
    ...Object.fromEntries(
      Object.entries(refusals).map(([status, { description, body, samples: cases }]) => [
        status,
        {
          description,
          headers: headers({ ...ids, ...refusalHeaders[Number(status)] }),
          content: components.content(body, cases, refusalTypes[errorFormat]),
        },
      ]),
    ),
  }
}

function answerContent(endpoint: Endpoint, components: Components): Json {
  const { returns, answer, answerSamples } = endpoint
  if (!returns) {
    const type = 'stream' in endpoint && endpoint.stream ? 'text/event-stream' : 'application/json'
    return components.content(answer, answerSamples, type)
  }
  const contents = returns.map((type) =>
    type.endsWith('json') ? components.content(answer, answerSamples, type) : linesOf([type]),
  )
  return Object.assign({}, ...contents)
}

const applies = ({ errorFormat }: Endpoint, header: string) =>
  errorFormat === 'telecom' || !telecomOnly.includes(header)

/** Lines of text, which no JSON schema describes. */
const linesOf = (types: readonly string[]): Json =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]))

/** Requests take any facts, because wrong ones are dropped. Authors of collectors need the list. */
function withListedFacts(schema: TSchema): TSchema {
  const { properties } = schema as unknown as { properties: Record<string, Json> }
  if (!properties.facts) return schema
  const { description } = properties.facts
  const facts = { description, anyOf: [WebFacts, IosFacts, AndroidFacts, { type: 'object' }] }
  return { ...schema, properties: { ...properties, facts } }
}

const securityOf: Readonly<Record<Caller, readonly Json[]>> = {
  client: [{ clientId: [], clientSecret: [] }],
  app: [{ appId: [] }],
  session: [{ appId: [], session: [] }],
  token: [{ accessToken: [] }],
  admin: [{ consoleSession: [] }, { clientId: [], clientSecret: [] }],
  anyone: [{}],
}

interface ObjectSchema {
  properties: Record<string, Json>
  required?: string[]
}

/** `names`: only these fields. */
function parameters(
  place: 'path' | 'query',
  schema: TSchema,
  names: readonly string[] | undefined,
  components: Components,
): Json[] {
  const { properties, required = [] } = schema as unknown as ObjectSchema
  return Object.entries(properties)
    .filter(([name]) => names?.includes(name) ?? true)
    .map(([name, property]) => ({
      in: place,
      name,
      required: required.includes(name),
      description: property.description,
      schema: components.refer(property),
    }))
}

/** The schema without the fields that are in the path. */
function withoutFields(schema: TSchema, names: readonly string[]): TSchema {
  if (names.length === 0) return schema
  const { properties, required = [] } = schema as unknown as ObjectSchema
  return {
    ...schema,
    properties: withoutMembers(properties, names),
    required: required.filter((name) => !names.includes(name)),
  } as TSchema
}

const idempotencyKeyParameter = {
  in: 'header',
  ...idempotencyKeyHeader,
  required: false,
  schema: { type: 'string', pattern: idempotencyKeyPattern.source },
}

const isForPeople = (endpoint: Endpoint): boolean => endpoint.caller === 'admin' || 'permission' in endpoint

const neededText = ({ permission }: AdminEndpoint): string => {
  if (permission === 'anyone') return 'Needs no sign-in.'
  return permission === 'signedIn' ? 'Needs a sign-in, with any role.' : `Needs the permission \`${permission}\`.`
}

function adminParameters({ method, ifMatch }: Pick<Endpoint, 'method'> & { ifMatch?: boolean }): Json[] {
  const header = (name: string, description: string, required = false) => ({
    in: 'header',
    ...{ name, description, required, schema: { type: 'string' } },
  })
  return [
    header('x-ringfence-tenant', adminHeaders['x-ringfence-tenant']),
    header('x-ringfence-unattended', adminHeaders['x-ringfence-unattended']),
    ...(method === 'POST' ? [header('x-ringfence-csrf', adminHeaders['x-ringfence-csrf'])] : []),
    ...(ifMatch ? [header(ifMatchHeader.name, ifMatchHeader.description, true)] : []),
  ]
}

const headerSchemas = {
  'x-request-id': { type: 'string', pattern: requestIdPattern.source },
  'x-correlator': { type: 'string', pattern: correlatorPattern.source },
  'x-ringfence-deadline-ms': { type: 'integer', ...deadlineMs },
}

const headers = (descriptions: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

const pick = <Key extends string>(record: Readonly<Record<Key, string>>, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, record[key]]))
