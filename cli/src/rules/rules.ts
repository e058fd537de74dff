// `ringfence rules`: which rules decide? Checks and tests rules files, stores versions, and makes one live.

import { storeExists } from '@ringfence/server/core/storage/store-exists.ts'
import { runCases } from '@ringfence/server/rules/cases.ts'
import type { KnownLists } from '@ringfence/server/rules/language/list-mistake.ts'
import type { RuleSet } from '@ringfence/server/rules/language/rule.ts'
import { costOf, overBudget } from '@ringfence/server/rules/publishing/budget.ts'
import { ruleFileText } from '@ringfence/server/rules/rule-file.ts'
import { writtenRuleSet } from '@ringfence/server/rules/rule-set.ts'
import type { ChangeAuthor, RuleChange } from '@ringfence/server/rules/rule-sets.ts'
import { defaultVersion, RulesChangedMeanwhile } from '@ringfence/server/rules/stored-version.ts'
import type { Command } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { displayName } from '../arguments.ts'
import { configurationOf } from '../configuration.ts'
import { CommandFailed } from '../failure.ts'
import { withLists } from '../lists/lists-store.ts'
import { isoTime, isoTimeOr, minuteText, table, tableOf } from '../table.ts'
import { addTenantOptions, type TenantOptions } from '../tenant-options.ts'
import { userName } from '../user-name.ts'
import { addBacktest } from './backtest.ts'
import { requirementsOf, requirementText } from './requirement-text.ts'
import { checkedRuleFile, printFailedCases, readsLists, usableRuleFile } from './rules-file.ts'
import { type VersionName, versionName, versionOf, withRules } from './rules-store.ts'
import { addSuggest } from './suggest.ts'

interface ChangeOptions extends TenantOptions {
  by: string
  note?: string
}

export function addRules(ringfence: Command): void {
  const rules = ringfence
    .command('rules')
    .description('Manage the rules that allow, warn about, review, challenge or block a session')
    .addHelpText(
      'after',
      `
Running servers apply a change within a second.

Examples:
  ringfence rules show > rules.yaml           save the live rules as a file, to start with
  ringfence rules check rules.yaml            check the file
  ringfence rules test rules.yaml             check the file, and run the cases of its rules
  ringfence rules draft rules.yaml            store the file as a new version
  ringfence rules backtest                    show what the draft would have decided
  ringfence rules suggest --decisions         suggest rules that would have caught the labelled fraud
  ringfence rules shadow                      run the draft in parallel with the live rules
  ringfence rules live                        make the version in shadow live
  ringfence rules live 3                      go back to version 3; version 0 is the default rules
  ringfence rules list                        versions, and which one is live
  ringfence rules history                     who changed what and when

docs/guides/rules.md explains how to write a rule, docs/reference/rules.md lists what a rule can read.`,
    )

  command('check', 'Check a rules file; errors include the line number. Only lists need a data folder')
    .argument('<file>', 'rules file (YAML)')
    .action(check)
  command('test', 'Check a rules file, and run the cases of each rule')
    .argument('<file>', 'rules file (YAML)')
    .action(test)
  command('list', 'List the versions of a tenant').action(answering(list))
  command('show', 'Print the rules of a version as a rules file')
    .argument('[version]', 'a number, draft, shadow or live', versionName, 'live')
    .action(answering(show))
  change('draft', 'Store a rules file as a new version; the file must be valid and its cases must pass')
    .argument('<file>', 'rules file (YAML)')
    .action(draft)
  change('shadow', 'Run a version in parallel with the live one; its results are stored but not returned')
    .argument('[version]', 'default: the draft', versionName)
    .option('--end', 'stop running a version in shadow')
    .option('--replace', 'end another version that runs in shadow')
    .action(answering(shadow))
  change('live', 'Make a version live')
    .argument('[version]', 'default: the version in shadow', versionName)
    .option('--untried', 'allow a version that was never in shadow')
    .action(answering(live))
  command('history', 'Show who changed what and when, newest first').action(answering(history))
  addBacktest(rules)
  addSuggest(rules)

  function command(name: string, description: string): Command {
    return addTenantOptions(rules.command(name).description(description), 'rules')
  }
  function change(name: string, description: string): Command {
    return command(name, description)
      .option('--by <name>', 'who makes the change (default: your user name)', displayName, userName())
      .option('--note <text>', 'why', displayName)
  }
}

async function check(file: string, options: TenantOptions): Promise<void> {
  const { json } = options
  const { ruleSet } = await checkedWithLists(file, options)
  const cost = costOf(ruleSet)
  const { microseconds, budget } = cost
  console.log(
    json
      ? JSON.stringify({ rules: ruleSet.rules.length, mistakes: [], cost, ...requirementsOf(ruleSet) })
      : `${file}: ${ruleCount(ruleSet)}, no mistake; at most ${microseconds} of ${budget} µs of CPU time for a decision\n${requirementText(ruleSet)}`,
  )
  const reason = overBudget(cost)
  if (reason !== undefined) throw new CommandFailed(reason)
}

