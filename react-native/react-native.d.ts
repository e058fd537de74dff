// What of React Native is used? Stands in for its types while this repository is checked; it is not published.

declare module 'react-native' {
  export const NativeModules: Readonly<Record<string, unknown>>
}
