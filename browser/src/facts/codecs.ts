// Which audio and video formats can be played? They show the browser build and the system's decoders.

import { hashOf } from '../collect/hash.ts'

const formats = [
  'audio/aac',
  'audio/flac',
  'audio/mp4; codecs="ac-3"',
  'audio/mp4; codecs="ec-3"',
  'audio/ogg; codecs="vorbis"',
  'audio/webm; codecs="opus"',
  'video/mp4; codecs="av01.0.05M.08"',
  'video/mp4; codecs="avc1.640028"',
  'video/mp4; codecs="dvh1.05.06"',
  'video/mp4; codecs="hvc1.1.6.L93.B0"',
  'video/ogg; codecs="theora"',
  'video/webm; codecs="vp9"',
]

export function codecs(): string {
  const player = document.createElement('video')
  return hashOf(formats.map((format) => player.canPlayType(format)))
}
