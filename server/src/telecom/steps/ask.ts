// What do the connectors of a check answer? One after the other, each paid, within the deadline of the call.

import type { CheckAnswer, OperatorCheckName } from '@ringfence/contract'
import { UpstreamPaused } from '../../upstream/upstream-error.ts'
import type { Named } from '../answers.ts'
import type { AnswerCheck } from '../connectors/connector.ts'
import { loggedUnlessCapped } from '../costs/costs.ts'
import { questionToOperator } from '../question-name.ts'
import { firstAnswer } from '../routing/first-answer.ts'
import type { Route } from '../routing/router.ts'
import type { CheckContext } from './check-context.ts'
import { learn } from './learn.ts'

export async function ask<Name extends OperatorCheckName>(
  check: CheckContext<Name>,
  key: string,
  signal: AbortSignal,
): Promise<Named<CheckAnswer<Name>>> {
  const { name, row, routes, call, needs, paid } = check
  const { answer, route } = await firstAnswer({
    routes,
    signal,
    async ask(route, signal) {
      if (call.beforeRequest) await call.beforeRequest()
      return paid.pay(route.name, signal, () => send(check, route, signal))
    },
    onPassed: ({ name: connector }, error) =>
      needs.log.info(
        { connector, check: name, requestId: call.requestId, ...loggedUnlessCapped(error) },
        'check passed on to the next connector',
      ),
    hedgeAfterMs: ({ name: upstream, hedgeAfter }) =>
      hedgeAfter === 'p95' ? needs.telecom.latencies.p95(upstream, name) : hedgeAfter,
  })
  const answeredAt = row.reportsChange && (await learn(check, answer))
  return { answer, name: questionToOperator(name, key, route.name), answeredAt }
}

async function send<Name extends OperatorCheckName>(
  check: CheckContext<Name>,
  route: Route,
  signal: AbortSignal,
): Promise<CheckAnswer<Name>> {
  try {
    return await sendOnce(check, route, signal)
  } catch (error) {
    // Another connector answers sooner than the pause of this one ends.
    const mayWait = check.routes.length === 1 && error instanceof UpstreamPaused
    if (!mayWait || !(await error.waitOut(signal))) throw error
    return sendOnce(check, route, signal)
  }
}

async function sendOnce<Name extends OperatorCheckName>(
  { name, question, subject, call: { correlator, trace, consent }, needs }: CheckContext<Name>,
  { name: upstream, connector }: Route,
  signal: AbortSignal,
): Promise<CheckAnswer<Name>> {
  const answer = connector.checks[name] as AnswerCheck<Name>
  const startedAt = performance.now()
  const answered = await answer(subject.number, question, { signal, correlator, trace, consent })
  needs.telecom.latencies.add(upstream, name, performance.now() - startedAt)
  return answered
}
