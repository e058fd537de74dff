import assert from 'node:assert/strict'
import { consoleCookie } from '@ringfence/contract'
import { personWith, type TestPerson } from '@ringfence/server/admin/people/test-person.ts'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import type { Ending } from '../../scripts/browsers.ts'
import { click, shows, standsStill, type, until } from './testing/in-the-page.ts'
import { serviceOfFile } from './testing/service-of-file.ts'

interface Found {
  readonly textContent: string
  readonly disabled?: boolean
  readonly shadowRoot: { querySelector(selector: string): Found | null } | null
  click(): void
}
// Of the page; the folder of this file has no DOM types.
declare let document: {
  cookie: string
  querySelector(selector: string): Found | null
  querySelectorAll(selector: string): Iterable<Found>
}

const service = serviceOfFile()

async function open(t: Ending, browser: TestBrowser, { token }: TestPerson, path: string): Promise<TestPage> {
  const page = await browser.open(t)
  const url = service().url.replace('127.0.0.1', 'localhost')
  await page.goto(`${url}/ready`)
  await page.evaluate(
    ([name, value]) => {
      document.cookie = `${name}=${value}; Secure; Path=/`
    },
    [consoleCookie, token] as const,
  )
  await page.goto(`${url}/console${path}`)
  return page
}

/** Looks at the text, and goes back to the form. */
async function hasText(page: TestPage, wanted: string): Promise<void> {
  await click(page, '.edit-views button', 'Text')
  let text = ''
  const isThere = async () => {
    text = await page.evaluate(
      () => document.querySelector('.text-editor')?.shadowRoot?.querySelector('.cm-content')?.textContent ?? '',
      undefined,
    )
    return text.includes(wanted)
  }
  await until(isThere, () => `the text has no ${wanted}: ${text}`)
  await click(page, '.edit-views button', 'Form')
}

/** A version with one rule: the page of the default rules has some thousand elements. */
async function smallDraft({ call }: TestPerson): Promise<number> {
  const { versions } = (await call('listRuleVersions')).body
  const text = 'rules:\n  - { id: a, name: Small, when: newDevice, action: WARN, score: 1 }\n'
  const { status, body } = await call('saveRuleDraft', { text, basedOn: versions[0].version })
  assert.equal(status, 200, JSON.stringify(body))
  return body.version
}

const first = '.rule-form'

/** By the form, for new devices. */
async function addRule(page: TestPage): Promise<void> {
  await click(page, '.rule-lines-head button', 'Add a rule')
  await shows(page, 'Choose what to compare')
  await type(page, `${first} .path-input input`, 'newDevice')
  await click(page, '[role=option][data-key="newDevice"]', 'newDevice')
  await hasText(page, 'New rule')
}

