// `ringfence routes`: which connectors would a check of a number ask, in which order, and why?

import { checks } from '@ringfence/contract'
import type { Command } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { phoneNumber } from '../arguments.ts'
import { type AnswerOf, runningServer } from '../remote/remote.ts'
import { addRunningServerOptions, keyHelp, type ServerOptions } from '../remote/server-options.ts'
import { printable, table } from '../table.ts'
import { amountText } from './amount.ts'

type ShownRoute = AnswerOf<'explainRoute'>
type Asked = ShownRoute['routes'][number]['checks'][number]

export function addRoutes(ringfence: Command): void {
  const routes = ringfence
    .command('routes')
    .description('Which connectors a check of a number asks')
    .addHelpText(
      'after',
      `
${keyHelp}

Examples:
  ringfence routes explain 917020141726 --key key.json
  ringfence routes explain 917020141726 --key key.json --json | jq '.routes[].connector'`,
    )
  addRunningServerOptions(
    routes
      .command('explain')
      .description('Say which connectors a check would ask, in which order and why. It calls no operator')
      .argument('<number>', 'phone number with country code', phoneNumber),
  )
    .option('--json', 'print one line of JSON')
    .action(answering(explain))
}

async function explain(phoneNumber: string, options: ServerOptions): Promise<Answer> {
  const route = await runningServer(options).call('explainRoute', { phoneNumber })
  return [route, asText(route)]
}

function asText(route: ShownRoute): string {
  const { phoneNumber, sources, routes, mayChangeBy } = route
  const rows = routes.map(
    ({ connector, by, weight, checks: asked, isOpen, isPaused, hedgeAfter, prices = [] }, index) => [
      String(index + 1),
      printable(connector),
      weight === undefined ? reasons[by] : `${reasons[by]}, weight ${weight}`,
      isOpen ? 'circuit open' : isPaused ? 'asked for a pause' : 'ready',
      hedgeAfter === undefined ? '' : hedgeAfter === 'p95' ? 'p95' : `${hedgeAfter} ms`,
      asked.map((name) => askedText(name, prices)).join(', ') || 'none',
    ],
  )
  const said = sources.map((source) => [printable(source.name), sourceText(source), useText(source)])
  return [
    `${phoneNumber}, ${operatorText(route)}`,
    ...(said.length > 0 ? [table(['SOURCE', 'SAYS', 'USE'], said)] : ['No portability source is set up.']),
    rows.length > 0
      ? table(['ORDER', 'CONNECTOR', 'WHY', 'STATE', 'HEDGE', 'CHECKS'], rows)
      : 'No connector is asked: every check fails. Routes: docs/reference/operators.md',
    ...(mayChangeBy.length > 0
      ? [`This may change when a check calls ${printable(mayChangeBy.join(', '))}: it may name another operator.`]
      : []),
  ].join('\n\n')
}

const reasons: Readonly<Record<ShownRoute['routes'][number]['by'], string>> = {
  operator: 'its operator',
  country: 'its country',
  otherwise: 'catch-all',
}

/** "SIM swap (0.012 EUR)" */
function askedText(name: Asked, prices: NonNullable<ShownRoute['routes'][number]['prices']>): string {
  const { title } = checks[name]
  const cost = prices.find(({ check }) => check === name)?.cost
  return cost ? `${title} (${amountText(cost)})` : title
}

function operatorText({ asked, homeOperator, ported }: ShownRoute): string {
  if (asked?.because === 'serves') return `served by ${printable(asked.operator)}`
  if (asked) return `assumed to be with its home operator ${printable(asked.operator)}`
  const home = homeOperator === undefined ? '' : `, allocated to ${printable(homeOperator)}`
  return `operator not known${home}${ported ? ', ported' : ''}`
}

function sourceText({ state, operator, homeOperator, ported }: ShownRoute['sources'][number]): string {
  if (state === 'silent') return 'nothing about this number'
  if (state === 'failed') return 'could not be read'
  if (state === 'notCalled') return 'no stored answer; a check would call it'
  const said = [
    operator === undefined ? [] : `served by ${operator}`,
    homeOperator === undefined ? [] : `allocated to ${homeOperator}`,
    ported === undefined ? [] : ported ? 'ported' : 'not ported',
  ]
  return printable(said.flat().join(', '))
}

const uses: Readonly<Record<NonNullable<ShownRoute['sources'][number]['use']>, string>> = {
  used: 'used',
  nothingNew: 'nothing new: the sources above count',
  notNeeded: 'not needed: the sources above know everything',
  notMixed: 'made-up data do not mix with real data',
  leftOut: 'left out by portability in the configuration',
}

const useText = ({ use }: ShownRoute['sources'][number]) => (use ? uses[use] : '-')
