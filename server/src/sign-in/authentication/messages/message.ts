// What does a message say? An OTP or a link, in the person's language.

import { randomUUID } from 'node:crypto'
import type { Message } from '../channel.ts'

interface Words {
  subject: string
  otp: string
  link: string
  ignore: string
}

/**
 * Placeholders: {app}, {otp}, {link} and {minutes}. Texts of the configuration file can also use
 * {host}, empty for mobile apps.
 */
const languages: Readonly<Record<string, Words>> = {
  en: {
    subject: 'Sign in to {app}',
    otp: '{otp} is your code for {app}. It is valid for {minutes} minutes. Never share it.',
    link: 'Sign in to {app} with this link, which is valid for {minutes} minutes: {link}',
    ignore: 'If you did not request it, ignore this message.',
  },
  de: {
    subject: 'Anmelden bei {app}',
    otp: '{otp} ist Ihr Code für {app}. Er gilt {minutes} Minuten. Geben Sie ihn nie weiter.',
    link: 'Melden Sie sich mit diesem Link bei {app} an, er gilt {minutes} Minuten: {link}',
    ignore: 'Wenn Sie ihn nicht angefordert haben, ist nichts zu tun.',
  },
  es: {
    subject: 'Iniciar sesión en {app}',
    otp: '{otp} es tu código para {app}. Es válido durante {minutes} minutos. No lo compartas nunca.',
    link: 'Inicia sesión en {app} con este enlace, válido durante {minutes} minutos: {link}',
    ignore: 'Si no lo has pedido, ignora este mensaje.',
  },
  fr: {
    subject: 'Connexion à {app}',
    otp: '{otp} est votre code pour {app}. Il est valable {minutes} minutes. Ne le communiquez jamais.',
    link: 'Connectez-vous à {app} avec ce lien, valable {minutes} minutes : {link}',
    ignore: 'Si vous ne l’avez pas demandé, ignorez ce message.',
  },
  pt: {
    subject: 'Entrar em {app}',
    otp: '{otp} é o seu código para {app}. É válido por {minutes} minutos. Nunca o partilhe.',
    link: 'Entre em {app} com este link, válido por {minutes} minutos: {link}',
    ignore: 'Se não o pediu, ignore esta mensagem.',
  },
  hi: {
    subject: '{app} में साइन इन करें',
    otp: '{otp} {app} के लिए आपका कोड है। यह {minutes} मिनट तक मान्य है। इसे किसी को न बताएं।',
    link: '{app} में इस लिंक से साइन इन करें, यह {minutes} मिनट तक मान्य है: {link}',
    ignore: 'यदि आपने इसे नहीं मांगा है, तो इस संदेश पर ध्यान न दें।',
  },
}

export interface MessageContent {
  tenantId: string
  to: string
  app: string
  /** Either `otp` or `link`. */
  otp?: string
  link?: string
  lifetimeSeconds: number
  /** BCP 47. Unknown languages become English. */
  locale?: string | undefined
  /** Host of the web page. Browsers on phones then fill in the OTP (origin-bound one-time codes, WICG). */
  host?: string | undefined
}

export function compose({
  tenantId,
  to,
  app,
  otp,
  link,
  lifetimeSeconds,
  locale = 'en',
  host,
}: MessageContent): Message {
  const words = wordsIn(locale)
  const parts: Record<string, string> = {
    app,
    minutes: String(Math.max(1, Math.floor(lifetimeSeconds / 60))),
    ...(otp !== undefined && { otp }),
    ...(link !== undefined && { link }),
    host: host ?? '',
  }
  const template = otp === undefined ? words.link : words.otp
  const originLine = otp !== undefined && host !== undefined ? `\n\n@${host} #${otp}` : ''
  return {
    id: randomUUID(),
    ...{ tenantId, to },
    subject: fill(words.subject, parts),
    text: fill(template, parts) + originLine,
    html: html(template, words.ignore, parts),
    parts,
  }
}

function wordsIn(locale: string): Words {
  const language = locale.toLowerCase().split(/[-_]/, 1)[0]!
  return Object.hasOwn(languages, language) ? languages[language]! : languages.en!
}

/** Replaces the placeholders of a text. Unknown names in braces stay as they are. */
export const fill = (text: string, parts: Readonly<Record<string, string>>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(parts, name) ? parts[name]! : whole))

function html(template: string, ignore: string, parts: Readonly<Record<string, string>>): string {
  const escaped = Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, escapeHtml(text)]))
  const shown = {
    ...escaped,
    ...(escaped.otp && { otp: `<strong style="font-size:1.5em;letter-spacing:.1em">${escaped.otp}</strong>` }),
    ...(escaped.link && { link: `<a href="${escaped.link}">${escaped.link}</a>` }),
  }
  return `<!doctype html><meta charset="utf-8"><p>${fill(template, shown)}</p><p>${ignore}</p>`
}

/** For text or a quoted attribute in HTML. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
