// What does a test of decisions need? A short call for each endpoint, a way to publish rules, and a store that is slow or fails.

import { endpoints } from '@ringfence/contract'
import type { Database } from '../core/storage/database.ts'
import type { Requirements } from '../rules/language/requirements.ts'
import { ruleSetOf, type WrittenRule } from '../rules/rule-set.ts'
import type { TestAnswer, TestService, TestServiceOptions } from '../testing/test-service.ts'

type Headers = Readonly<Record<string, string>>

export interface DecisionCalls {
  decide(body: object, headers?: Headers): Promise<TestAnswer>
  read(decisionId: string, headers?: Headers): Promise<TestAnswer>
  passChallenge(decisionId: string, token: string, headers?: Headers): Promise<TestAnswer>
  /** Makes these rules decide. They require nothing, unless `requirements` say so. */
  publish(rules: readonly WrittenRule[], requirements?: Partial<Requirements>): Promise<void>
}

export function decisionCalls({ url, post, credentials, parts: needs, tenantId, clock }: TestService): DecisionCalls {
  return {
    decide: (body, headers) => post(endpoints.decide.path, body, headers),
    async read(decisionId, headers = {}) {
      const path = endpoints.readDecision.path.replace('{decisionId}', decisionId)
      const response = await fetch(url + path, { headers: { ...credentials, ...headers } })
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
    passChallenge: (decisionId, token, headers) =>
      post(endpoints.passChallenge.path.replace('{decisionId}', decisionId), { token }, headers),
    async publish(rules, requirements = { require: {} }) {
      const author = { by: 'test' }
      const version = await needs.rules.draft(tenantId, ruleSetOf({ rules, ...requirements }), author)
      await needs.rules.live(tenantId, version, author, { untried: true })
      clock.advance({ seconds: 1 })
    },
  }
}

/** The connector waits so long for the operator: a deadline would also cut off what a busy machine does late. */
export const operatorWithin =
  (timeoutMs: number): NonNullable<TestServiceOptions['edit']> =>
  (parts) => ({ ...parts, connectors: { sandbox: { ...parts.connectors.sandbox!, timeoutMs } as { type: string } } })

/** How many checks the operator has received. */
export const checksCalled = ({ sandbox }: TestService): number =>
  sandbox.calls.last(1000).filter(({ path }) => /^\/(sim-swap|call-forwarding-signal)\//.test(path)).length

export interface Interception {
  /** Waits or throws before a statement of this text is sent. */
  query?(sql: string): Promise<void> | void
  /** Waits or throws before a batch of these texts is sent. */
  batch?(sql: readonly string[]): Promise<void> | void
}

/** The same database; `interception` may be changed while it is used. */
export const intercepted = (database: Database, interception: Interception): Database =>
  new Proxy(database, {
    get(target, name) {
      if (name === 'query') {
        return async (...[sql, params]: Parameters<Database['query']>) => {
          await interception.query?.(sql)
          return target.query(sql, params)
        }
      }
      if (name === 'batch') {
        return async (statements: Parameters<Database['batch']>[0]) => {
          await interception.batch?.(statements.map(({ sql }) => sql))
          return target.batch(statements)
        }
      }
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
