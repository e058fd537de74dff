import assert from 'node:assert/strict'
import { test } from 'node:test'
import crawlers from 'crawler-user-agents'
import { recordings } from '../testdata/recordings.ts'
import { isUserAgentOfProgram } from './program-user-agent.ts'

test('recognises more than 95 % of the crawlers of a public list by their user agent', () => {
  const agents = crawlers.flatMap(({ instances }) => instances)
  const known = agents.filter(isUserAgentOfProgram)
  assert.ok(agents.length > 2000)
  assert.ok(known.length / agents.length > 0.95, `${known.length} of ${agents.length}`)
})

test('recognises crawlers, monitors and libraries, and not browsers in apps or on Cubot phones', () => {
  for (const agent of [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; Google-InspectionTool/1.0)',
    'facebookexternalhit/1.1',
    'Mediapartners-Google',
    'curl/8.9.1',
    'python-requests/2.32',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.7204.168 Safari/537.36 DatadogSynthetics',
  ]) {
    assert.ok(isUserAgentOfProgram(agent), agent)
  }
  for (const agent of [
    'Mozilla/5.0 (Linux; Android 12; CUBOT NOTE 50) AppleWebKit/537.36 Chrome/150.0.0.0',
    'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)',
    'Mozilla/5.0 (Linux; Android 15; CPH2557 Build/AP3A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36 Instagram 406.0.0.58.159 Android (35/15; 480dpi; 1080x2400; OPPO; CPH2557; OP573DL1; mt6833; en_MY; 822918295; IABMV/1)',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/370.0.123 Mobile/15E148 Safari/604.1',
  ]) {
    assert.ok(!isUserAgentOfProgram(agent), agent)
  }
})

test('no recorded browser of a person has the user agent of a program', () => {
  const ofPeople = recordings().filter(({ expected }) => expected.bot === 'notDetected')
  assert.ok(ofPeople.length > 15)
  for (const { name, evidence } of ofPeople) assert.ok(!isUserAgentOfProgram(evidence.facts.userAgent ?? ''), name)
})
