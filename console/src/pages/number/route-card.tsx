// Which way does a check of the number go, and why? Source, operator, connector, circuit. Folded for who makes no checks.

import { type ReactNode, useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { ShownRoute } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { Time } from '../../parts/values/time.tsx'
import { checkTitle } from '../../words/check-name.ts'
import { lastingText } from './checks.ts'
import './number.css'

export function RouteCard({ phoneNumber }: { phoneNumber: string }) {
  const [isOpen, setOpen] = useState(useMay()('numbers.check'))
  const { data, error, refetch } = useRead('explainRoute', { phoneNumber }, { enabled: isOpen })
  const fold = (
    <Button kind="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
      {isOpen ? 'Hide' : 'Show'}
    </Button>
  )
  return (
    <Card title="Route of a check" aside={fold}>
      {!isOpen ? (
        <p className="dim">Which source, operator and connector a check would use.</p>
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Route route={data} />
      ) : (
        <Loading lines={5} />
      )}
    </Card>
  )
}

function Route({ route }: { route: ShownRoute }) {
  const { sources, asked, connector, routes } = route
  return (
    <ol className="route">
      <Step title="Source" isDone={sources.some(({ state }) => state === 'answered')}>
        {sources.length === 0 && <p>No portability source is set up and no number data is imported.</p>}
        {sources.map((source) => (
          <Source key={source.name} source={source} />
        ))}
      </Step>
      <Step title="Operator" isDone={asked !== undefined}>
        <p>{operatorText(route)}</p>
      </Step>
      <Step title="Connector" isDone={connector !== undefined}>
        {connector ? (
          <>
            <p>
              <b>{connector.name}</b> {connector.sandbox && <Badge>Sandbox</Badge>}
            </p>
            <p className="dim">
              {connector.checks.length === 0
                ? 'It offers no check.'
                : `Checks: ${connector.checks.map((check) => checkTitle(check)).join(', ')}`}
            </p>
          </>
        ) : (
          <p>
            {asked !== undefined
              ? `The configuration names no connector for ${asked.operator}, so it supports no check.`
              : 'None, because no operator can be called.'}
          </p>
        )}
      </Step>
      {routes.length > 1 && (
        <Step title="Fallbacks" isDone={routes.slice(1).some(({ isOpen }) => !isOpen)}>
          {routes.slice(1).map(({ connector: name, checks, isOpen }) => (
            <div key={`${name} ${checks.join()}`}>
              <p>
                <b>{name}</b> {isOpen && <Badge tone="red">Circuit open</Badge>}
              </p>
              <p className="dim">{checks.map((check) => checkTitle(check)).join(', ') || 'It offers no check.'}</p>
            </div>
          ))}
        </Step>
      )}
      {connector && (
        <Step title="Limits" isDone={connector.upstreams.every(({ circuit }) => circuit === 'closed')}>
          {connector.upstreams.length === 0 && <p>The connector reports none.</p>}
          {connector.upstreams.map(({ service, circuit, timeoutMs, concurrentCalls, waitingCalls }) => (
            <div key={service}>
              <p>
                <b>{service}</b>{' '}
                <Badge tone={circuit === 'open' ? 'red' : 'green'}>
                  {circuit === 'open' ? 'Circuit open' : 'Circuit closed'}
                </Badge>
              </p>
              <p className="dim">
                {timeoutMs} ms for an attempt, {concurrentCalls} calls at once, {waitingCalls} may wait
              </p>
            </div>
          ))}
        </Step>
      )}
    </ol>
  )
}

function Step({ title, isDone, children }: { title: string; isDone: boolean; children: ReactNode }) {
  return (
    <li className={isDone ? 'route-step done' : 'route-step'}>
      <h3>{title}</h3>
      {children}
    </li>
  )
}

const states: Readonly<Record<ShownRoute['sources'][number]['state'], string>> = {
  answered: 'Knows the number',
  silent: 'Does not know the number',
  failed: 'Could not be read',
  notCalled: 'No stored answer; a check would call it',
}

const uses: Readonly<Partial<Record<NonNullable<ShownRoute['sources'][number]['use']>, string>>> = {
  nothingNew: '; the sources above count',
  notNeeded: '; not needed, as the sources above know everything',
  notMixed: '; made-up data do not mix with real data',
  leftOut: '; left out by the configuration',
}

function Source({ source }: { source: ShownRoute['sources'][number] }) {
  const { name, sandbox, state, use, operator, homeOperator, ported, datedAt, ageSeconds } = source
  const stated = [
    operator && `served by ${operator}`,
    homeOperator && `allocated to ${homeOperator}`,
    ported === undefined ? undefined : ported ? 'ported' : 'not ported',
  ].filter(Boolean)
  return (
    <div>
      <p>
        <b>{name}</b> {sandbox && <Badge>Sandbox</Badge>}
      </p>
      <p className="dim">
        {state === 'answered' && stated.length > 0 ? `Says: ${stated.join(', ')}` : states[state]}
        {ageSeconds !== undefined && `; stored ${lastingText(ageSeconds)} ago`}
        {use && uses[use]}
        {datedAt !== undefined && ageSeconds === undefined && (
          <>
            ; data of <Time at={datedAt} />
          </>
        )}
      </p>
    </div>
  )
}

function operatorText({ operator, homeOperator, ported, asked, sources, routes }: ShownRoute): string {
  if (asked?.because === 'serves') return `${asked.operator} serves the number.`
  if (asked) {
    return `Nobody says who serves the number. The configuration assumes its home operator, ${asked.operator}.`
  }
  const waiting = sources.filter(({ state }) => state === 'notCalled').map(({ name }) => name)
  if (waiting.length > 0) return `Not known here. A check would call ${waiting.join(', ')} first.`
  if (routes[0]) {
    const route = routes[0].by === 'country' ? 'The route of its country' : 'The catch-all route'
    return `Not known who serves it. ${route} answers.`
  }
  if (ported && operator === undefined)
    return 'The number was ported, and no source says to which operator. A check fails with P7301.'
  if (homeOperator === undefined) return 'Not known. A check fails with P7301.'
  return `Not known who serves it; it was allocated to ${homeOperator}. A check fails with P7301.`
}
