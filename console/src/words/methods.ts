// How does somebody sign in? Channels and identity providers have names of the configuration, which stay as they are.

const names: Readonly<Record<string, string>> = {
  EMAIL: 'Email',
  WHATSAPP: 'WhatsApp',
  VOICE: 'Voice',
  SILENT: 'Silent',
  GOOGLE: 'Google',
  APPLE: 'Apple',
  MICROSOFT: 'Microsoft',
  PASSWORD: 'Password',
}
export const methodName = (method: string): string => (Object.hasOwn(names, method) ? names[method]! : method)

const identities: Readonly<Record<string, string>> = { MOBILE: 'Mobile number', EMAIL: 'Email address' }
export const identityName = (type: string): string => (Object.hasOwn(identities, type) ? identities[type]! : type)