/** Checks the names of lists too, if there is a data folder. */
async function checkedWithLists(
  file: string,
  options: TenantOptions,
): Promise<{ ruleSet: RuleSet; lists?: KnownLists }> {
  const { json } = options
  const ruleSet = checkedRuleFile(file, json)
  if (!readsLists(ruleSet)) return { ruleSet }
  const { dataFolder, databaseUrl } = configurationOf(options).settings
  if (!(await storeExists(databaseUrl ?? dataFolder))) {
    console.error(
      `${file} names lists, which are not checked: ${dataFolder} has no data; name a data folder with --data`,
    )
    return { ruleSet }
  }
  const lists = await withLists(options, (stored, { id }) => stored.known(id))
  return { ruleSet: checkedRuleFile(file, json, lists), lists }
}

async function test(file: string, options: TenantOptions): Promise<void> {
  const { json } = options
  const { ruleSet, lists } = await checkedWithLists(file, options)
  const results = runCases(ruleSet.rules, lists)
  if (json) console.log(JSON.stringify({ rules: ruleSet.rules.length, mistakes: [], ...results }))
  else printFailedCases(results)
  if (results.failed.length > 0)
    throw new CommandFailed(`${file}: ${results.failed.length} of ${results.cases} cases do not hold`)
  if (json) return
  for (const { rule, lacks } of results.untried) {
    console.log(
      `rule ${rule} has no case that ${lacks.map((kind) => (kind === 'fires' ? 'fires' : 'stays silent')).join(' and none that ')}`,
    )
  }
  console.log(`${file}: ${ruleCount(ruleSet)}, ${results.cases} cases hold\n${requirementText(ruleSet)}`)
}

async function list(options: TenantOptions): Promise<Answer> {
  const versions = await withRules(options, (rules, { id }) => rules.versions(id))
  const rows = versions.map(({ version, rules, stages, createdAt }) => [
    String(version),
    String(rules),
    stages.join(', '),
    createdAt === undefined ? 'default rules' : minuteText(createdAt),
  ])
  return [
    versions.map(({ createdAt, ...version }) => ({ ...version, createdAt: isoTimeOr(createdAt) })),
    table(['VERSION', 'RULES', 'STAGE', 'CREATED'], rows),
  ]
}

async function show(name: VersionName, options: TenantOptions): Promise<Answer> {
  const [version, ruleSet] = await withRules(options, async (rules, { id }) => {
    const number = await versionOf(rules, id, name)
    return [number, await rules.read(id, number)] as const
  })
  const text = `# version ${version}${version === defaultVersion ? ': the default rules' : ''}\n${ruleFileText(ruleSet)}`
  return [{ version, ...writtenRuleSet(ruleSet) }, text.trimEnd()]
}

const author = ({ by, note }: ChangeOptions): ChangeAuthor => ({ by, ...(note !== undefined && { note }) })

async function draft(file: string, options: ChangeOptions): Promise<void> {
  const ruleSet = usableRuleFile(file, options.json)
  if (readsLists(ruleSet)) {
    const lists = await withLists(options, (stored, { id }) => stored.known(id))
    usableRuleFile(file, options.json, lists)
  }
  const version = await withRules(options, (rules, { id }) => rules.draft(id, ruleSet, author(options)))
  const reason = overBudget(costOf(ruleSet))
  if (reason !== undefined) console.error(`Warning: version ${version} cannot be published: ${reason}`)
  const text = `Version ${version}: ${ruleCount(ruleSet)}, stored as the draft. ${requirementText(ruleSet)}`
  console.log(options.json ? JSON.stringify({ version, stage: 'draft' }) : text)
}

interface ShadowOptions extends ChangeOptions {
  end?: true
  replace?: true
}

async function shadow(name: VersionName | undefined, options: ShadowOptions): Promise<Answer> {
  if (options.end) {
    await withRules(options, (rules, { id }) => rules.endShadow(id, author(options)))
    return [{ shadow: null }, 'No version is in shadow now.']
  }
  const version = await withRules(options, async (rules, { id }) => {
    const wanted = name === undefined ? undefined : await versionOf(rules, id, name)
    try {
      return await rules.shadow(id, wanted, author(options), options.replace ? {} : { ends: 'none' })
    } catch (error) {
      if (!(error instanceof RulesChangedMeanwhile)) throw error
      throw new CommandFailed(`${error.message}; to end it, add --replace`, { cause: error })
    }
  })
  const text = `Version ${version} runs in parallel with the live one. Its results are stored but not returned.`
  return [{ version, stage: 'shadow' }, text]
}

async function live(name: VersionName | undefined, options: ChangeOptions & { untried?: true }): Promise<Answer> {
  const { untried = false } = options
  const version = await withRules(options, async (rules, { id }) =>
    rules.live(id, name === undefined ? undefined : await versionOf(rules, id, name), author(options), { untried }),
  )
  return [{ version, stage: 'live' }, `Version ${version} is live. Running servers use it within a second.`]
}

async function history(options: TenantOptions): Promise<Answer> {
  const changes = await withRules(options, (rules, { id }) => rules.changes(id))
  const none = 'No change yet: the default rules are live.'
  const text = tableOf(changes, none, ['WHEN', 'WHO', 'CHANGE', 'NOTE'], (change) => [
    ...[minuteText(change.changedAt), change.changedBy, changeText(change), change.note],
  ])
  return [changes.map(({ changedAt, ...rest }) => ({ ...rest, changedAt: isoTime(changedAt) })), text]
}

function changeText({ change, version, versionBefore }: RuleChange): string {
  if (change === 'end-shadow') return `version ${version} left shadow`
  return `version ${version} ${change}${versionBefore === undefined ? '' : `, before: ${versionBefore}`}`
}

const ruleCount = ({ rules }: RuleSet) => `${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}`
