import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { judgeAll } from '@ringfence/server/device/signals/judge.ts'
import { whyMissing } from '../../scripts/debian-packages.ts'
import { disappointments, evidenceOf, verdictsOf } from './judge.ts'
import { scenarios } from './list.ts'
import { lacking, packagesOf } from './machine.ts'
import type { Told } from './page.ts'
import { clockScripts, libraryScripts } from './page-scripts.ts'
import { openPlay, type Play } from './play.ts'
import { ordinary, type Scenario } from './scenario.ts'
import type { Service } from './service.ts'

let play: Play
let service: Service
before(async () => {
  const missing = () => lacking(['/usr/bin/chromium', '/usr/bin/firefox', '/usr/bin/Xvfb'])
  await whyMissing(() => missing().length === 0, ...packagesOf(missing()))
  play = await openPlay()
  service = await play.lead(play.store)
})
after(() => play.close())

const scenario = (name: string): Scenario => scenarios.find((one) => one.name === name)!
const judged = (told: Told) => judgeAll(evidenceOf(told, undefined, Date.now()))

for (const browser of ['chromium', 'firefox']) {
  test(`${browser}: no library of a page, and no clock of its, makes an honest person suspicious`, (t) =>
    play.browse(scenario(`${browser}-ordinary`).open, {}, async (visit) => {
      for (const script of [...libraryScripts, ...clockScripts])
        await t.test(script, async () => {
          const told = await visit({ script, asksSecure: true })
          const judgement = judged(told)
          assert.deepEqual(disappointments(ordinary, judgement), [], JSON.stringify(judgement.reasons))
          assert.deepEqual(told.facts.alteredFunctions, [])
          const { bot, tampering } = await service.signalsOf(told.dfrId)
          const secure = await service.secureInfoOf(told.secureToken!)
          assert.deepEqual(
            { bot: bot!.verdict, tampering: tampering!.verdict },
            { bot: secure.bot, tampering: secure.tampering },
          )
        })
    }))
}

/** Who is found out with an honest clock, by which verdict, and what that is for an honest person. */
const suspects = [
  ['protocol-runtime-enabled', 'bot', 'notDetected'],
  ['chromium-incognito', 'incognito', false],
  ['firefox-private', 'incognito', false],
  ['firefox-as-windows', 'tampering', false],
] as const

for (const [name, verdict, clean] of suspects) {
  test(`${name}: a clock that stands still or lies makes no report cleaner`, (t) =>
    play.browse(scenario(name).open, {}, async (visit) => {
      for (const script of [undefined, ...clockScripts])
        await t.test(script ?? 'an honest clock', async () => {
          // With the limits of customers a busy machine may leave the honest answer open; a lie must not make it clean there.
          const judgement = judged(await visit(script ? { hasDefaultLimits: true, script } : {}))
          const found = verdictsOf(judgement)[verdict]
          if (script) assert.notEqual(found, clean, JSON.stringify(judgement.reasons))
          else assert.equal(found, scenario(name).expected[verdict])
        })
    }))
}
