// How does this device render sound, and which voices does it have? Nothing is played.
// Safari, Brave and Firefox can add noise to rendered sound. Voices load late, and some systems have none.

type OfflineContext = typeof OfflineAudioContext

const sampleRate = 44_100
const samples = 5_000

/**
 * A tone through a compressor: the sum of the last 500 samples, as absolute values. The browser
 * renders on its own thread, so the page is not blocked.
 */
export async function audio(): Promise<number | undefined> {
  const Context =
    globalThis.OfflineAudioContext ??
    (globalThis as { webkitOfflineAudioContext?: OfflineContext }).webkitOfflineAudioContext
  if (!Context) return undefined
  const context = new Context(1, samples, sampleRate)
  const tone = new OscillatorNode(context, { type: 'triangle', frequency: 10_000 })
  const compressor = new DynamicsCompressorNode(context, {
    threshold: -50,
    knee: 40,
    ratio: 12,
    attack: 0,
    release: 0.25,
  })
  tone.connect(compressor).connect(context.destination)
  tone.start()
  const rendered = (await context.startRendering()).getChannelData(0)
  let sum = 0
  for (const sample of rendered.subarray(samples - 500)) sum += Math.abs(sample)
  return sum
}

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
