import assert from 'node:assert/strict'
import { test } from 'node:test'
import crawlers from 'crawler-user-agents'
import { crawlerNames } from '../core/config/ip-data-settings.ts'
import { recordings } from '../device/testdata/recordings.ts'
import { claimedBot, knownBots } from './known-bots.ts'

test('names the bot that a user agent claims to be', () => {
  for (const [userAgent, name, category] of [
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot', 'searchEngine'],
    [
      'Mozilla/5.0 (iPhone; …) Safari/604.1 (compatible; AdsBot-Google-Mobile; +http://…)',
      'AdsBot-Google',
      'advertising',
    ],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
      'GPTBot',
      'aiCrawler',
    ],
    ['Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0', 'ChatGPT-User', 'aiAssistant'],
    ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'facebookexternalhit', 'preview'],
    ['Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)', 'AhrefsBot', 'seo'],
    ['Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)', 'UptimeRobot', 'monitoring'],
  ] as const) {
    const bot = claimedBot(userAgent)
    assert.deepEqual([bot?.name, bot?.category], [name, category], userAgent)
  }
  assert.equal(claimedBot(undefined), undefined)
})

test('names no person’s browser', () => {
  const ofPeople = recordings().filter(({ expected }) => expected.bot === 'notDetected')
  assert.ok(ofPeople.length > 15)
  for (const { name, evidence } of ofPeople) assert.equal(claimedBot(evidence.facts.userAgent), undefined, name)
  assert.equal(
    claimedBot('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) [FBAN/FBIOS;FBAV/1] Pinterest'),
    undefined,
  )
})

test('most named bots are in a public list, each is found, and its name is unique', () => {
  const agents = crawlers.flatMap(({ instances }) => instances)
  const found = new Set(agents.map((agent) => claimedBot(agent)?.name))
  const missing = knownBots.filter(({ name }) => !found.has(name)).map(({ name }) => name)
  assert.ok(missing.length <= 0.1 * knownBots.length, missing.join())
  assert.equal(new Set(knownBots.map(({ name }) => name)).size, knownBots.length)
})

test('every publisher of crawlers has a bot', () => {
  assert.deepEqual(new Set(knownBots.flatMap(({ publisher }) => publisher ?? [])), new Set(crawlerNames))
})
