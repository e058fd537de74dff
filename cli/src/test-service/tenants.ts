// What has a tenant of a test? A client, an app for pages and phones, and webhooks; routes of the sandbox's admin API create them.

import { randomUUID } from 'node:crypto'
import android from '@ringfence/contract/samples/android-facts.everything.json' with { type: 'json' }
import { InvalidInput, type SandboxOptions } from '@ringfence/sandbox'
import { appSettings } from '@ringfence/server/apps/app-settings.ts'
import { ConfigurationError } from '@ringfence/server/core/config/config.ts'
import { WebhookRefused, Webhooks } from '@ringfence/server/events/webhooks/webhooks.ts'
import type { Parts } from '@ringfence/server/parts.ts'
import type { RuleSet } from '@ringfence/server/rules/language/rule.ts'
import { readRuleFile } from '@ringfence/server/rules/rule-file.ts'
import Type, { type Static } from 'typebox'

export interface TestTenant {
  readonly tenantId: string
  readonly clientId: string
  readonly clientSecret: string
  readonly appId: string
  /** What a made-up Android phone runs. */
  readonly app: { readonly packageName: string; readonly androidCertificates: readonly string[] }
}

type SandboxAdmin = Parameters<NonNullable<SandboxOptions['moreAdmin']>>[0]

const strict = { additionalProperties: false }
const NewTenant = Type.Object(
  {
    app: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    rules: Type.Optional(Type.String({ description: 'content of a file of rules, which decide at once' })),
  },
  strict,
)
const TenantInPath = Type.Object({ tenantId: Type.String({ maxLength: 64 }) })
const NewWebhook = Type.Object(
  { url: Type.String({ maxLength: 2048 }), types: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50 }) },
  strict,
)

const phoneApp = 'com.example.app'

/** Pages on this machine, and the app that a made-up phone has. */
const callers = {
  origins: ['http://localhost:*', 'http://127.0.0.1:*'],
  bundleIds: [phoneApp],
  packageNames: [phoneApp],
}

/** Of the app on a made-up Android phone. */
const androidCertificates = android.appIntegrity.certificates

/** @throws ConfigurationError for settings of the app that do not exist, InvalidInput for rules with a mistake */
export async function createTenant(
  parts: Parts,
  { app = {}, rules }: Static<typeof NewTenant> = {},
): Promise<TestTenant> {
  const settings = appSettings({ androidCertificates, ...app })
  const ruleSet = rules === undefined ? undefined : ruleSetIn(rules)
  const name = `test-${randomUUID()}`
  const { id: tenantId } = await parts.tenantKeyring.createTenant(name)
  const credentials = await parts.clients.createClient(tenantId, name)
  const { id: appId } = await parts.apps.create(tenantId, { name, ...callers, settings })
  if (ruleSet) {
    const author = { by: 'test' }
    await parts.rules.live(tenantId, await parts.rules.draft(tenantId, ruleSet, author), author, { untried: true })
  }
  const played = { packageName: phoneApp, androidCertificates: settings.androidCertificates }
  return { tenantId, ...credentials, appId, app: played }
}

function ruleSetIn(text: string): RuleSet {
  const { ruleSet, mistakes } = readRuleFile(text)
  if (mistakes.length === 0) return ruleSet
  const said = mistakes.map(({ line, column, reason }) => `rules:${line}:${column}: ${reason}`)
  throw new InvalidInput(said.slice(0, 5).join('; '))
}

/** @param parts of the service, once it runs */
export function tenantRoutes(admin: SandboxAdmin, parts: () => Parts): void {
  admin.post<{ Body: Static<typeof NewTenant> }>('/sandbox/tenants', { schema: { body: NewTenant } }, (request) =>
    asInvalidInput(() => createTenant(parts(), request.body)),
  )

  admin.post<{ Params: Static<typeof TenantInPath>; Body: Static<typeof NewWebhook> }>(
    '/sandbox/tenants/:tenantId/webhooks',
    { schema: { params: TenantInPath, body: NewWebhook } },
    ({ params: { tenantId }, body }) => asInvalidInput(() => new Webhooks(parts()).add(tenantId, body)),
  )
}

/** What the service refuses is a mistake of the test: the sandbox answers 400 with its words. */
async function asInvalidInput<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof WebhookRefused || error instanceof ConfigurationError) throw new InvalidInput(error.message)
    throw error
  }
}
