// What does a person see who opens a magic link? One button: programs that look into mail follow links, but press nothing.

import { Refusal } from '../../errors.ts'
import { htmlPage } from '../../http/html-page.ts'
import type { Page } from '../../http/page.ts'
import type { Platform } from '../../platform.ts'
import { keepProof, leadBack } from '../return.ts'
import { refuseUnlessOpen, returnedSignIn, type SignIn } from '../transaction.ts'
import { magicLinkPath } from './deliver.ts'
import { escapeHtml } from './message.ts'

/** GET: asks for the click; the link can still be used. */
export async function magicLinkPage(platform: Platform, fields: URLSearchParams): Promise<Page> {
  const found = await openSignIn(platform, fields)
  if ('page' in found) return found.page
  const { appName, recipient, redirectUrl } = found.signIn.content
  const code = escapeHtml(fields.get('code') ?? '')
  const where = redirectUrl === undefined ? ' on the device where this link was asked for' : ''
  return html({
    title: `Sign in to ${appName}`,
    text: `You are about to sign in to ${appName} as ${recipient?.value}${where}. Go on only if you asked for this link yourself.`,
    action: `<form method="post" action="${magicLinkPath}"><input type="hidden" name="code" value="${code}"><button>Sign in</button></form>`,
    // A form's target is held against every redirect that follows from it.
    formAction: `'self'${redirectUrl === undefined ? '' : ` ${originOf(redirectUrl)}`}`,
  })
}

/** POST: the person pressed the button; the link is used up, and leads back to the app. */
export async function magicLinkFollowed(platform: Platform, fields: URLSearchParams): Promise<Page> {
  const found = await openSignIn(platform, fields)
  if ('page' in found) return found.page
  const { signIn } = found
  const { redirectUrl, appName, recipient } = signIn.content
  const proof = {
    identities: [{ identityType: recipient!.type, identityValue: recipient!.value, verified: true }],
  }
  try {
    if (redirectUrl === undefined) {
      await keepProof(signIn, proof, platform)
      return html({
        title: `Signed in to ${appName}`,
        text: 'Go on where you asked for this link. You can close this page.',
      })
    }
    const location = await leadBack(signIn, proof, platform)
    return { ...html({ title: 'Signed in', text: 'You are led back.' }), status: 303, headers: { location, ...kept } }
  } catch (error) {
    if (error instanceof Refusal) return refused(error)
    throw error
  }
}

async function openSignIn(platform: Platform, fields: URLSearchParams): Promise<{ signIn: SignIn } | { page: Page }> {
  const signIn = await returnedSignIn(fields.get('code') ?? '', platform)
  try {
    if (signIn?.record.channel !== 'MAGIC_LINK') throw new Refusal('signInUnknown')
    refuseUnlessOpen(signIn.record, platform.clock.now())
    if (signIn.record.state !== 'open') throw new Refusal('signInOver')
    return { signIn }
  } catch (error) {
    if (error instanceof Refusal) return { page: refused(error) }
    throw error
  }
}

function refused({ failure }: Refusal): Page {
  const words: Readonly<Record<string, string>> = {
    signInOver: 'This link was used already. To sign in again, ask for another one.',
    signInExpired: 'This link has expired. Ask for another one.',
  }
  const text = words[failure] ?? 'This link is not valid. Ask for another one, and open the one that arrived last.'
  return html({ title: 'This link cannot be used', text, status: 400 })
}

interface Words {
  title: string
  text: string
  action?: string
  formAction?: string
  status?: number
}

const kept = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

const html = ({ title, text, action = '', ...rest }: Words): Page =>
  htmlPage({
    ...rest,
    title: escapeHtml(title),
    content: `<p>${escapeHtml(text)}</p>${action}`,
    headers: kept,
  })

/** Of an app's own scheme, the scheme. */
function originOf(address: string): string {
  const { origin, protocol } = new URL(address)
  return origin === 'null' ? protocol : origin
}
