// Does our own CAMARA API do what a scenario says? Its steps one after the other: arrange, send, expect.

import type { TestService } from '../../server/src/testing/test-service.ts'
import { differences } from './differences.ts'
import type { Feature, Scenario } from './feature-files.ts'
import { given } from './given.ts'
import { send } from './send.ts'
import { expectations } from './then.ts'
import { NotRun, type Target, World } from './world.ts'

export interface Result {
  readonly scenario: Scenario
  /** `differs`: what it expects is not what we do, for the reason; `failed`: nobody knows why. */
  readonly outcome: 'passed' | 'differs' | 'not run' | 'failed'
  readonly why?: string
}

/** Plays the scenarios of a feature against its own service. An expired token is last: it moves the clock. */
export async function playFeature(
  feature: Feature,
  service: TestService,
  target: Target = 'front',
): Promise<{ api: string; version: string; results: Result[] }> {
  const movesClock = ({ steps }: Scenario) => Number(steps.some((step) => step.includes('expired access token')))
  const results: Result[] = []
  let [api, version] = [feature.file, '']
  for (const scenario of feature.scenarios.toSorted((one, other) => movesClock(one) - movesClock(other))) {
    const world = new World(target, service, feature, scenario)
    results.push(await play(world))
    if (world.api) [api, version] = [world.api, world.version?.version ?? '']
  }
  return { api, version, results }
}

async function play(world: World): Promise<Result> {
  const { scenario, service } = world
  service.sandbox.lines.reset()
  service.sandbox.faults.switchAllOff()
  try {
    const mistakes = await mistakesOf(world)
    if (mistakes.length === 0) return { scenario, outcome: 'passed' }
    const known = differences.find(({ feature, id }) => feature.test(world.feature.file) && id.test(scenario.id))
    const why = `${mistakes.join('; ')} (${JSON.stringify(world.body)} → ${JSON.stringify(world.received?.body)})`
    return known ? { scenario, outcome: 'differs', why: known.why } : { scenario, outcome: 'failed', why }
  } catch (error) {
    if (error instanceof NotRun) return { scenario, outcome: 'not run', why: error.message }
    return { scenario, outcome: 'failed', why: (error as Error).stack ?? String(error) }
  }
}

/** The request is sent when its response is needed: some scenarios arrange more after they say so, and one does not say it. */
async function mistakesOf(world: World): Promise<string[]> {
  const mistakes: string[] = []
  let sent = ''
  for (const step of world.scenario.steps) {
    if (isRequest.test(step)) {
      sent = step
      continue
    }
    const expected = matching(expectations, step)
    if (expected) {
      if (!world.received) {
        nameOperation(world, sent)
        world.received = await send(world)
      }
      const mistake = expected.does(world, ...expected.captured)
      if (mistake !== undefined) mistakes.push(mistake)
      continue
    }
    const arranged = matching(given, step)
    if (!arranged) throw new NotRun(`no step here says: ${step}`)
    arranged.does(world, ...arranged.captured)
  }
  return mistakes
}

const isRequest =
  /^(the (HTTP )?(request )?"\w+" (request )?is sent|the endpoint is invoked|a new endpoint invocation is done)$/

function matching<Does>(steps: readonly (readonly [RegExp, Does])[], step: string) {
  for (const [form, does] of steps) {
    const match = form.exec(step)
    if (match) return { does, captured: match.slice(1) }
  }
  return undefined
}

/** Number Verification names its call only here. */
function nameOperation(world: World, step: string): void {
  if (world.api !== 'number-verification') return
  world.setCall(step.includes('Share') || world.feature.file.includes('Share') ? 'device-phone-number' : 'verify')
}
