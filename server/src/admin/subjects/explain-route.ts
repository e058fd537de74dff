// /admin/v1/numbers/route: which source states which operator, which connectors would a check ask, and in which state are they?

import { type AdminNumberRequest, operatorCheckNames, type ShownRoute } from '@ringfence/contract'
import type { PhoneNumber } from '../../phone/phone-number.ts'
import type { Answered } from '../../telecom/answers.ts'
import type { Connector } from '../../telecom/connectors/connector.ts'
import type { Costs } from '../../telecom/costs/costs.ts'
import type { PortabilityAnswer, PortabilitySource } from '../../telecom/portability-sources/source.ts'
import { readQuestionName } from '../../telecom/question-name.ts'
import { type Plan, type Route, routesFor } from '../../telecom/routing/router.ts'
import type { ActorCall } from '../call.ts'
import { isoTime } from '../calls/iso-time.ts'
import type { AdminNeeds } from '../room.ts'
import { existingNumber } from './read-number.ts'

type Stored = ReadonlyMap<string, Answered<PortabilityAnswer>>

/**
 * Refuses with `fieldInvalid` a number that cannot exist. It calls no operator, no vendor, and no remote source but the `sandbox` type,
 * which costs nothing and whose answers are not stored.
 */
export async function adminExplainRoute(
  { phoneNumber }: AdminNumberRequest,
  { actor: { tenantId }, signal, correlator }: ActorCall,
  { telecom: { answers, operators, router, costs } }: AdminNeeds,
): Promise<ShownRoute> {
  const number = existingNumber(phoneNumber)
  const stored = new Map<string, Answered<PortabilityAnswer>>()
  for (const { name, answer, ageSeconds } of await answers.known(tenantId, number.digits, 'any')) {
    const question = readQuestionName(name)
    if (question?.check !== 'portability') continue
    stored.set(question.source, { answer: answer as PortabilityAnswer, ageSeconds })
  }
  const { asked, leftOut, by } = await operators.sourcesFor(number)
  const sources = [...asked, ...leftOut]
  for (const source of sources.filter(({ free = false }) => free)) {
    // One that fails is shown as not called.
    const answer = await source.lookUp(number, { signal, correlator }).catch(() => undefined)
    if (answer) stored.set(source.name, { answer })
  }
  const subject = await operators.recall(number, stored)
  const { operator, homeOperator, ported } = subject
  const uses = await operators.uses(number, stored)
  const plan = router.planOf(subject)
  const first = plan?.routes[0]
  const shown = await Promise.all(
    sources.map(async (source): Promise<ShownRoute['sources'][number]> => {
      const use = leftOut.includes(source) ? 'leftOut' : uses.get(source.name)
      return { ...(await shownSource(source, number, stored)), ...(use && { use }) }
    }),
  )
  return {
    phoneNumber: number.digits,
    sources: shown,
    mayChangeBy: sourcesBeforeTheOperator(shown),
    ...(by && { sourceOrder: by }),
    ...(operator && { operator: operator.name }),
    ...(homeOperator && { homeOperator: homeOperator.name }),
    ...(ported !== undefined && { ported }),
    ...(plan?.operator && { asked: { operator: plan.operator.name, because: plan.because! } }),
    ...(first && { connector: shownConnector(first.connector) }),
    routes: plan ? plan.routes.map((route) => shownRoute(route, plan, costs)) : [],
  }
}

/** Those that a check would call before one that states who serves the number. */
function sourcesBeforeTheOperator(sources: ShownRoute['sources']): string[] {
  const stating = sources.findIndex(
    ({ use, operator, ported }) => use === 'used' && (operator !== undefined || ported === false),
  )
  return sources
    .slice(0, stating === -1 ? sources.length : stating)
    .flatMap(({ name, state, use }) => (state === 'notCalled' && use === undefined ? [name] : []))
}

async function shownSource(
  source: PortabilitySource,
  number: PhoneNumber,
  stored: Stored,
): Promise<ShownRoute['sources'][number]> {
  const { name, local = false, sandbox = false } = source
  const head = { name, kind: local ? ('local' as const) : ('remote' as const), sandbox }
  try {
    const { answer, ageSeconds } = local
      ? { answer: await source.lookUp(number, { signal: new AbortController().signal, correlator: '' }) }
      : (stored.get(name) ?? {})
    if (!local && !stored.has(name)) return { ...head, state: 'notCalled' }
    if (!answer) return { ...head, state: 'silent', ...(ageSeconds !== undefined && { ageSeconds }) }
    return { ...head, state: 'answered', ...stated(answer), ...(ageSeconds !== undefined && { ageSeconds }) }
  } catch {
    return { ...head, state: 'failed' }
  }
}

const stated = ({ operator, homeOperator, ported, asOf }: PortabilityAnswer) => ({
  ...(operator !== undefined && { operator }),
  ...(homeOperator !== undefined && { homeOperator }),
  ...(ported !== undefined && { ported }),
  datedAt: isoTime(asOf),
})

const shownConnector = (connector: Connector): NonNullable<ShownRoute['connector']> => ({
  name: connector.name,
  sandbox: connector.sandbox ?? false,
  checks: operatorCheckNames.filter((name) => connector.checks[name]),
  upstreams: connector.upstreams?.().map((state) => ({ ...state })) ?? [],
})

function shownRoute(route: Route, plan: Plan, { currency, priceOf }: Costs): ShownRoute['routes'][number] {
  const { name, connector, weight, hedgeAfter } = route
  const asked = operatorCheckNames.filter((check) => routesFor(plan, check).includes(route))
  const prices = asked.flatMap((check) => {
    const micros = priceOf(name, check)
    return currency === undefined || micros === undefined ? [] : [{ check, cost: { currency, micros } }]
  })
  return {
    connector: name,
    sandbox: connector.sandbox ?? false,
    by: plan.by,
    ...(weight !== undefined && { weight }),
    checks: asked,
    ...(hedgeAfter !== undefined && { hedgeAfter }),
    ...(prices.length > 0 && { prices }),
    isOpen: connector.upstreams?.().some(({ circuit }) => circuit === 'open') ?? false,
    isPaused: connector.upstreams?.().some(({ isPaused }) => isPaused) ?? false,
  }
}
