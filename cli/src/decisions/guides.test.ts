// Are the guides about decisions still correct? Runs all their commands in order, as a reader would, and compares the answers.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { updateLists } from '@ringfence/server/ip/lists/update-lists.ts'
import { commandLine, program } from '../testing.ts'

const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'no curl on this machine'

/** `npx ringfence` in the folder of the test. */
const inClone = `
npx() { shift; '${process.execPath}' '${program}' "$@"; }
`

interface Block {
  readonly language: string
  readonly text: string
}

function blocksOf(guide: string): Block[] {
  const page = readFileSync(new URL(`../../../docs/guides/${guide}.md`, import.meta.url), 'utf8')
  return [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }))
}

/** A file with all rules has those of the guide at its end. */
function appended(rules: string): string {
  const [before = '', items = ''] = rules.split(/^rules:\n/m)
  return items + before
}

/** What one block of commands printed: lines of JSON, and others. */
async function runGuide(
  t: TestContext,
  guide: string,
  isPlayed: (text: string) => boolean = () => true,
): Promise<{ blocks: Block[]; printed: readonly string[] }> {
  const { folder, serve } = await commandLine(t)
  const { stdout } = await serve(['--sandbox'])
  await writeFile(join(folder, 'addresses.txt'), '192.0.2.1\n')
  const { href: url } = pathToFileURL(join(folder, 'addresses.txt'))
  const lists = { vpns: { kind: 'vpnServer', url }, relays: { kind: 'relay', url } } as const
  await updateLists({ dataFolder: join(folder, 'ringfence-data'), lists, now: Date.now() })
  const exports = /^ {2}export [\s\S]*?[^\\]\n/m.exec(stdout)?.[0]
  assert.ok(exports)
  const blocks = blocksOf(guide).filter(({ text }) => isPlayed(text))
  const isRun = blocks.findLastIndex(({ language }) => language === 'sh')
  const script = blocks.slice(0, isRun + 1).map(({ language, text }) => {
    if (language === 'yaml') return `cat >> rules.yaml <<'END OF RULES'\n${appended(text)}END OF RULES\n`
    // A reader pastes a block again.
    if (language === 'sh') return text.includes('Idempotency-Key') ? `${text}\necho\n${text}\n` : `${text}\n`
    return ''
  })
  const separator = '=== next block ==='
  await writeFile(join(folder, 'guide.sh'), [inClone, exports, ...script].join(`echo; echo '${separator}'\n`))
  const env = { PATH: process.env.PATH, HOME: folder, MASTER_KEY_FILE: join(folder, '.config/ringfence/master.key') }
  const done = await promisify(execFile)('bash', ['-eu', 'guide.sh'], { cwd: folder, env })
  assert.equal(done.stderr, '')
  return { blocks, printed: done.stdout.split(separator).slice(2) }
}

/** The parts of the answer that the guide shows. */
function partsOf(answer: unknown, shown: unknown): unknown {
  if (Array.isArray(shown) && Array.isArray(answer)) return answer.map((each, index) => partsOf(each, shown[index]))
  if (typeof shown !== 'object' || shown === null || typeof answer !== 'object' || answer === null) return answer
  const members = answer as Record<string, unknown>
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, partsOf(members[name], value)]))
}

const jsonLines = (printed: string) => printed.split('\n').filter((line) => line.startsWith('{'))

/** Each JSON block shows members of the answer above it. */
function compareAnswers({ blocks, printed }: Awaited<ReturnType<typeof runGuide>>): number {
  let compared = 0
  for (const [index, { language, text }] of blocks.entries()) {
    if (language !== 'json' || blocks[index - 1]?.language !== 'sh') continue
    const shown: unknown = JSON.parse(text)
    const last = jsonLines(printed[index - 1] ?? '').at(-1) ?? assert.fail(`no answer before ${text}`)
    assert.deepEqual(partsOf(JSON.parse(last), shown), shown, last)
    compared++
  }
  return compared
}

for (const [guide, answers] of [
  ['fraud-rules', 4],
  ['decisions', 4],
] as const) {
  test(`the commands of docs/guides/${guide}.md answer what it shows`, { skip }, async (t) => {
    assert.equal(compareAnswers(await runGuide(t, guide)), answers)
  })
}

test('the first decision of README.md is what it shows', { skip }, async (t) => {
  const { blocks, printed } = await runGuide(t, '../../README', (text) => text.includes('/v1/decisions'))
  const [, action, score, code] =
    /"action":"(\w+)","score":(\d+),"reasons":\[\{"code":"(\w+)"/.exec(blocks[0]!.text) ?? []
  const answer = JSON.parse(jsonLines(printed[0]!).at(-1)!)
  assert.deepEqual([answer.action, String(answer.score), answer.reasons[0].code], [action, score, code])
  assert.deepEqual(answer.challenge.identityTypes, ['EMAIL'])
})

/** `passed` and `refused` of a challenge; else the action, and what speaks most for it. */
function outcomeOf(line: string): string {
  const { action, reasons, challenge, errorCode } = JSON.parse(line) as {
    action: string
    reasons: { code: string }[]
    challenge?: { state: string }
    errorCode?: string
  }
  if (errorCode === '70016') return 'refused'
  if (challenge?.state === 'passed') return 'passed'
  return [action, ...(action === 'ALLOW' ? [] : [reasons[0]?.code])].join(', ')
}

test('the commands of docs/guides/decision-stories.md answer what it shows, in each story of the sandbox', {
  skip,
}, async (t) => {
  const { blocks, printed } = await runGuide(t, 'decision-stories')
  const stories = blocks.flatMap(({ text }, index) => {
    const expected = [...text.matchAll(/^# ([A-Z_, ]+|passed|refused)$/gm)].map(([, outcome]) => outcome)
    if (expected.length === 0) return []
    assert.deepEqual(jsonLines(printed[index] ?? '').map(outcomeOf), expected, text)
    return [text]
  })
  assert.equal(stories.length, 10)
})
