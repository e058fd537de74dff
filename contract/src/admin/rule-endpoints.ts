// How does the console read rules, and preview what a file would add to a list?

import { admin } from './admin-endpoint.ts'
import { PreviewedListImport, PreviewListImportRequest } from './lists/list-import.ts'
import { problem } from './problem.ts'
import { ChangesOfRule, ChangesOfRuleRequest } from './rule-editing/changes-of-rule.ts'
import { RuleFigures } from './rule-editing/figures.ts'
import { RuleNames, RuleNamesRequest } from './rule-editing/names.ts'
import { ReadRulesRequest, RuleHistory, RuleVersions, ShownRules } from './rules.ts'
import { NoFields } from './session.ts'

const rules = 'Console rules'
const lists = 'Console lists'

const unknownList = { 404: problem('There is no such list', 'list-unknown') } as const

export const ruleEndpoints = {
  listRuleVersions: admin({
    method: 'GET',
    path: '/admin/v1/rules',
    permission: 'rules.read',
    tag: rules,
    summary: 'List the versions of the rules',
    description: 'Returns every version of the rules, and which one is live, in shadow, or the draft.',
    request: NoFields,
    answer: RuleVersions,
  }),
  readRuleHistory: admin({
    method: 'GET',
    path: '/admin/v1/rules/history',
    permission: 'rules.read',
    tag: rules,
    summary: 'Read the history of the rules',
    description: 'Returns who changed what, when and why.',
    request: NoFields,
    answer: RuleHistory,
  }),
  readChangesOfRule: admin({
    method: 'GET',
    path: '/admin/v1/rules/changes',
    permission: 'rules.read',
    tag: rules,
    summary: 'Read the changes of a rule',
    description:
      'Returns the versions that became live in which this rule differs from the version before: who stored and published them, and each field that changed.',
    request: ChangesOfRuleRequest,
    answer: ChangesOfRule,
  }),
  readRuleFigures: admin({
    method: 'GET',
    path: '/admin/v1/rules/figures',
    permission: 'rules.read',
    tag: rules,
    summary: 'Read the figures of rules',
    description:
      'Returns how often each rule fired on each of the last 30 days, what it decided, and the labels of these decisions. Counts are about half a minute behind.',
    request: NoFields,
    answer: RuleFigures,
  }),
  readRuleNames: admin({
    method: 'POST',
    path: '/admin/v1/rules/names',
    permission: 'decisions.read',
    effect: 'read',
    tag: rules,
    summary: 'Read the names of rules',
    description:
      'Returns what rules are called that decisions, events and figures name by id, those of versions that were live or in shadow before too.',
    request: RuleNamesRequest,
    answer: RuleNames,
  }),
  readRules: admin({
    method: 'GET',
    path: '/admin/v1/rules/versions/{version}',
    permission: 'rules.read',
    tag: rules,
    summary: 'Read the rules of a version',
    description: 'Returns the rules and velocities of a version: a number, or draft, shadow or live.',
    request: ReadRulesRequest,
    fieldFailures: { version: 'ruleVersionUnknown' },
    answer: ShownRules,
    refusals: { 404: problem('There is no such version', 'rule-version-unknown') },
  }),
  previewListImport: admin({
    method: 'POST',
    path: '/admin/v1/lists/preview-import',
    permission: 'lists.write',
    effect: 'read',
    tag: lists,
    summary: 'Preview an import',
    description:
      'Returns what each line of a file would add to a list, and what is wrong with it. Writes nothing: add the entries to import them.',
    request: PreviewListImportRequest,
    answer: PreviewedListImport,
    refusals: unknownList,
  }),
} as const
