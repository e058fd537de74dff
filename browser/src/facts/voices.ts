// Which voices for speech synthesis are installed?

/** Browsers load voices on the first call. If there are none, they fire no event. */
const loadingMs = 60

/**
 * Local voices as `name (language)`. Remote voices are left out, because they depend on the
 * connection.
 */
export async function voices(): Promise<string[] | undefined> {
  const speech = globalThis.speechSynthesis
  if (!speech) return undefined
  if (speech.getVoices().length === 0) {
    await new Promise((resolve) => {
      speech.addEventListener('voiceschanged', resolve, { once: true })
      setTimeout(resolve, loadingMs)
    })
  }
  const names = speech.getVoices().filter(({ localService }) => localService)
  // An empty list may mean that the voices are still loading, so it is not reported.
  return names.length === 0 ? undefined : names.map(({ name, lang }) => `${name} (${lang})`).sort()
}
