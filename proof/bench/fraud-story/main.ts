// Which fraud do the rules catch, and which customers do they disturb? `node proof/bench/fraud-story/main.ts [--save]` plays 10,000 sessions with each set.

import { parseArgs } from 'node:util'
import { defaultRules } from '../../../server/src/rules/defaults/default-rules.ts'
import { saveBlock } from '../harness/save.ts'
import { rulesOfGuide } from './guide-rules.ts'
import { play } from './play.ts'
import { type Run, reportOf } from './report.ts'
import { storyOf } from './story.ts'
import { suggestedFrom } from './suggested.ts'

const usage = `node proof/bench/fraud-story/main.ts [--scale SHARE] [--seed NUMBER] [--save]

--scale: 1 is the whole story of 10,000 sessions; --save: put the tables into docs/fraud-story.md`

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    seed: { type: 'string', default: '13' },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  console.log(usage)
  process.exit(0)
}
const options = { scale: Number(values.scale), seed: Number(values.seed) }
if (!(options.scale > 0 && options.scale <= 1) || !Number.isInteger(options.seed)) {
  console.error(`--scale must be above 0 and at most 1, --seed a whole number\n\n${usage}`)
  process.exit(2)
}

const guides = rulesOfGuide()
const progress = (name: string) => (done: number, of: number) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${done} of ${of} sessions${done === of ? '\n' : ''}`)
}
const cleanups: (() => unknown)[] = []
const ending = { after: (work: () => unknown) => void cleanups.push(work) } as Parameters<typeof play>[2]['ending']
try {
  const story = storyOf(options)
  const byDefault = await play(story, undefined, { ending, onProgress: progress('default rules') })
  // Devices age with each visit, so the second run plays a new copy.
  const byGuides = await play(storyOf(options), guides, { ending, onProgress: progress('with rules of the guides') })
  const runs: Run[] = [
    { name: 'default rules', sessions: byDefault.sessions, rules: defaultRules.rules.map(({ id }) => id) },
    { name: 'rules of the guides, too', sessions: byGuides.sessions, rules: guides.rules.map(({ id }) => id) },
  ]
  const lines = [
    `${story.sessions.length.toLocaleString('en')} sessions of ${story.customers} customers and their attackers in four weeks, seed ${options.seed}.`,
    '',
    ...reportOf(runs, story.customers, await suggestedFrom(byGuides.service, guides)),
  ]
  console.log(lines.join('\n'))
  if (values.save) saveBlock('docs/fraud-story.md', 'fraud-story', lines)
} finally {
  for (const work of cleanups.reverse()) await work()
}
