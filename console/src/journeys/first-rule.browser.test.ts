// How many acts take somebody who is new, and alone, from the first start to a rule of their own that blocks?

import assert from 'node:assert/strict'
import { inEachBrowser } from '../../../browser/src/testing/browser-tests.ts'
import { commandLine } from '../../../cli/src/testing.ts'
import { choose, fill, press } from '../testing/as-a-person.ts'
import { shows } from '../testing/in-the-page.ts'
import { comeIn } from './person.ts'

inEachBrowser((test) => {
  test(
    'a new owner tries a decision, makes a rule of it, and sees it block',
    async (t, browser) => {
      const service = await (await commandLine(t)).serve(['--sandbox'])
      const [link] = /\S+\/console\/welcome#\S+/.exec(service.stdout) ?? []
      const page = await comeIn(t, browser, link!, 'Maya')
      let acts = 0
      const presses = async (name: string, within?: string) => {
        acts++
        await press(page, name, within)
      }
      const types = async (label: string, text: string) => {
        acts++
        await fill(page, label, text)
      }
      const tryDecision = async () => {
        await presses('Try a decision')
        await types('Phone number', '+91 70201 40110')
        await presses('Decide')
        await shows(page, 'See why')
        await presses('See why', '[role=dialog]')
      }

      await tryDecision()
      await shows(page, 'Start a rule')
      assert.equal(acts, 4, 'to the first decision and its reasons')
      await presses('Start a rule')
      await shows(page, 'Valid')
      acts += 2
      await choose(page, 'Then', 'Block')
      await shows(page, 'Valid')
      await presses('Shadow', '.draft-bar')
      await shows(page, 'Shadow: version 1')
      assert.ok(acts - 4 <= 6, `${acts - 4} acts from a decision to a rule in shadow`)
      await presses('Publish…')
      await shows(page, 'Why')
      await types('Why', 'Swapped SIMs')
      await presses('Publish alone')
      await shows(page, 'Roll back to default rules')
      await presses('Live')
      await tryDecision()
      await shows(page, 'Blocked by')
      assert.ok(acts <= 16, `${acts} acts from the start page to a blocked decision`)
    },
    { minutes: 4 },
  )
})