inEachBrowser((test) => {
  test('a rule starts from a decision, with what was true of it', async (t, browser) => {
    const maya = await personWith(service(), 'analyst', `Maya ${browser.name}`)
    const { body } = await service().post('/v1/decisions', {
      action: 'PAYMENT',
      userId: 'u',
      phoneNumber: '917020140110',
    })
    const page = await open(t, browser, maya, `/rules?from=${body.decisionId}`)
    await page.isAt(`/rules/edit?from=${body.decisionId}`)
    await hasText(page, `Like decision ${body.decisionId.slice(0, 8)}`)
    // The default rules check the number, so this is known.
    await hasText(page, 'telecom.simSwap.swapped')
    await shows(page, 'Valid')
  })

  test('a nested condition and a velocity are written by the form, and the text follows', async (t, browser) => {
    const maya = await personWith(service(), 'analyst', `Pia ${browser.name}`)
    const page = await open(t, browser, maya, `/rules/edit?base=${await smallDraft(maya)}`)
    await shows(page, 'Valid')
    await click(page, '.edit-part', 'Velocities')
    await click(page, '.edit-form .card button', 'Add a velocity')
    await hasText(page, 'count1:')
    await hasText(page, 'per: user')
    await shows(page, 'Valid')
    await addRule(page)
    await click(page, `${first} .rule-rows > button`, 'Add a group')
    await shows(page, 'Unfinished')
    const inGroup = (row: string) => `${first} .rule-group .rule-row:${row} .path-input input`
    await type(page, inGroup('first-of-type'), 'sim swapped')
    await click(page, '[role=option]', 'telecom.simSwap.swapped')
    await type(page, inGroup('last-of-type'), 'velocity.count1')
    await click(page, '[role=option]', 'velocity.count1')
    await hasText(page, 'newDevice and (telecom.simSwap.swapped or velocity.count1 >= 1)')
    await shows(page, 'Valid')
    await click(page, '.draft-bar button', 'Save draft')
    await page.isAt('/console/rules?')
    await shows(page, 'velocity.count1')
    const { rules, velocity } = (await maya.call('readRules', { version: 'draft' })).body
    assert.equal(rules[0].when, 'newDevice and (telecom.simSwap.swapped or velocity.count1 >= 1)')
    assert.deepEqual(velocity.count1, { count: 'decisions', per: 'user', within: '24h' })
  })

  test('the form waits while it would overwrite what was typed: mistakes, and comments', async (t, browser) => {
    const maya = await personWith(service(), 'analyst', `Eva ${browser.name}`)
    const page = await open(t, browser, maya, `/rules/edit?base=${await smallDraft(maya)}`)
    await shows(page, 'Valid')
    await hasText(page, 'rules:')
    await click(page, '.rule-line', 'Small')
    const write = async (text: string) => {
      await click(page, '.edit-views button', 'Text')
      await until(
        () =>
          page.evaluate(
            () => Boolean(document.querySelector('.text-editor')?.shadowRoot?.querySelector('.cm-content')),
            undefined,
          ),
        'the text is not there',
      )
      await page.evaluate((typed) => {
        const editor = document.querySelector('.text-editor')!.shadowRoot!.querySelector('.cm-content') as unknown as {
          focus(): void
          ownerDocument: { execCommand(name: string, ui: boolean, value?: string): boolean }
        }
        editor.focus()
        editor.ownerDocument.execCommand('selectAll', false)
        editor.ownerDocument.execCommand('insertText', false, typed)
      }, text)
    }
    await write('rules:  [ { id: a, name: A, when: newDevise, action: WARN, score: 1 } ]')
    await shows(page, '1 mistake')
    await click(page, '.edit-views button', 'Form')
    await shows(page, 'The text has mistakes. The form comes back')
    await hasText(page, 'newDevise')
    await write('rules:  [ { id: a, name: Kept, when: newDevice, action: WARN, score: 1 } ] # from the bank')
    await shows(page, 'Valid')
    await click(page, '.edit-views button', 'Form')
    await shows(page, 'The text has comments')
    await click(page, '.form-waits button', 'Use the form')
    await addRule(page)
    await hasText(page, 'Kept')
  })

  test('cases of a rule are written by the form: they run on each check, and are saved', async (t, browser) => {
    const maya = await personWith(service(), 'analyst', `Noor ${browser.name}`)
    const page = await open(t, browser, maya, `/rules/edit?base=${await smallDraft(maya)}`)
    await shows(page, 'Valid')
    await click(page, '.rule-line', 'Small')
    await click(page, 'button', 'Add a case')
    await shows(page, '1 case fails')
    await shows(page, 'It should fire, and stays silent.')
    const choosePath = async (path: string) => {
      const newPath = '.case-forms > li:last-child .case-more .path-input input'
      // The page scrolls to what has the focus, and scrolling closes what is open.
      await type(page, newPath, '')
      await standsStill(page, newPath)
      await type(page, newPath, path)
      await click(page, `[role=option][data-key="${path}"]`, path)
    }
    await choosePath('newDevice')
    await hasText(page, 'newDevice: true')
    await shows(page, 'Valid')
    await type(page, '.case-forms > li:last-child .case-head input', 'A new device')
    await click(page, 'button', 'Add a case')
    await shows(page, '1 case fails')
    await click(page, '.case-forms > li:last-child .case-head .select')
    await click(page, '[role=option]', 'Stays silent')
    await shows(page, 'All 2 cases pass.')
    await choosePath('userId')
    await type(page, '.case-forms > li:last-child .rule-row .input:not(.path-input *)', '"120"')
    await hasText(page, 'userId: "120"')
    await click(page, '.draft-bar button', 'Save draft')
    await page.isAt('/console/rules?')
    const casesSaved = async () => (await maya.call('readRules', { version: 'draft' })).body.rules[0].cases
    const first = { name: 'A new device', fires: { newDevice: true } }
    assert.deepEqual(await casesSaved(), [first, { silent: { userId: '120' } }])
    await click(page, '.page-actions a', 'Edit')
    await shows(page, 'Valid')
    await click(page, '.rule-line', 'Small')
    await click(page, 'button[aria-label="Remove case 2"]')
    await shows(page, 'All 1 cases pass.')
    await click(page, '.draft-bar button', 'Save draft')
    await page.isAt('/console/rules?')
    await until(async () => (await casesSaved()).length === 1, 'the case is still there')
    assert.deepEqual(await casesSaved(), [first])
  })

  test('of two people on one draft the second one learns of the first, and loses nothing', async (t, browser) => {
    const maya = await personWith(service(), 'analyst', `Ana ${browser.name}`)
    const name = `Shared ${browser.name}`
    const text = (rule: string) => `rules:\n  - { id: a, name: ${rule}, when: newDevice, action: WARN, score: 1 }\n`
    const save = async (rule: string, basedOn: number) => {
      const { status, body } = await maya.call('saveRuleDraft', { text: text(rule), basedOn, name })
      assert.equal(status, 200, JSON.stringify(body))
      return body.version as number
    }
    const begun = await save('Begun', 0)
    const page = await open(t, browser, maya, `/rules/edit?base=${begun}`)
    await shows(page, 'Valid')
    await shows(page, `“${name}”, your draft`)
    await addRule(page)
    await shows(page, 'Valid')
    const other = await save('Other', begun)
    await click(page, '.draft-bar button', 'Save draft')
    await shows(page, `Somebody else has saved the draft “${name}” meanwhile`)
    await hasText(page, 'New rule')
    await click(page, '.edit-conflict button', `Save as “${name} 2”`)
    const named = async (wanted: string) => {
      const { versions } = (await maya.call('listRuleVersions')).body
      return versions.find(({ draft }: { draft?: { name: string } }) => draft?.name === wanted)?.version
    }
    await until(async () => (await named(`${name} 2`)) !== undefined, 'it is not saved under another name')
    const rulesOf = async (version: number) => {
      const { rules } = (await maya.call('readRules', { version: String(version) })).body
      return rules.map((rule: { name: string }) => rule.name)
    }
    assert.deepEqual(await rulesOf(await named(`${name} 2`)), ['New rule', 'Begun'])
    assert.equal(await named(name), other)
    assert.deepEqual(await rulesOf(other), ['Other'])
  })

  test("somebody else's draft is never the start, and is continued only by choice", async (t, browser) => {
    const eva = await personWith(service(), 'analyst', `Eve ${browser.name}`)
    const maya = await personWith(service(), 'analyst', `May ${browser.name}`)
    const name = `Risky ${browser.name}`
    const text = 'rules:\n  - { id: risky, name: Risky, when: newDevice, action: BLOCK, score: 1 }\n'
    assert.equal((await eva.call('saveRuleDraft', { text, basedOn: 0, name })).status, 200)
    const page = await open(t, browser, maya, '/rules/edit')
    await shows(page, 'Valid')
    await shows(page, 'No change, based on live')
    await click(page, '.page-actions .select')
    await click(page, '[role=option]', `“${name}”, draft of Eve ${browser.name}`)
    await shows(page, `This stores the next version of the draft of Eve ${browser.name}`)
    await type(page, '.draft-bar input', `Own ${browser.name}`)
    const isOthers = () => page.evaluate(() => document.querySelector('.draft-of') !== null, undefined)
    await until(async () => !(await isOthers()), 'another name is a draft of their own')
  })

  test('from a decision to its rule in shadow in at most six acts, whoever runs a shadow', async (t, browser) => {
    const maya = await personWith(service(), 'analyst', `Kim ${browser.name}`)
    const ravi = await personWith(service(), 'analyst', `Raj ${browser.name}`)
    const { body } = await service().post('/v1/decisions', {
      action: 'PAYMENT',
      userId: 'u',
      phoneNumber: '917020140110',
    })
    const running = await smallDraft(ravi)
    const { shadow: before } = (await ravi.call('listRuleVersions')).body
    const ends = before && { ends: before.version }
    assert.equal((await ravi.call('startRuleShadow', { version: running, ...ends })).status, 200)
    const page = await open(t, browser, maya, `/decisions/${body.decisionId}`)
    await shows(page, 'Start a rule')
    let acts = 0
    const act = async (selector: string, words: string) => {
      acts += 1
      await click(page, selector, words)
    }
    await act('button', 'Start a rule')
    await page.isAt('/rules/edit')
    await hasText(page, `Like decision ${body.decisionId.slice(0, 8)}`)
    await act('.draft-bar button', 'Shadow')
    await shows(page, `Raj ${browser.name} started the shadow of version ${running}`)
    await act('.dialog button', 'Replace it')
    await page.isAt('/console/rules')
    const shadow = async () => (await maya.call('listRuleVersions')).body.shadow
    await until(async () => (await shadow())?.startedBy === `Kim ${browser.name}`, 'the rule does not run in shadow')
    const { rules } = (await maya.call('readRules', { version: 'shadow' })).body
    assert.equal(rules[0].name, `Like decision ${body.decisionId.slice(0, 8)} (Payment)`)
    assert.equal(rules[0].action, body.action)
    assert.match(rules[0].when, /simSwap/)
    assert.ok(acts <= 6, `${acts} acts`)
    assert.equal((await maya.call('endRuleShadow', {})).status, 200)
  })

  test('an edit that was not saved is offered again, and leaving it asks first', async (t, browser) => {
    const maya = await personWith(service(), 'analyst', `Uma ${browser.name}`)
    const base = await smallDraft(maya)
    const page = await open(t, browser, maya, `/rules/edit?base=${base}`)
    await shows(page, 'Valid')
    await addRule(page)
    await shows(page, 'Valid')
    await click(page, '.page-actions a', 'Cancel')
    await shows(page, 'Leave without saving?')
    await click(page, '.dialog button', 'Leave')
    await page.isAt('/console/rules')
    await page.goto(`${service().url.replace('127.0.0.1', 'localhost')}/console/rules/edit?base=${base}`)
    await shows(page, 'An edit was not saved.')
    await click(page, '.edit-conflict button', 'Restore it')
    await hasText(page, 'New rule')
  })

  test('the owner says when a second person is needed, an analyst reads it, and the log has it', async (t, browser) => {
    const owner = await personWith(service(), 'owner', `Olga ${browser.name}`)
    const analyst = await personWith(service(), 'analyst', `Tim ${browser.name}`)
    const page = await open(t, browser, owner, '/rules')
    await shows(page, 'As soon as two people may publish')
    await click(page, '.policy-choice', 'Always')
    const isSet = (wanted: string) =>
      until(
        async () => (await owner.call('listPublications')).body.secondPerson === wanted,
        `the policy is not ${wanted}`,
      )
    await isSet('always')
    const other = await open(t, browser, analyst, '/rules')
    await shows(other, 'Nobody publishes alone')
    assert.deepEqual(
      await other.evaluate(() => [...document.querySelectorAll('.policy-choice')].length, undefined),
      0,
      'an analyst changes nothing',
    )
    await click(page, '.policy-choice', 'As soon as')
    await isSet('whenSeveral')
    const lines = (await owner.call('listAudit', { limit: 20 })).body.lines as { action: string }[]
    assert.equal(lines.filter(({ action }) => action === 'setPublishPolicy').length % 2, 0)
    assert.ok(lines.some(({ action }) => action === 'setPublishPolicy'))
  })

  test('an earlier live version is found in the history, and rolled back to', async (t, browser) => {
    const owner = await personWith(service(), 'owner', `Ravi ${browser.name}`)
    const second = await personWith(service(), 'owner', `Lea ${browser.name}`)
    const publish = async (name: string) => {
      const { versions } = (await owner.call('listRuleVersions')).body
      const text = `rules:\n  - { id: r, name: ${name}, when: newDevice, action: WARN, score: 1 }\n`
      const { version } = (await owner.call('saveRuleDraft', { text, basedOn: versions[0].version })).body
      const { number } = (await owner.call('requestPublication', { version, note: name })).body
      const { status, body } = await second.call('approvePublication', { number: String(number) })
      assert.equal(status, 200, JSON.stringify(body))
      service().clock.advance({ seconds: 2 })
      return version as number
    }
    const [first] = [await publish(`First${browser.name}`), await publish(`Second${browser.name}`)]
    const page = await open(t, browser, owner, '/rules')
    await shows(page, 'Go back to it')
    await page.goto(`${service().url.replace('127.0.0.1', 'localhost')}/console/rules?version=${first}`)
    await click(page, '.page-actions button', 'Roll back')
    await shows(page, 'so you roll back alone')
    await type(page, '.publish input', 'too many warnings')
    await click(page, '.publish button', 'Roll back now')
    await shows(page, `Ravi ${browser.name} (rolled back)`)
    const [request] = (await second.call('listPublications')).body.publications
    assert.deepEqual([request.version, request.isAlone], [first, true])
    service().clock.advance({ seconds: 2 })
    assert.equal((await owner.call('readRules', { version: 'live' })).body.rules[0].name, `First${browser.name}`)
    const { number } = (await owner.call('requestPublication', { version: 0, note: 'for the next test' })).body
    assert.equal((await second.call('approvePublication', { number: String(number) })).status, 200)
    service().clock.advance({ seconds: 2 })
  })

  test('the overview of a new tenant has the first steps, which a person hides', async (t, browser) => {
    const fresh = await service().parts.tenantKeyring.createTenant(`new-${browser.name}`)
    const owner = await personWith({ ...service(), tenantId: fresh.id }, 'owner', `Nina ${browser.name}`)
    const page = await open(t, browser, owner, '')
    await shows(page, 'Make the first call')
    await click(page, '.overview-first button', 'Hide')
    const isShown = () => page.evaluate(() => document.querySelector('.overview-first') !== null, undefined)
    await until(async () => !(await isShown()), 'it is not hidden')
    await page.goto(`${service().url.replace('127.0.0.1', 'localhost')}/console/`)
    await shows(page, 'Top reasons')
    assert.equal(await isShown(), false, 'it stays hidden')
  })
})
