import assert from 'node:assert/strict'
import { inEachBrowser, type TestBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import type { Ending } from '../../scripts/browsers.ts'
import type { AnswerOf } from './api/call.ts'
import { columnsOf } from './pages/overview/columns.ts'
import { axeSource, seriousFindings } from './testing/accessibility.ts'
import { type Answers, answering, sample, signedIn } from './testing/answered-calls.ts'
import { press as pressNamed } from './testing/as-a-person.ts'
import { click, shows, until } from './testing/in-the-page.ts'
import { serviceOfFile } from './testing/service-of-file.ts'
import { reasonName } from './words/reasons.ts'

interface Element {
  focus(): void
  closest(selector: string): Element | null
  getAttribute(name: string): string | null
  dispatchEvent(event: object): boolean
}
// Of the page; the folder of this file has no DOM types.
declare const getComputedStyle: (element: Element) => { readonly stroke: string }
declare const document: {
  readonly activeElement: Element
  querySelector(selector: string): Element | null
  querySelectorAll(selector: string): Iterable<{ readonly textContent: string }>
  dispatchEvent(event: object): boolean
}
declare const Event: new (type: string, options: object) => object
declare const KeyboardEvent: new (type: string, options: object) => object

const decision = sample<AnswerOf<'readDecision'>>('investigated-decision.swapped-sim-new-device')
const usual = {
  me: signedIn(),
  readDecision: decision,
  searchEvents: { events: [] },
  listReviews: { reviews: [], dueHours: 24 },
  label: { accepted: 1, unknown: [] },
  readOverview: sample<AnswerOf<'readOverview'>>('overview.ordinary'),
} satisfies Answers

const service = serviceOfFile()

async function open(t: Ending, browser: TestBrowser, path: string, answers: Answers = usual): Promise<TestPage> {
  const page = await browser.open(t)
  await page.prepare(answering(answers))
  await page.prepare(axeSource)
  await page.goto(`${service().url}/console${path}`)
  return page
}

const press = (page: TestPage, keys: string[]) =>
  page.evaluate((pressed) => {
    for (const key of pressed)
      document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  }, keys)

interface Searched {
  readonly limit: number
  readonly from: string
  readonly to: string
}

/** What the page Search has sent as its search with this number, once it has. */
async function searched(page: TestPage, number = 1): Promise<Searched> {
  let found: Searched | undefined
  const isSent = async () => {
    found = await page.evaluate((wanted) => {
      const { calls } = globalThis as unknown as { calls: { path: string; body: Searched }[] }
      return calls.filter(({ path, body }) => path.endsWith('/events/search') && body.limit > 1)[wanted - 1]?.body
    }, number)
    return found !== undefined
  }
  await until(isSent, 'nothing was searched')
  return found!
}

inEachBrowser((test) => {
  test('shows why a decision was made, and how its score adds up', async (t, browser) => {
    const page = await open(t, browser, `/decisions/${decision.decisionId}`)
    await shows(page, 'Blocked')
    for (const { text, code } of decision.reasons) {
      await shows(page, text)
      await shows(page, reasonName(code))
    }
    const shares = await page.evaluate(
      () => [...document.querySelectorAll('.reason-points')].map(({ textContent }) => Number(textContent)),
      undefined,
    )
    const sum = shares.reduce((total, share) => total + share, 0)
    assert.ok(Math.abs(sum - decision.score) < 0.3, `${shares} for ${decision.score}`)
    assert.deepEqual(page.complaints, [])
  })

  test('shows stored texts as texts, and runs nothing in them', async (t, browser) => {
    const hostile = `<img src=x onerror="globalThis.stolen=1"><script>globalThis.stolen=1</script>`
    const reasons = decision.reasons.map((reason) => ({ ...reason, text: hostile, source: 'javascript:stolen=1' }))
    const login = { userId: hostile, timestamp: decision.createdAt, identities: [] }
    const answers = { ...usual, readDecision: { ...decision, reasons, message: hostile, login } }
    const page = await open(t, browser, `/decisions/${decision.decisionId}`, answers)
    await shows(page, hostile)
    assert.equal(
      await page.evaluate(() => (globalThis as { stolen?: number }).stolen ?? 'nothing', undefined),
      'nothing',
    )
    assert.deepEqual(page.complaints, [])
  })

  test('labels a decision with the token of the session against forged requests', async (t, browser) => {
    const page = await open(t, browser, `/decisions/${decision.decisionId}`)
    await shows(page, 'Label')
    await click(page, '.page-actions button.primary')
    await shows(page, 'Account takeover')
    await click(page, '[role=menuitem][data-key=accountTakeover]')
    await shows(page, 'Labelled: Account takeover')
    const { path, headers, body } = await page.evaluate(
      () =>
        (
          globalThis as unknown as { calls: { path: string; headers: Record<string, string>; body: object }[] }
        ).calls.find((call) => call.path === '/admin/v1/labels')!,
      undefined,
    )
    assert.equal(path, '/admin/v1/labels')
    assert.equal(headers['x-ringfence-csrf'], 'csrf-of-the-session')
    assert.deepEqual(body, { labels: [{ decisionId: decision.decisionId, outcome: 'accountTakeover' }] })
  })

  test('shows which condition kept a rule from firing, with the value that it read', async (t, browser) => {
    const page = await open(t, browser, `/decisions/${decision.decisionId}`)
    await shows(page, '3 rules nearly fired')
    const shown = await page.evaluate(
      () =>
        [...document.querySelectorAll('.nearly .comparison[data-holds=false]')].map(
          ({ textContent }) => textContent ?? '',
        ),
      undefined,
    )
    const expected = decision.evaluated!.filter(({ state }) => state === 'nearly')
    const missing = expected.flatMap(({ conditions }) => conditions.filter(({ holds }) => !holds))
    assert.ok(missing.length > 0)
    assert.deepEqual(
      shown.map((text) => text.startsWith('Not true: ')),
      missing.map(() => true),
    )
    for (const [i, { text, values }] of missing.entries()) {
      assert.ok(shown[i]!.includes(text), shown[i]!)
      for (const value of Object.values(values)) assert.ok(shown[i]!.includes(JSON.stringify(value)), shown[i]!)
    }
  })

  test('puts the user of a decision into a list that takes users', async (t, browser) => {
    const page = await open(t, browser, `/decisions/${decision.decisionId}`, {
      ...usual,
      describeLists: {
        lists: [
          { ...sample<AnswerOf<'describeLists'>>('described-lists.ordinary').lists[0]!, name: 'vips', kind: 'userId' },
        ],
      },
      addListEntries: { added: 1, unchanged: 0, entries: 1 } as never,
    })
    await shows(page, 'Add to a list')
    await pressNamed(page, 'Add to a list')
    await shows(page, `User: ${decision.subject.userId}`)
    await click(page, '[role=dialog] button[type=submit]')
    await shows(page, 'Added to vips')
    const sent = await page.evaluate(
      () =>
        (globalThis as unknown as { calls: { path: string; body: object }[] }).calls.find(({ path }) =>
          path.endsWith('/lists/add'),
        )!.body,
      undefined,
    )
    const { userId: value } = decision.subject
    assert.deepEqual(sent, { name: 'vips', entries: [{ value, note: `Decision ${decision.decisionId}` }] })
    assert.deepEqual(page.complaints, [])
  })

  test('shows events as they come, and counts those that come while it is paused', async (t, browser) => {
    const page = await open(t, browser, '/live')
    await shows(page, 'Waiting for the first decision')
    const happen = (from: number, to: number) =>
      page.evaluate(
        ([first, last]) => {
          const { live } = globalThis as unknown as { live: { enqueue(text: string): void } }
          for (let i = first!; i < last!; i++) {
            const id = `01933b2e-7c1a-7b5e-9d0f-${String(i).padStart(12, '0')}`
            const data = { userId: `user-${i}`, action: 'BLOCK', score: 70 }
            const event = { id, type: 'decision.created', timestamp: new Date().toISOString(), outcome: 'BLOCK', data }
            live.enqueue(`id: ${id}\ndata: ${JSON.stringify(event)}\n\n`)
          }
        },
        [from, to],
      )
    await happen(0, 400)
    await shows(page, 'user-399')
    const rows = await page.evaluate(() => [...document.querySelectorAll('.events-row')].length, undefined)
    assert.ok(rows < 100, `${rows} rows are drawn for 400 events`)
    await press(page, ['p'])
    await shows(page, 'Paused')
    await happen(398, 403)
    await shows(page, '3 new events')
    await press(page, ['p'])
    await shows(page, 'user-402')
    assert.deepEqual(page.complaints, [])
  })

  test('begins with an overview, whose columns lead to their decisions', async (t, browser) => {
    const page = await open(t, browser, '')
    const { readOverview: overview } = usual
    for (const { name } of overview.reasons) await shows(page, reasonName(name))
    for (const { name } of overview.rules) await shows(page, name)
    await shows(page, 'A webhook does not accept events')
    await page.evaluate(
      () => document.querySelector('.chart-point:nth-of-type(2)')!.dispatchEvent(new Event('click', { bubbles: true })),
      undefined,
    )
    await page.isAt('/console/search?kind=decision.created')
    const body = await searched(page)
    const [, second] = columnsOf(overview)
    assert.deepEqual([body.from, body.to], [second!.at, second!.until])
    assert.deepEqual(page.complaints, [])
  })

  test('by keyboard a chart is one stop: the arrows go from column to column, and Enter opens one', async (t, browser) => {
    const page = await open(t, browser, '')
    await shows(page, 'in total')
    const columns = columnsOf(usual.readOverview)
    const stops = () =>
      page.evaluate(() => [...document.querySelectorAll('.chart-point[tabindex="0"]')].length, undefined)
    assert.equal(await stops(), 1)
    const pressed = (keys: string[]) =>
      page.evaluate((each) => {
        const { activeElement } = document
        ;(activeElement.closest('.chart-point') ?? document.querySelector('.chart-point[tabindex="0"]')!).focus()
        for (const key of each) {
          const focused = document.activeElement
          focused.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
        }
        return document.activeElement.getAttribute('aria-label')
      }, keys)
    const first = await pressed(['Home'])
    const second = await pressed(['ArrowRight'])
    assert.notEqual(first, second)
    assert.equal(await pressed(['ArrowLeft', 'ArrowLeft']), first, 'before the first is none')
    assert.equal(await pressed(['End', 'Home', 'ArrowRight']), second)
    assert.equal(await stops(), 1)
    const [ring, none] = await page.evaluate(
      () =>
        [':focus', ':not(:focus)'].map(
          (state) => getComputedStyle(document.querySelector(`.chart-point${state} .chart-hit`)!).stroke,
        ),
      undefined,
    )
    assert.notEqual(ring, none, 'the focus is seen')
    await pressed(['Enter'])
    await page.isAt('/console/search?kind=decision.created')
    const body = await searched(page)
    assert.deepEqual([body.from, body.to], [columns[1]!.at, columns[1]!.until])
    assert.deepEqual(page.complaints, [])
  })

  test('the tiles of the overview lead to searches of what they count: warnings apart from reviews, in this time', async (t, browser) => {
    const { from, to } = usual.readOverview
    for (const outcome of ['WARN', 'REVIEW']) {
      const page = await open(t, browser, '')
      await shows(page, 'in total')
      await click(page, `.totals a[href*="outcome=${outcome}"]`)
      const ofTile = { types: ['decision.created'], outcome, limit: 100 }
      assert.deepEqual(await searched(page), { ...ofTile, from, to })
      await pressNamed(page, 'Search any time', '.page-actions')
      assert.deepEqual(await searched(page, 2), ofTile)
      assert.deepEqual(page.complaints, [])
    }
  })

  test('goes to pages by keys, and lists the keys', async (t, browser) => {
    const page = await open(t, browser, '/live')
    await shows(page, 'Waiting for the first decision')
    await press(page, ['g', 'q'])
    await page.isAt('/console/reviews')
    await shows(page, 'No open reviews')
    await press(page, ['?'])
    await shows(page, 'Show this list')
    assert.deepEqual(page.complaints, [])
  })

  test('puts who is searched for into the fragment only', async (t, browser) => {
    const page = await open(t, browser, '/search#phoneNumber=917020141726')
    await shows(page, 'Nothing is stored about this phone number')
    const calls = await page.evaluate(
      () =>
        (globalThis as unknown as { calls: { path: string; body?: { phoneNumber?: string } }[] }).calls.map(
          ({ path, body }) => `${path} ${body?.phoneNumber ?? ''}`,
        ),
      undefined,
    )
    assert.ok(calls.includes('/admin/v1/events/search 917020141726'), calls.join('\n'))
    assert.equal(calls.join('').split('917020141726').length - 1, 1)
  })

  test('lists only the pages that the role may read', async (t, browser) => {
    const page = await open(t, browser, '/live', { ...usual, me: signedIn(['decisions.read', 'users.read']) })
    await shows(page, 'Waiting for the first decision')
    const names = await page.evaluate(
      () => [...document.querySelectorAll('.nav-link')].map(({ textContent }) => textContent),
      undefined,
    )
    assert.deepEqual(names, ['Overview', 'Performance', 'Live', 'Search', 'Users', 'My account'])
  })

  test('says what to do when the role does not allow a page', async (t, browser) => {
    const page = await open(t, browser, '/rules')
    await shows(page, 'Your role does not allow this')
    await shows(page, 'Ask an owner')
  })

  test('asks who one is, and has no serious finding of axe on the first pages', async (t, browser) => {
    const signIn = await open(t, browser, '/live', {})
    await shows(signIn, 'Sign in to Ringfence')
    const view = await open(t, browser, `/decisions/${decision.decisionId}`)
    await shows(view, 'Blocked')
    for (const page of [signIn, view]) {
      assert.deepEqual(await seriousFindings(page), [])
    }
  })

  test('says of its calls when nobody has been at the page for a minute', async (t, browser) => {
    const page = await open(t, browser, `/decisions/${decision.decisionId}`)
    await shows(page, 'Blocked')
    const sentBy = async (path: string) => {
      let sent: string | undefined
      const isCalled = async () => {
        sent = await page.evaluate((wanted) => {
          const { calls } = globalThis as { calls?: { path: string; headers: Record<string, string> }[] }
          const call = calls?.find((each) => each.path === wanted)
          return call && (call.headers['x-ringfence-unattended'] ?? 'not sent')
        }, path)
        return sent !== undefined
      }
      await until(isCalled, `no call of ${path}`)
      return sent
    }
    assert.equal(await sentBy(`/admin/v1/decisions/${decision.decisionId}`), 'not sent')
    await page.evaluate(() => {
      performance.now = () => 1e9
    }, undefined)
    await pressNamed(page, 'Overview')
    assert.equal(await sentBy('/admin/v1/overview'), 'true')
    await press(page, ['Shift'])
    await pressNamed(page, 'Review queue')
    assert.equal(await sentBy('/admin/v1/reviews'), 'not sent')
  })
})
